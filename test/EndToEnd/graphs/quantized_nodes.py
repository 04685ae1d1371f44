#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes on quantized values, each with what its documentation says that it gives, in double precision."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"


def pack(values, bits):
    """Integers of some bits each, packed into bytes along the last dimension."""
    each = 8 // bits
    padded = np.zeros((*values.shape[:-1], -(-values.shape[-1] // each) * each), np.uint8)
    padded[..., :values.shape[-1]] = values & ((1 << bits) - 1)
    parts = padded.reshape(*padded.shape[:-1], -1, each)
    return sum(parts[..., i] << (bits * i) for i in range(each)).astype(np.uint8)


class Model:
    """Nodes, each with operands and outputs of its own."""

    def __init__(self, dtype, powers):
        self.random = np.random.default_rng(5)
        self.dtype, self.powers = np.dtype(dtype), powers
        self.nodes, self.constants, self.inputs = [], [], {}
        # By output: the exact value and its type; its zero point; how much it may be off; how far ONNX Runtime may be.
        self.exact, self.zeros, self.slack, self.runtime = {}, {}, {}, {}
        self.inner = set()  # values that nodes read

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(value if isinstance(value, TensorProto) else numpy_helper.from_array(np.asarray(value), name))
        self.constants[-1].name = name
        return name

    def input(self, value):
        self.inputs[f"x{len(self.inputs)}"] = value
        return f"x{len(self.inputs) - 1}"

    def scale(self, least=-6, most=-1):
        """A scale within these powers of two."""
        exponent = self.random.integers(least, most) if self.powers else self.random.uniform(least, most)
        return np.float32(2.0**exponent)

    def zero(self, dtype=None):
        limits = np.iinfo(dtype or self.dtype)
        return np.asarray(self.random.choice([limits.min, limits.max, 0, 5, limits.max - 100]), dtype or self.dtype)

    def integers(self, *shape, dtype=None):
        limits = np.iinfo(dtype or self.dtype)
        return np.asarray(self.random.integers(limits.min, limits.max, shape, dtype or self.dtype, endpoint=True))

    def operand(self, *shape):
        """The inputs of a node for a quantized value, and what it stands for."""
        x, scale, zero = self.integers(*shape), self.scale(), self.zero()
        return [self.input(x), self.constant(scale), self.constant(zero)], (x.astype(float) - zero) * np.float64(scale)

    def result(self, exact):
        """The inputs of a node for its result, the result before it is rounded, and what is added then. Some of it saturates."""
        spread = np.abs(exact).max() or 1
        scale = np.float32(2.0**np.floor(np.log2(spread / 90)) if self.powers else spread / 90)
        zero = self.zero()
        return [self.constant(scale), self.constant(zero)], exact / np.float64(scale), int(zero)

    def add(self, op, operands, exact, slack=None, runtime=1, domain=MICROSOFT, zero=0, **attributes):
        """`exact` has the type, too; `zero` is added to it when it is rounded. ONNX Runtime is within `runtime`: steps or an error; None if it lacks the kernel."""
        name = f"{op}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [name], name, domain=domain, **attributes))
        self.exact[name], self.zeros[name] = exact, zero
        self.slack[name] = (0 if self.powers else 1e-3) if slack is None else slack
        self.runtime[name] = runtime

    def quantized(self, op, operands, exact, slack=None, runtime=1, **attributes):
        """A node whose result is quantized."""
        result, scaled, zero = self.result(exact)
        self.add(op, operands + result, (scaled, self.dtype), slack, runtime, zero=zero, **attributes)

    def floats(self, op, operands, exact, dtype=np.float32, slack=2e-5, runtime=1e-3, domain=MICROSOFT, **attributes):
        self.add(op, operands, (exact, np.dtype(dtype)), slack, runtime, domain, **attributes)

    def dequantized(self, kind, low, bits, shape, scale, zeros, **attributes):
        """Weights of a type of ONNX's that go through DequantizeLinear: their name, and what they stand for."""
        values = self.random.integers(low, low + (1 << bits), shape)
        zero = self.random.integers(low, low + (1 << bits), scale.shape) if zeros else np.zeros(scale.shape, int)

        def tensor(values):
            return TensorProto(data_type=kind, dims=values.shape, raw_data=pack(values.reshape(-1), bits).tobytes())

        axis, size = attributes.get("axis"), attributes.get("block_size")

        def each(parameter):
            if size:
                return np.repeat(parameter, size, axis).take(range(shape[axis]), axis)
            return parameter if axis is None else parameter.reshape([-1 if i == axis else 1 for i in range(len(shape))])

        name = f"w{len(self.nodes)}"
        operands = [self.constant(tensor(values)), self.constant(scale), *([self.constant(tensor(zero))] if zeros else [])]
        self.nodes.append(helper.make_node("DequantizeLinear", operands, [name], name, **attributes))
        self.inner.add(name)
        return name, (values - each(zero)) * each(scale).astype(float)

    def model(self, outputs):
        read = {name for node in self.nodes if node.output[0] in outputs for name in node.input} & self.inner
        nodes = [node for node in self.nodes if node.output[0] in read.union(outputs)]
        used = {name for node in nodes for name in node.input}
        inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
                  for name, v in self.inputs.items() if name in used]
        given = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(self.exact[name][1]), self.exact[name][0].shape)
                 for name in outputs]
        graph = helper.make_graph(nodes, "g", inputs, given, [c for c in self.constants if c.name in used])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)],
                                 ir_version=10)
