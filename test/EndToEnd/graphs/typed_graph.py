#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grows an ONNX graph of any element types and ranks whose results are known.

typed_oracle.py computes every node as soon as it is added, so that the shape,
value and slack of each operand are known.
"""

import math

import numpy as np
from onnx import defs, helper

import typed_oracle as oracle
from graph_builder import Graph, Reject
from typed_oracle import BFLOAT16, DOUBLE, FLOATS, HALF, SINGLE

SIGNED = tuple(np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
UNSIGNED = tuple(np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
INTEGERS = SIGNED + UNSIGNED
BOOL = np.dtype(bool)
NUMBERS = FLOATS + INTEGERS
ELEMENTS = NUMBERS + (BOOL,)
NAMES = {HALF: "float16", BFLOAT16: "bfloat16", SINGLE: "float", DOUBLE: "double"}
MOST_ELEMENTS = 3000


def name_of(dtype):
    """A type as ONNX's schemas spell it."""
    return f"tensor({NAMES.get(dtype, dtype.name)})"


def extremes(dtype):
    """Values at which code goes wrong."""
    if dtype == BOOL:
        return [False, True]
    if dtype in FLOATS:
        info = np.finfo(dtype) if dtype != BFLOAT16 else oracle.ml_dtypes.finfo(dtype)
        most, normal, least = float(info.max), float(info.smallest_normal), float(info.smallest_subnormal)
        return [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, math.inf, -math.inf, math.nan, most, -most, normal,
                -normal, least, -least, 3 * least, normal - least, 1 + float(info.eps), math.pi, -20.0, 88.0, 1000.0,
                2.0**23 + 1, -(2.0**31), 2.0**63]
    info = np.iinfo(dtype)
    half = 1 << (info.bits // 2)
    return [0, 1, info.min, info.max, info.max - 1, info.min + 1, half - 1, half, 3, info.max // 2 + 1] + (
        [-1, -2, -half] if info.min else [2])


class TypedGraph(Graph):
    """A graph under construction."""

    def __init__(self, random, opset):
        super().__init__(random, opset)
        self.slacks = {}
        self.loose_zeros = set()  # values whose zeros may have either sign
        self.refused = set()

    # Operands.

    def some_dims(self, least=0, most=8):
        rank = self.one_of(*[rank for rank in (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8) if least <= rank <= most])
        sizes = (1, 1, 2, 3, 4, 5, 8, 9, 17, 33) if rank < 3 else (1, 1, 2, 2, 3, 4, 7) if rank < 6 else (1, 1, 2, 2, 3)
        if self.chance(0.04):
            sizes += (0, 0)
        dims = self.dims(rank, sizes)
        while math.prod(dims) > 1500:
            dims[int(np.argmax(dims))] = 1
        return dims

    def data(self, shape, dtype, tame=False):
        """Random elements; unless tame, extremes among them."""
        dtype = np.dtype(dtype)
        extreme = 0 if tame or self.chance(0.3) else self.one_of(0.05, 0.2, 0.6)
        if dtype == BOOL:
            return np.asarray(self.random.integers(0, 2, shape), bool)
        if dtype in FLOATS:
            value = self.random.standard_normal(shape) * (1 if tame else self.one_of(1, 1, 1, 10, 0.01))
        else:
            low = 0 if dtype in UNSIGNED else -9
            value = self.random.integers(low, 10, shape)
        value = np.asarray(value).astype(dtype)
        if extreme:
            special = np.array(extremes(dtype)).astype(dtype) if dtype in FLOATS else np.array(extremes(dtype), dtype)
            chosen = special[self.random.integers(0, len(special), shape)]
            value = np.where(self.random.random(shape) < extreme, chosen, value)
        return np.asarray(value, dtype).reshape(shape)

    def make(self, dtype, shape=None, tame=False):
        """A new value, an input in most cases."""
        return self.fresh(self.data(self.some_dims() if shape is None else shape, dtype, tame))

    def of(self, types=ELEMENTS, least=0, most=8, fits=lambda value: True):
        """A value of one of the types and of at least and at most so many dimensions."""
        def suits(value):
            return value.dtype in types and least <= value.ndim <= most and fits(value)

        def make():
            for _ in range(8):
                value = self.data(self.some_dims(least, most), self.one_of(*types))
                if fits(value):
                    return self.fresh(value)
            raise Reject("unsuitable")
        return make() if self.chance(0.3) else self.pick(suits, make)

    def tame(self, types, least=1, most=4, fits=lambda value: True):
        """A value that is finite and of moderate size."""
        def moderate(value):
            with np.errstate(all="ignore"):
                return fits(value) and bool((np.abs(value.astype(DOUBLE)) < 100).all())

        def suits(value):
            return value.dtype in types and least <= value.ndim <= most and moderate(value)

        def make():
            for _ in range(8):
                value = self.data(self.some_dims(least, most), self.one_of(*types), True)
                if fits(value):
                    return self.fresh(value)
            raise Reject("unsuitable")
        return make() if self.chance(0.4) else self.pick(suits, make)

    def partner(self, name, dtype=None, tame=False):
        """An operand that broadcasts with a value."""
        shape = self.shape(name)
        dtype = self.value(name).dtype if dtype is None else np.dtype(dtype)

        def fits(value):
            try:
                return value.dtype == dtype and math.prod(np.broadcast_shapes(value.shape, shape)) <= MOST_ELEMENTS
            except ValueError:
                return False

        def make():
            mine = [1 if self.chance(0.3) else dim for dim in shape]
            mine = mine[self.one_of(0, 0, *range(len(mine) + 1)):]
            value = self.data(mine, dtype, tame)
            return self.constant(value) if self.chance(0.4) else self.fresh(value)
        return make() if tame or self.chance(0.5) else self.pick(fits, make)

    # Nodes.

    def allows(self, op, operands):
        """Whether the op's schema has the operands' types."""
        schema = defs.get_schema(op, self.opset)
        for i, name in enumerate(operands):
            formal = schema.inputs[min(i, len(schema.inputs) - 1)]
            if name and name_of(self.value(name).dtype) not in formal.types:
                return False
        return True

    def add(self, op, *operands, outputs=1, captured=(), **attributes):
        """Adds a node; returns its outputs' names, or its one output's."""
        self.require(defs.has(op, self.opset) and self.allows(op, operands))
        number = len(self.nodes)
        names = [f"v{number}_{i}" if outputs > 1 else f"v{number}" for i in range(outputs)]
        node = helper.make_node(op, operands, names, f"{op}_{number}", **attributes)
        used = {*operands, *captured} - {""}
        given = {name: self.value(name) for name in dict.fromkeys([*operands, *captured]) if name}
        infos = [helper.make_empty_tensor_value_info(name) for name in names]
        slacks = {name: self.slacks[name] for name in used if name in self.slacks}
        loose = any(name in self.loose_zeros for name in used)
        if op in ("Div", "Reciprocal", "Pow", "Atan") and loose:
            self.require(not any((self.value(name) == 0).any() for name in used & self.loose_zeros))
        results, own = oracle.judge(op, lambda values: self.model([node], values, {}, infos), given, slacks)
        for result in results:
            self.require(result.size <= MOST_ELEMENTS and result.ndim <= 8 and result.dtype in ELEMENTS)
        self.nodes.append(node)
        self.used.update(used)
        for name, result, slack in zip(names, results, own):
            self.values[name] = result
            if slack.any():
                self.slacks[name] = slack
            if loose or op not in oracle.KEEPS_ZERO or slack.any():
                self.loose_zeros.add(name)
        return names[0] if outputs == 1 else names
