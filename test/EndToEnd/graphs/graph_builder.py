#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grows an ONNX graph whose results can be compared.

Every node is computed by ONNX Runtime as soon as it is added, so the shape and
value of each operand are known. A node that ONNX Runtime refuses, or whose
results are empty, large or not finite, is given up.
"""

import math

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper

MOST_ELEMENTS = 20000
GAP = 1e-3  # between floats whose order decides something


class Reject(Exception):
    """A node or a graph is not one to compare."""


def make_info(name, value):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def evaluate(model, inputs):
    """A model's outputs as a list of (name, array), by ONNX Runtime without optimisations; Reject if it refuses."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_reuse = False  # fails where a pool's shape is inferred wrongly
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return list(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))
    except Exception as error:  # there is no class for all that it raises
        raise Reject(f"ONNX Runtime: {error}") from None


class Graph:
    """A graph under construction."""

    def __init__(self, random, opset):
        self.random, self.opset = random, opset
        self.values = {}  # operands to choose from, in order
        self.inputs, self.constants, self.nodes, self.used = {}, {}, [], set()

    # Chance.

    def one_of(self, *options):
        return options[self.random.integers(len(options))]

    def chance(self, probability):
        return self.random.random() < probability

    def dims(self, rank, options=(1, 1, 2, 3, 4, 5, 7, 8, 12, 12, 17, 40)):
        return [int(self.one_of(*options)) for _ in range(rank)]

    def axis(self, rank):
        return int(self.random.integers(-rank, rank))

    # Operands.

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def ints(self, values):
        return self.constant(np.array(values, np.int64))

    def scalar(self, value, dtype=np.float32, shapes=((), (), (1,))):
        return self.constant(np.array(value, dtype).reshape(self.one_of(*shapes)))

    def weight(self, shape, fan=1, dtype=np.float32):
        value = np.asarray(self.random.standard_normal(shape) / math.sqrt(max(fan, 1)), dtype)
        return self.fresh(value) if self.chance(0.1) else self.constant(value)

    def fresh(self, value):
        """A new input, or a constant among the operands to choose from."""
        value = np.asarray(value)
        if self.chance(0.25):
            name = self.constant(value)
        else:
            name = f"x{len(self.inputs)}"
            self.inputs[name] = value
        self.values[name] = value
        return name

    def new(self, shape, dtype=np.float32):
        if np.issubdtype(dtype, np.floating):
            return self.fresh(np.asarray(self.random.standard_normal(shape), dtype))
        low, high = (0, 2) if dtype == bool else (-9, 10)
        return self.fresh(np.asarray(self.random.integers(low, high, shape), dtype))

    def pick(self, fits, make):
        """A value that fits, likely a recent one; a new one where there is none, and sometimes."""
        names = [name for name, value in self.values.items() if fits(value)]
        if names and self.chance(0.92):
            return names[-1 - int(len(names) * self.random.random() ** 2)]
        return make()

    def any_shape(self):
        if self.chance(0.01):
            return self.dims(self.one_of(1, 2, 3), (0, 1, 3))
        return self.dims(self.one_of(0, 1, 2, 2, 3, 3, 4, 4, 5))

    def floats(self, least=0):
        """A float value of at least that many dimensions."""
        return self.pick(lambda v: v.dtype in (np.float32, np.float64) and v.ndim >= least,
                         lambda: self.new(self.dims(self.one_of(*range(max(least, 1), 5)))))

    def image(self):
        def make():
            shape = [self.one_of(1, 1, 1, 2, 3), self.one_of(1, 3, 4, 5, 7, 8, 16, 17, 24, 33)]
            return self.new(shape + self.dims(self.one_of(1, 2, 2, 2, 2, 3), (1, 3, 5, 7, 8, 9, 12)))
        return self.pick(lambda v: v.dtype == np.float32 and 3 <= v.ndim <= 5, make)

    def anything(self, least=0):
        return self.pick(lambda v: v.ndim >= least, lambda: self.new(
            self.dims(max(least, self.one_of(0, 1, 2, 3, 4))), self.one_of(np.float32, np.float32, np.int64, bool)))

    def integers(self):
        return self.pick(lambda v: v.dtype in (np.int64, np.int32),
                         lambda: self.new(self.any_shape(), self.one_of(np.int64, np.int32)))

    def booleans(self):
        return self.pick(lambda v: v.dtype == bool, lambda: self.new(self.any_shape(), bool))

    def broadcastable(self, name):
        """An operand for an elementwise op with a value."""
        value = self.value(name)

        def fits(other):
            try:
                return other.dtype == value.dtype and np.broadcast_shapes(value.shape, other.shape) is not None
            except ValueError:
                return False

        def make():
            shape = [1 if self.chance(0.35) else dim for dim in value.shape]
            shape = shape[self.one_of(0, 0, *range(len(shape) + 1)):]
            if self.chance(0.1) and len(shape) == value.ndim:
                shape = self.dims(1, (1, 2, 3)) + shape
            make = self.new if self.chance(0.2) or value.dtype != np.float32 else self.weight
            return make(shape, dtype=value.dtype)
        return make() if self.chance(0.4) else self.pick(fits, make)

    def value(self, name):
        return self.values[name] if name in self.values else self.constants[name]

    def shape(self, name):
        return list(self.value(name).shape)

    # Nodes.

    def add(self, op, *operands, outputs=1, captured=(), **attributes):
        """Adds a node, whose subgraphs use `captured` values; returns its outputs' names, or its one output's."""
        number = len(self.nodes)
        names = [f"v{number}_{i}" if outputs > 1 else f"v{number}" for i in range(outputs)]
        node = helper.make_node(op, operands, names, f"{op}_{number}", **attributes)
        used = {*operands, *captured} - {""}
        given = {name: self.values[name] for name in used if name not in self.constants}
        constants = {name: self.constants[name] for name in used if name in self.constants}
        infos = [helper.make_empty_tensor_value_info(name) for name in names]
        results = evaluate(self.model([node], given, constants, infos), given)
        for _, result in results:
            most = 1e4 if result.dtype.kind == "f" else 1e6
            if result.size > MOST_ELEMENTS or result.ndim > 6 or not (np.abs(result.astype(np.float64)) < most).all():
                raise Reject("large")
            if result.size == 0 and all(self.value(name).size for name in operands if name):
                raise Reject("empty")
        self.nodes.append(node)
        self.used.update(used)
        self.values.update(results)
        return names[0] if outputs == 1 else names

    def model(self, nodes, inputs, constants, outputs):
        graph = helper.make_graph(nodes, "random", [make_info(*item) for item in inputs.items()], outputs,
                                  [numpy_helper.from_array(value, name) for name, value in constants.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=9)

    def require(self, condition):
        if not condition:
            raise Reject("unsuitable")

    def scaled(self, name):
        """The value, brought to within 10 if it is beyond."""
        most = np.abs(self.value(name)).max(initial=0)
        if most <= 10 or self.value(name).dtype.kind != "f":
            return name
        return self.add("Mul", name, self.scalar(2 / most, self.value(name).dtype))

    def positive(self, name):
        """The value, made at least 0.1."""
        dtype = self.value(name).dtype
        if self.value(name).size and self.value(name).min() > 0.1:
            return name
        return self.add("Add", self.add("Abs", name), self.scalar(0.5, dtype))

    def axes(self, op, operand, axes, since, **attributes):
        """A node whose axes are an attribute before an opset, and an operand since."""
        if self.opset >= since:
            return self.add(op, operand, self.ints(axes), **attributes)
        return self.add(op, operand, axes=axes, **attributes)
