#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks quantized products, one op at a time, against exact arithmetic.

Convolutions and matrix products between DequantizeLinear and QuantizeLinear are evaluated in double
precision as the graph is written, which is exact but for the last rounding. A result has to be equal;
where the exact value lies within a thousandth of the middle of two integers it may be either. The same
holds of QLinearConv and QLinearMatMul, of functions of one quantized value at every byte, of products
whose input is quantized from floats and whose result is dequantized, and of products of two values that
are computed; what MatMulInteger and ConvInteger give is equal.

All but those whose padding is not constant run in the families that multiply bytes.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import tempfile

import numpy as np
from onnx import helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "graphs"))

from compiled_model import Failure, compile_for, run_model

RANGES = {np.dtype(name): (np.iinfo(name).min, np.iinfo(name).max) for name in ("int8", "uint8")}


def convolve(x, w, strides, pads, dilations, group):
    """ONNX's Conv of doubles or integers, padded with zeros."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    outputs, inputs, height, width = w.shape
    rows = (x.shape[2] - dilations[0] * (height - 1) - 1) // strides[0] + 1
    columns = (x.shape[3] - dilations[1] * (width - 1) - 1) // strides[1] + 1
    y = np.zeros((x.shape[0], outputs, rows, columns), x.dtype)
    each = outputs // group
    for g in range(group):
        part, filters = x[:, g * inputs:(g + 1) * inputs], w[g * each:(g + 1) * each]
        for i in range(height):
            for j in range(width):
                top, left = i * dilations[0], j * dilations[1]
                window = part[:, :, top:top + rows * strides[0]:strides[0], left:left + columns * strides[1]:strides[1]]
                y[:, g * each:(g + 1) * each] += np.einsum("nchw,oc->nohw", window[:, :, :rows, :columns], filters[:, :, i, j])
    return y


class Model:
    """Ops, each between inputs and an output of its own."""

    def __init__(self):
        self.random = np.random.default_rng(3)
        self.nodes, self.constants, self.inputs, self.exact = [], [], {}, {}
        self.dequantized = {}  # Scales and zero points of floats that `exact` has the integers of.

    def constant(self, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def input(self, dtype, *shape):
        low, high = RANGES[np.dtype(dtype)]
        name = f"x{len(self.inputs)}"
        self.inputs[name] = np.asarray(self.random.integers(low, high, shape, dtype, endpoint=True))
        return name

    def add(self, op, operands, **attributes):
        name = f"{op}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [name], name, **attributes))
        return name

    def dequantize(self, value, scale, zero, **attributes):
        """A name, or a constant, as floats: its name and what it stands for."""
        integers = self.inputs[value] if isinstance(value, str) else value
        name = value if isinstance(value, str) else self.constant(value)
        floats = self.add("DequantizeLinear", [name, self.constant(np.float32(scale)), self.constant(zero)], **attributes)
        axis = attributes.get("axis")
        shape = [-1 if i == axis else 1 for i in range(integers.ndim)] if np.ndim(scale) else []
        exact_scale = np.float32(scale).astype(np.float64).reshape(shape)
        return floats, (integers.astype(np.float64) - np.asarray(zero, np.float64).reshape(shape)) * exact_scale

    def quantize(self, value, exact, dtype, scale, zero):
        name = self.add("QuantizeLinear", [value, self.constant(np.float32(scale)), self.constant(np.asarray(zero, dtype))])
        self.exact[name] = (exact / np.float64(np.float32(scale)) + zero, np.dtype(dtype))

    def dequantize_result(self, value, exact, dtype, scale, zero):
        """A result of floats, of which the integers before have to be right."""
        name, _ = self.round(value, exact, dtype, scale, zero)
        self.exact[name] = (exact / np.float64(np.float32(scale)) + zero, np.dtype(dtype))
        self.dequantized[name] = (np.float64(np.float32(scale)), zero)

    def round(self, value, exact, dtype, scale, zero):
        """Quantizes between two ops: the name of the floats behind, and what they stand for."""
        parameters = [self.constant(np.float32(scale)), self.constant(np.asarray(zero, dtype))]
        name = self.add("DequantizeLinear", [self.add("QuantizeLinear", [value, *parameters]), *parameters])
        integers = np.clip(np.rint(exact / np.float64(np.float32(scale)) + zero), *RANGES[np.dtype(dtype)])
        return name, (integers - zero) * np.float64(np.float32(scale))

    def model(self):
        types = {np.dtype("int8"): 3, np.dtype("uint8"): 2, np.dtype("int32"): 6, np.dtype("float32"): 1}
        inputs = [helper.make_tensor_value_info(name, types[v.dtype], v.shape) for name, v in self.inputs.items()]
        outputs = [helper.make_tensor_value_info(name, 1 if name in self.dequantized else types[dtype], value.shape)
                   for name, (value, dtype) in self.exact.items()]
        graph = helper.make_graph(self.nodes, "g", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def weights(m, axis, per_channel, *shape):
    """Constant weights with scales: the arguments of Model.dequantize."""
    values = m.random.integers(-128, 127, shape, np.int8, endpoint=True)
    count = shape[axis]
    scale = np.float32(m.random.uniform(0.001, 0.02, count if per_channel else None))
    return values, scale, np.zeros(count if per_channel else (), np.int8)


def add_convolution(m, activation, inputs, outputs, kernel, strides, pads, dilations, group, per_channel, residual, size=(11, 12)):
    zero = {"uint8": 131, "int8": -7}[activation]
    x, exact_x = m.dequantize(m.input(activation, 1, inputs, *size), 0.031, np.asarray(zero, activation))
    values, scale, zeros = weights(m, 0, per_channel, outputs, inputs // group, *kernel)
    w, exact_w = m.dequantize(values, scale, zeros, axis=0)
    bias = m.random.integers(-20000, 20000, outputs, np.int32)
    bias_scale = (np.float32(0.031) * scale).astype(np.float32)
    b, exact_b = m.dequantize(bias, np.broadcast_to(bias_scale, outputs).copy(), np.zeros(outputs, np.int32), axis=0)
    y = m.add("Conv", [x, w, b], strides=strides, pads=pads, dilations=dilations, group=group)
    exact = convolve(exact_x, exact_w, strides, pads, dilations, group) + exact_b.reshape(-1, 1, 1)
    if residual:
        y, other = m.add("Relu", [y]), m.input(activation, *exact.shape)
        shortcut, exact_shortcut = m.dequantize(other, 0.05, np.asarray(zero, activation))
        y, exact = m.add("Add", [y, shortcut]), np.maximum(exact, 0) + exact_shortcut
    m.quantize(y, exact, activation, np.abs(exact).max() / 200, zero)


def add_matrix(m, activation, shape, columns, per_channel):
    zero = {"uint8": 131, "int8": -7}[activation]
    x, exact_x = m.dequantize(m.input(activation, *shape), 0.02, np.asarray(zero, activation))
    values, scale, zeros = weights(m, 1, per_channel, shape[-1], columns)
    w, exact_w = m.dequantize(values, scale, zeros, axis=1)
    y, exact = m.add("MatMul", [x, w]), exact_x @ exact_w
    if len(shape) == 2:
        bias = m.random.integers(-20000, 20000, columns, np.int32)
        bias_scale = np.broadcast_to((np.float32(0.02) * scale).astype(np.float32), columns).copy()
        b, exact_b = m.dequantize(bias, bias_scale, np.zeros(columns, np.int32), axis=0)
        y, exact = m.add("Add", [y, b]), exact + exact_b
    m.quantize(y, exact, activation, np.abs(exact).max() / 100, zero)


def convolutions(m, activation):
    """Depths on both sides of what one instruction takes, windows, channels that fill no vector, and residuals."""
    for case in (
            (3, 16, (7, 7), (2, 2), (3, 3, 3, 3), (1, 1), 1, True, False),
            (1, 5, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1, True, False),
            (2, 4, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1, False, False),
            (6, 33, (3, 3), (1, 1), (0, 1, 2, 1), (2, 2), 1, True, True),
            (17, 20, (1, 3), (1, 2), (0, 1, 0, 1), (1, 1), 1, False, True),
            (64, 48, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1, True, True),
            (64, 10, (1, 1), (2, 2), (0, 0, 0, 0), (1, 1), 1, True, False),
            (32, 32, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 8, True, True),
            (24, 64, (3, 3), (2, 2), (1, 0, 1, 1), (1, 1), 4, True, False),
            (10, 20, (1, 3), (1, 1), (0, 1, 0, 1), (1, 1), 5, False, False),
            (19, 19, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 19, True, True),
            (40, 40, (5, 5), (1, 1), (2, 2, 2, 2), (1, 1), 40, True, False),
            (24, 24, (2, 3), (1, 1), (0, 1, 1, 1), (2, 1), 24, True, False),
            (32, 32, (3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 32, True, False)):
        add_convolution(m, activation, *case)


def matrices(m, activation):
    for case in (((1, 640), 128, True), ((5, 9), 3, False), ((2, 3, 7, 33), 40, True), ((16, 256), 1000, True)):
        add_matrix(m, activation, *case)


def blocks(m, activation):
    """Products large enough for tile registers, where the target has them: rows, columns and depths that fill none
    of 16, 16 and 64, depths that are no multiple of four, and fewer columns than one tile has."""
    for case in (
            (64, 64, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1, True, True, (14, 14)),
            (40, 33, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1, True, True, (17, 19)),
            (184, 80, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1, True, True, (9, 7)),
            (35, 64, (3, 3), (2, 2), (1, 0, 1, 1), (1, 1), 1, False, False, (12, 57)),
            (48, 70, (3, 3), (1, 1), (2, 2, 2, 2), (2, 2), 1, True, True, (9, 33)),
            (3, 64, (7, 7), (2, 2), (3, 3, 3, 3), (1, 1), 1, True, False, (30, 36)),
            (30, 24, (1, 5), (1, 1), (0, 2, 0, 2), (1, 1), 1, False, False, (6, 17))):
        add_convolution(m, activation, *case)
    for case in (((50, 129), 48, True), ((17, 64), 1000, True), ((2, 3, 70, 33), 40, False)):
        add_matrix(m, activation, *case)
    # Signed bytes would be made unsigned ones as vectors read them, which takes less time for so few columns.
    for case in (((64, 2048), 16, True), ((39, 300), 9, True)):
        add_matrix(m, "uint8", *case)


def floats(m, activation):
    """Products of floats that are quantized for them, and whose results are dequantized: depths on both sides of what is
    computed at once, several rows, more columns than a tile has."""
    zero = {"uint8": 131, "int8": -7}[activation]
    for shape, columns, kernel in (((1, 640), 128, None), ((1, 37), 24, None), ((3, 70), 40, None), ((7, 19), 300, None),
                                   ((1, 1, 12, 20), 16, 4)):
        # Nowhere near the middle of two integers.
        steps = m.random.integers(*RANGES[np.dtype(activation)], shape).astype(np.float64) + m.random.uniform(-0.4, 0.4, shape)
        name = f"x{len(m.inputs)}"
        m.inputs[name] = ((steps - zero) * 0.03).astype(np.float32)
        x, exact_x = m.round(name, m.inputs[name].astype(np.float64), activation, 0.03, zero)
        if kernel:
            values, scale, zeros = weights(m, 0, True, columns, 1, kernel, kernel)
            w, exact_w = m.dequantize(values, scale, zeros, axis=0)
            y = m.add("Conv", [x, w], strides=(kernel, kernel))
            exact = convolve(exact_x, exact_w, (kernel, kernel), (0, 0, 0, 0), (1, 1), 1)
        else:
            values, scale, zeros = weights(m, 1, True, shape[-1], columns)
            w, exact_w = m.dequantize(values, scale, zeros, axis=1)
            y, exact = m.add("MatMul", [x, w]), exact_x @ exact_w
        m.dequantize_result(y, exact, activation, np.abs(exact).max() / 100, zero)


def values(m, activation):
    """Products of two values that are computed, as in attention; zero points on both sides, on one, and on none."""
    zeros = {"uint8": (131, 0), "int8": (-7, 0)}[activation]
    for shape, other, zero, other_zero in (((2, 5, 64), (2, 64, 17), zeros[0], 2), ((3, 7), (7, 5), zeros[1], zeros[0]),
                                           ((1, 3, 9, 197), (1, 3, 197, 64), zeros[1], zeros[0]), ((16, 33), (33, 40), zeros[1], zeros[1]),
                                           ((2, 1, 6, 10), (3, 10, 16), zeros[0], zeros[1])):
        x, exact_x = m.dequantize(m.input(activation, *shape), 0.02, np.asarray(zero, activation))
        w, exact_w = m.dequantize(m.input(activation, *other), 0.01, np.asarray(other_zero, activation))
        exact = exact_x @ exact_w
        m.quantize(m.add("MatMul", [x, w]), exact, activation, np.abs(exact).max() / 100, zeros[0])
    # Sums themselves, and a value multiplied by itself.
    a, b = m.input(activation, 6, 11), m.input(activation, 11, 9)
    y = m.add("MatMulInteger", [a, b, m.constant(np.asarray(zeros[0], activation)), m.constant(np.asarray(2, activation))])
    m.exact[y] = ((m.inputs[a].astype(np.int64) - zeros[0]) @ (m.inputs[b].astype(np.int64) - 2), np.dtype("int32"))
    x, exact = m.dequantize(m.input(activation, 12, 12), 0.02, np.asarray(zeros[0], activation))
    m.quantize(m.add("MatMul", [x, x]), exact @ exact, activation, np.abs(exact @ exact).max() / 100, zeros[0])


def integers(m, activation):
    """Ops of integers themselves."""
    zero = np.asarray({"uint8": 131, "int8": -7}[activation], activation)
    name = m.input(activation, 2, 13, 21)
    values, scale, zeros = weights(m, 1, True, 21, 17)
    sums = (m.inputs[name].astype(np.int64) - zero) @ values.astype(np.int64)
    y = m.add("MatMulInteger", [name, m.constant(values), m.constant(zero)])
    m.exact[y] = (sums, np.dtype("int32"))
    # The zero point as an input.
    at_run = m.input(activation)
    y = m.add("MatMulInteger", [name, m.constant(values), at_run])
    m.exact[y] = ((m.inputs[name].astype(np.int64) - m.inputs[at_run]) @ values.astype(np.int64), np.dtype("int32"))
    out_scale = np.float32(np.abs(sums * scale).max() * 0.03 / 100)
    y = m.add("QLinearMatMul", [name, m.constant(np.float32(0.03)), m.constant(zero), m.constant(values), m.constant(scale),
                                m.constant(zeros), m.constant(out_scale), m.constant(zero)])
    m.exact[y] = (sums * (np.float32(0.03) * scale.astype(np.float64)) / out_scale + zero, np.dtype(activation))
    name = m.input(activation, 1, 6, 9, 9)
    values, scale, zeros = weights(m, 0, True, 18, 6, 3, 3)
    arguments = dict(strides=(1, 2), pads=(1, 0, 1, 2), dilations=(1, 1), group=1)
    sums = convolve(m.inputs[name].astype(np.int64) - zero, values.astype(np.int64), **arguments)
    y = m.add("ConvInteger", [name, m.constant(values), m.constant(zero)], **arguments)
    m.exact[y] = (sums, np.dtype("int32"))
    for padded in (arguments, {**arguments, "pads": (0, 0, 0, 0)}):
        y = m.add("ConvInteger", [name, m.constant(values), at_run], **padded)
        m.exact[y] = (convolve(m.inputs[name].astype(np.int64) - m.inputs[at_run], values.astype(np.int64), **padded),
                      np.dtype("int32"))
    bias = m.random.integers(-20000, 20000, 18, np.int32)
    scaled = (sums + bias.reshape(-1, 1, 1)) * (np.float32(0.03) * scale.astype(np.float64).reshape(-1, 1, 1))
    out_scale = np.float32(np.abs(scaled).max() / 100)
    y = m.add("QLinearConv", [name, m.constant(np.float32(0.03)), m.constant(zero), m.constant(values), m.constant(scale),
                              m.constant(zeros), m.constant(out_scale), m.constant(zero), m.constant(bias)], **arguments)
    m.exact[y] = (scaled / out_scale + zero, np.dtype(activation))


def functions(m, activation):
    """Functions of one quantized value, at every byte that there is; alone, and behind a product."""
    every = np.arange(256, dtype=np.uint8).view(activation)
    zero = {"uint8": 131, "int8": -7}[activation]
    for op, function, attributes in (("Sigmoid", lambda x: 1 / (1 + np.exp(-x)), {}), ("Tanh", np.tanh, {}), ("Exp", np.exp, {}),
                                     ("Erf", np.vectorize(math.erf), {}), ("Softplus", lambda x: np.log1p(np.exp(x)), {}),
                                     ("Elu", lambda x: np.where(x < 0, np.expm1(x), x), {}),
                                     ("LeakyRelu", lambda x: np.where(x < 0, x * np.float64(np.float32(0.3)), x), {"alpha": 0.3}),
                                     ("HardSwish", lambda x: x * np.clip(x / 6 + 0.5, 0, 1), {})):
        m.inputs[f"x{len(m.inputs)}"] = every
        x, exact_x = m.dequantize(f"x{len(m.inputs) - 1}", 0.031, np.asarray(zero, activation))
        y, exact = m.add(op, [x], **attributes), function(exact_x)
        m.quantize(y, exact, activation, (exact.max() - exact.min()) / 230, zero)
    # What exporters make of SiLU, with bytes in between.
    x, exact_x = m.dequantize(m.input(activation, 1, 9, 5, 7), 0.02, np.asarray(zero, activation))
    values, scale, zeros = weights(m, 0, True, 33, 9, 3, 3)
    w, exact_w = m.dequantize(values, scale, zeros, axis=0)
    y, exact = m.add("Conv", [x, w], pads=(1, 1, 1, 1)), convolve(exact_x, exact_w, (1, 1), (1, 1, 1, 1), (1, 1), 1)
    y, exact = m.round(y, exact, activation, np.abs(exact).max() / 120, zero)
    gate, exact_gate = m.round(m.add("Sigmoid", [y]), 1 / (1 + np.exp(-exact)), activation, 1 / 256, RANGES[np.dtype(activation)][0])
    exact *= exact_gate
    m.quantize(m.add("Mul", [y, gate]), exact, activation, np.abs(exact).max() / 100, zero)


def compare(args, make, activation, target):
    """What is wrong, line by line, and the kernels that ran."""
    m = Model()
    make(m, activation)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        report = folder / "report.json"
        try:
            actual = dict(run_model(args, m.model(), m.inputs, target, folder, [f"--report={report}"]))
        except Failure as failure:
            return [str(failure)], set()
        kernels = {(op["type"], op["kernel"]) for op in json.loads(report.read_text())["ops"]}
    wrong = []
    for name, (exact, dtype) in m.exact.items():
        value = actual[name]
        if name in m.dequantized:
            scale, zero = m.dequantized[name]
            floats, value = value, (np.rint(value / scale) + zero).astype(dtype)
            if not np.array_equal(floats, ((value.astype(np.float64) - zero) * scale).astype(np.float32)):
                wrong.append(f"{name} has other values than integers stand for")
        if value.dtype != dtype or value.shape != exact.shape:
            wrong.append(f"{name} is {value.dtype}{value.shape}, expected {dtype}{exact.shape}")
            continue
        if dtype == np.dtype("int32"):
            count = np.count_nonzero(value != exact)
        else:
            slack = 1e-3
            count = np.count_nonzero((value < np.clip(np.rint(exact - slack), *RANGES[dtype]))
                                     | (value > np.clip(np.rint(exact + slack), *RANGES[dtype])))
        if count:
            wrong.append(f"{name} differs at {count} of {value.size} places")
    return wrong, kernels


def list_kernels_without_tiles(args, make, activation, target):
    """Kernels of products whose code does not multiply in tile registers."""
    m = Model()
    make(m, activation)
    with tempfile.TemporaryDirectory() as folder:
        code = compile_for(args, m.model(), target, pathlib.Path(folder), kind="asm").read_text()
    kernels = re.findall(r"^(\w+_kernel_\d+_gemm\w*):(.*?)^\.Lfunc_end", code, re.MULTILINE | re.DOTALL)
    return [name for name, body in kernels if "tdpb" not in body] if kernels else ["all"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--target", action="append", help="target to compile for; may be repeated (default: host)")
    parser.add_argument("--in-tiles", action="store_true", help="expect large products in tile registers")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    cases = [(make, activation, target) for target in args.target or ["host"]
             for make in (convolutions, matrices, blocks, floats, values, integers, functions)
             for activation in ("uint8", "int8")]
    failed = 0
    for make, activation, target in cases:
        wrong, kernels = compare(args, make, activation, target)
        if make is not integers:
            wrong += [f"a {op} runs in {kernel}" for op, kernel in sorted(kernels)
                      if op in ("conv", "matmul") and kernel not in ("gemm", "depthwise", "grouped_conv")]
        if make is blocks and args.in_tiles:
            wrong += [f"{name} has no product of tiles" for name in list_kernels_without_tiles(args, make, activation, target)]
        failed += bool(wrong)
        for line in wrong:
            print(f"FAIL  {make.__name__} of {activation} for {target}: {line}", flush=True)
    print(f"{len(cases)} models, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
