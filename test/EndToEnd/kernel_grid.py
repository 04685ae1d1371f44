#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernel families with ONNX Runtime over a grid of shapes and attributes.

Each family is one model of independent nodes, some with elementwise ops after
them. Inputs are seeded, and tasks run on three threads. Floats may differ by a
relative L2 error of 1e-5. The family "position" has nodes all of whose channels
are alike: their results must be too, to the bit. The family "long_sum" is held
to the exact results.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))

import inputs as model_inputs

LIMIT = 1e-5


class Model:
    """Independent nodes, each with inputs and outputs of its own."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.initializers, self.outputs, self.inputs = [], [], [], {}
        self.alike, self.exact = {}, {}

    def floats(self, *shape):
        return self.random.standard_normal(shape, dtype=np.float32)

    def input(self, value):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = value
        return name

    def constant(self, value):
        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def compute(self, op, inputs, **attributes):
        """Adds a node whose result only other nodes read, and gives the name of that."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], f"{op}_{len(self.nodes)}", **attributes))
        return name

    def add(self, op, inputs, outputs=1, relu=False, alike=None, exact=None, **attributes):
        """Adds a node; along the axis `alike` its results must be equal, and near `exact` if that is given."""
        number = len(self.nodes)
        results = [f"y{number}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, results, f"{op}_{number}", **attributes))
        if relu:
            self.nodes.append(helper.make_node("Relu", results, [f"z{number}"], f"Relu_{number}"))
            results = [f"z{number}"]
        self.outputs += results
        if alike is not None:
            self.alike.update(dict.fromkeys(results, alike))
        if exact is not None:
            self.exact[results[0]] = exact

    def build(self):
        graph = helper.make_graph(
            self.nodes, "grid",
            [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
             for name, value in self.inputs.items()],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self.outputs],
            self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def depthwise(m):
    cases = [((1, 16, 7, 7), (3, 3), 1, 1, 1), ((2, 24, 12, 13), (3, 3), 2, 1, 1), ((1, 3, 5, 30), (3, 3), 1, 0, 1),
             ((1, 40, 9, 16), (5, 5), 1, 2, 1), ((1, 33, 14, 14), (5, 5), 2, 2, 1), ((1, 20, 14, 14), (3, 3), 1, 2, 2),
             ((1, 8, 12, 40), (3, 13), 1, 3, 1), ((1, 16, 50), (9,), 1, 4, 1), ((1, 16, 50), (31,), 1, 15, 1),
             ((1, 8, 4, 5, 6), (3, 3, 3), 1, 1, 1), ((1, 2, 1, 1), (3, 3), 1, 1, 1),
             # Few rows, which are cut by channels.
             ((1, 203, 9, 9), (3, 3), 1, 1, 1), ((2, 150, 7, 7), (5, 5), 2, 2, 1), ((1, 320, 4, 40), (3, 3), 1, 0, 1)]
    for number, (shape, kernel, stride, pad, dilation) in enumerate(cases):
        rank, channels = len(kernel), shape[1]
        operands = [m.input(m.floats(*shape)), m.constant(m.floats(channels, 1, *kernel))]
        if number % 2:
            operands.append(m.constant(m.floats(channels)))
        m.add("Conv", operands, relu=number % 3 == 0, group=channels, strides=[stride] * rank,
              pads=[pad] * 2 * rank, dilations=[dilation] * rank)


def grouped_conv(m):
    cases = [((1, 32, 9, 9), 32, 8, (3, 3), 1, 1), ((2, 16, 12, 13), 64, 4, (3, 3), 2, 1), ((1, 24, 7, 30), 48, 3, (3, 3), 1, 0),
             ((1, 40, 9, 16), 20, 20, (5, 5), 1, 2), ((1, 6, 14, 14), 48, 2, (1, 1), 1, 0), ((1, 66, 5, 5), 40, 2, (3, 3), 1, 1),
             ((1, 8, 12, 40), 16, 4, (3, 13), 1, 3), ((1, 16, 50), 16, 8, (9,), 1, 4), ((1, 8, 4, 5, 6), 8, 2, (3, 3, 3), 1, 1),
             ((1, 240, 7, 7), 240, 30, (3, 3), 1, 1), ((1, 272, 5, 5), 272, 136, (3, 3), 1, 1)]
    for number, (shape, results, groups, kernel, stride, pad) in enumerate(cases):
        rank = len(kernel)
        operands = [m.input(m.floats(*shape)), m.constant(m.floats(results, shape[1] // groups, *kernel))]
        if number % 2:
            operands.append(m.constant(m.floats(results)))
        m.add("Conv", operands, relu=number % 3 == 0, group=groups, strides=[stride] * rank, pads=[pad] * 2 * rank)


def gemm(m):
    for number, (columns, depth) in enumerate(
            itertools.product((1, 3, 8, 12, 16, 20, 24, 40, 50, 72, 130), (1, 7, 64, 1024))):
        rows = (1, 5, 15, 33)[number // 4 % 4]
        x = m.input(m.floats(rows, depth))
        m.add("MatMul", [x, m.constant(m.floats(depth, columns))], relu=number % 3 == 0)
        m.add("MatMul", [m.input(m.floats(2, rows, depth)), m.input(m.floats(2, depth, columns))])
    for number, (columns, kernel, stride) in enumerate(
            itertools.product((1, 12, 24, 40, 64), ((1, 1), (3, 3), (1, 5), (2, 2)), (1, 2))):
        pads = [kernel[0] // 2, kernel[1] // 2] * 2
        operands = [m.input(m.floats(2, 9, 11, 17)), m.constant(m.floats(columns, 9, *kernel))]
        if number % 2:
            operands.append(m.constant(m.floats(columns)))
        m.add("Conv", operands, relu=number % 3 == 0, strides=[stride] * 2, pads=pads)


def spmm(m):
    def sparse(*shape):
        return m.constant(np.where(m.random.random(shape) < (0.75, 0.95)[len(m.nodes) % 2], np.float32(0), m.floats(*shape)))

    for number, (columns, depth) in enumerate(itertools.product((1, 3, 8, 12, 16, 20, 40, 130), (7, 64, 1024))):
        for rows in (1, 2, 4, 5, 15, 16, 33, 70):
            m.add("MatMul", [m.input(m.floats(rows, depth)), sparse(depth, columns)], relu=number % 3 == 0)
    for number, (columns, kernel, stride) in enumerate(
            itertools.product((1, 12, 24, 40), ((1, 1), (3, 3), (1, 5), (2, 2)), (1, 2))):
        pads = [kernel[0] // 2, kernel[1] // 2] * 2
        operands = [m.input(m.floats(2, 9, 11, 17)), sparse(columns, 9, *kernel)]
        if number % 2:
            operands.append(m.constant(m.floats(columns)))
        m.add("Conv", operands, relu=number % 3 == 0, strides=[stride] * 2, pads=pads)


def elementwise(m):
    values = np.concatenate([np.linspace(-9, 9, 1001), np.float32([0.0, -0.0, 1e-20, -1e-20, 40, -40])])
    for op in ("Erf", "Tanh", "Sigmoid", "Exp", "Softplus", "Elu", "Sin", "Cos", "HardSwish"):
        m.add(op, [m.input(values.astype(np.float32))])
    for op in ("Sin", "Cos"):
        m.add(op, [m.input((1e3 * values).astype(np.float32))])
    for shape in ((40007,), (77, 331)):  # in several tasks, not all as large
        m.add("Tanh", [m.input(m.floats(*shape))], relu=True)
    # Below the least normal number.
    small = np.float32([1e-37, 1e-38, 1e-39, 1e-42, 1e-45])
    m.add("Log", [m.input(small)], exact=np.log(small.astype(np.float64)))
    for op in ("Log", "Sqrt"):
        m.add(op, [m.input(np.abs(values).astype(np.float32) + np.float32(1e-3))])


def pool(m):
    for number, (channels, kernel, stride, ceil) in enumerate(
            itertools.product((3, 16, 21), ((2, 2), (3, 3), (1, 4)), (1, 2), (0, 1))):
        x = m.input(m.floats(1, channels, 8, 13))
        pads = [kernel[0] // 2, kernel[1] // 2] * 2
        attributes = {"kernel_shape": kernel, "strides": [stride] * 2, "pads": pads, "ceil_mode": ceil}
        if number % 2:
            m.add("AveragePool", [x], relu=number % 3 == 0, count_include_pad=number // 2 % 2, **attributes)
        else:
            m.add("MaxPool", [x], relu=number % 3 == 0, dilations=[1, 1 + number // 2 % 2], **attributes)
    for op in ("AveragePool", "MaxPool"):  # Few rows, which are cut by channels.
        m.add(op, [m.input(m.floats(1, 603, 6, 6))], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    # A window wholly in padding.
    m.add("AveragePool", [m.input(m.floats(1, 8, 2, 2))], kernel_shape=[2, 2], dilations=[3, 3], pads=[1] * 4)
    for op in ("GlobalAveragePool", "GlobalMaxPool"):
        m.add(op, [m.input(m.floats(1, 40, 7, 7))])


def reduction(m):
    shapes = [((2, 3, 4, 5), (1, 2)), ((2, 3, 4, 50), (1, 3)), ((3, 5, 4, 6), (0, 2)), ((4,), (0,)), ((200, 3), (0,)),
              ((2, 5, 1), (1,)), ((2, 5, 1), (2,)), ((7, 1000), (1,)), ((2, 49, 130), (1,)), ((2, 3, 4), (0, 1, 2))]
    for (shape, axes), (op, keep) in itertools.product(
            shapes, (("ReduceSum", 1), ("ReduceMean", 0), ("ReduceMax", 1), ("ReduceMin", 0))):
        x = m.input(m.floats(*shape))
        m.add(op, [x, m.constant(np.array(axes))], keepdims=keep)


def normalization(m):
    for rows, columns in itertools.product((1, 5), (1, 3, 10, 16, 77, 768, 5000)):
        m.add("Softmax", [m.input(m.floats(rows, columns))], axis=-1)
        m.add("LogSoftmax", [m.input(m.floats(2, rows, columns))], axis=-1)
        m.add("LayerNormalization", [m.input(m.floats(2, rows, columns)), m.constant(m.floats(columns)),
                                     m.constant(m.floats(columns))], axis=-1)


def in_place(m):
    """Normalizations between products: they may write over what they read, also where a sum behind them reads it again."""
    for columns in (1, 3, 5, 7, 13, 37, 197):
        weights = m.constant(m.floats(columns, columns) / 3)
        scale, bias = m.constant(m.floats(columns)), m.constant(m.floats(columns))
        for op, more, axis in (("Softmax", [], -1), ("Softmax", [], 1), ("LogSoftmax", [], -1),
                               ("LayerNormalization", [scale, bias], -1)):
            x = m.compute("MatMul", [m.input(m.floats(2, 5, columns)), weights])
            y = m.compute(op, [x, *more], axis=axis)
            m.add("MatMul", [y, weights] if op == "LogSoftmax" else [m.compute("Add", [y, x]), weights])


def transpose(m):
    cases = [((1, 3, 40, 50), (0, 2, 3, 1)), ((1, 40, 50, 3), (0, 3, 1, 2)), ((1, 8, 9, 7), (0, 2, 3, 1)),
             ((2, 7, 12, 33), (0, 2, 1, 3)), ((130, 257), (1, 0)), ((4, 5), (1, 0)), ((2, 6, 5, 16, 7), (2, 4, 0, 1, 3)),
             ((2, 2, 2, 2, 3, 4), (0, 3, 1, 4, 2, 5)), ((64, 30, 3), (2, 1, 0)), ((1, 90, 200, 8), (0, 3, 1, 2))]
    for number, (shape, permutation) in enumerate(cases):
        m.add("Transpose", [m.input(m.floats(*shape))], relu=number % 3 == 0, perm=permutation)


def gather(m):
    cases = [((10, 7), 0, (3,)), ((10, 40), 0, (2, 3)), ((3, 6, 5), 1, (4,)), ((2, 3, 4, 17), 2, (2, 2)),
             ((9,), 0, (4,))]
    for shape, axis, indices in cases:
        index = m.random.integers(-shape[axis], shape[axis], indices)
        m.add("Gather", [m.input(m.floats(*shape)), m.input(index)], axis=axis)


def resize(m):
    modes = (("nearest", "asymmetric", "floor"), ("nearest", "half_pixel", "round_prefer_floor"),
             ("linear", "half_pixel", "floor"), ("linear", "align_corners", "floor"))
    for (mode, coordinates, nearest), scale in itertools.product(modes, (2.0, 1.5, 3.0)):
        x = m.input(m.floats(1, 19, 5, 6))
        m.add("Resize", [x, "", m.constant(np.array([1, 1, scale, scale], np.float32))], mode=mode,
              coordinate_transformation_mode=coordinates, nearest_mode=nearest)


def conv_transpose(m):
    for number, (channels, out, kernel) in enumerate(itertools.product((5, 24), (1, 7, 24), (1, 2, 3))):
        operands = [m.input(m.floats(1, channels, 5, 14)), m.constant(m.floats(channels, out, kernel, kernel))]
        if number % 2:
            operands.append(m.constant(m.floats(out)))
        m.add("ConvTranspose", operands, relu=number % 3 == 0, strides=[kernel, kernel])
    # All taps of a pixel in one vector; then two results that lie side by side.
    for channels, kernel in ((1, (2, 2)), (3, (2, 2)), (1, (3, 3)), (1, (4, 4)), (2, (1, 3))):
        for relu in (False, True):
            m.add("ConvTranspose", [m.input(m.floats(2, 6, 3, 37)), m.constant(m.floats(6, channels, *kernel)),
                                    m.constant(m.floats(channels))], relu=relu, strides=kernel)
        parts = m.outputs[-2:]
        m.add("Concat", parts, axis=1)
        m.outputs = [name for name in m.outputs if name not in parts]


def recurrent(m):
    cells = (("LSTM", 4, {}), ("GRU", 3, {"linear_before_reset": 1}), ("GRU", 3, {}), ("RNN", 1, {}),
             ("RNN", 1, {"activations": ["Relu"]}))
    for number, ((op, gates, attributes), direction, units) in enumerate(
            itertools.product(cells, ("forward", "reverse", "bidirectional"), (1, 5, 16, 33))):
        count = 2 if direction == "bidirectional" else 1
        operands = [m.input(m.floats(4, 2, 3)), m.constant(m.floats(count, gates * units, 3)),
                    m.constant(m.floats(count, gates * units, units)), "", "", ""]
        if number % 2:
            operands[3] = m.constant(m.floats(count, 2 * gates * units))
            operands[5] = m.input(m.floats(count, 2, units))
        if number % 3:
            operands[4] = m.constant(np.array([4, 2], np.int32))
        if "activations" in attributes:
            attributes = {"activations": attributes["activations"] * count}
        m.add(op, operands, outputs=3 if op == "LSTM" else 2, hidden_size=units, direction=direction, **attributes)


def position(m):
    for channels in (1, 8, 24, 40, 100, 130):
        def repeat(shape, axis):
            return np.repeat(m.floats(*shape), channels, axis)

        image = m.input(repeat((1, 1, 9, 9), 1))
        m.add("Conv", [image, m.constant(repeat((1, 1, 3, 3), 0))], alike=1, group=channels, pads=[1] * 4)
        m.add("Conv", [m.input(m.floats(1, 5, 9, 9)), m.constant(repeat((1, 5, 3, 3), 0))], alike=1, strides=[2, 2])
        m.add("ConvTranspose", [m.input(m.floats(1, 5, 4, 5)), m.constant(repeat((5, 1, 2, 2), 1))], alike=1,
              strides=[2, 2])
        m.add("AveragePool", [image], alike=1, kernel_shape=[3, 3])
        m.add("GlobalAveragePool", [image], alike=1)
        m.add("MatMul", [m.input(m.floats(7, 256)), m.constant(repeat((256, 1), 1))], alike=1)
        m.add("MatMul", [m.input(repeat((1, 256), 0)), m.constant(m.floats(256, 24))], alike=0)
        for axis in (0, 1):
            shape = (1, 77) if axis == 1 else (77, 1)
            m.add("ReduceSum", [m.input(repeat(shape, 1 - axis)), m.constant(np.array([axis]))], alike=1 - axis)
        m.add("Softmax", [m.input(repeat((1, 77), 0))], alike=0)


def long_sum(m):
    # Of equal terms, as their rounding errors add up. ONNX Runtime is off by 2e-4.
    for shape, axes in (((20000, 40), (0,)), ((20000, 3), (0,)), ((50, 400, 3), (0, 1)), ((500, 5, 40, 3), (0, 2)),
                        ((2, 100003), (1,))):
        x = np.full(shape, 0.1, np.float32)
        m.add("ReduceSum", [m.input(x), m.constant(np.array(axes))], exact=x.sum(axes, np.float64, keepdims=True))


FAMILIES = (elementwise, depthwise, pool, reduction, normalization, in_place, transpose, gather, resize, conv_transpose,
            recurrent, position, gemm, long_sum, grouped_conv, spmm)


def run(command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if result.returncode:
        raise RuntimeError(f"{pathlib.Path(command[0]).name} ended with {result.returncode}: {result.stderr.strip()}")


def compute(args, model, inputs, target, folder):
    """The model's outputs by name, as Brisk computes them."""
    onnx.save(model, folder / "grid.onnx")
    run([args.bin / "briskc", folder / "grid.onnx", "-o", folder / "grid.so", "--emit=shared", f"--target={target}"])
    command = [args.bin / "brisk-run", folder / "grid.so", "--threads", "3", "--output-dir", folder / "out"]
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
        command += ["--input", f"{name}={folder / name}.npy"]
    run(command)
    described = json.loads((folder / "out" / "outputs.json").read_text())["outputs"]
    return {output["name"]: np.load(folder / "out" / f"{number}.npy") for number, output in enumerate(described)}


def compare(family, target, args):
    """Returns what is wrong, line by line."""
    grid = Model(FAMILIES.index(family))
    family(grid)
    model = grid.build()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    expected = dict(zip(grid.outputs, session.run(grid.outputs, grid.inputs))) | grid.exact
    with tempfile.TemporaryDirectory() as folder:
        actual = compute(args, model, grid.inputs, target, pathlib.Path(folder))
    wrong = []
    for name, reference in expected.items():
        if actual[name].shape != reference.shape:
            wrong.append(f"{name} has shape {actual[name].shape}, expected {reference.shape}")
            continue
        error = model_inputs.relative_error(actual[name], reference, of_zero=1e-30)
        if not error <= LIMIT:
            wrong.append(f"{name} of shape {reference.shape} differs by {error:.2g}")
        axis = grid.alike.get(name)
        if axis is not None and not np.array_equal(actual[name], np.repeat(
                actual[name].take([0], axis), reference.shape[axis], axis)):
            wrong.append(f"{name} of shape {reference.shape} depends on the position along dimension {axis}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", metavar="FAMILY", nargs="*", help="families to compare (default: all)")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    parser.add_argument("--target", action="append", help="target to compile for; may be repeated (default: host)")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    unknown = set(args.families) - {family.__name__ for family in FAMILIES}
    if unknown:
        parser.error(f"no such family: {' '.join(sorted(unknown))}")
    failed = 0
    for target, family in itertools.product(args.target or ["host"], FAMILIES):
        if args.families and family.__name__ not in args.families:
            continue
        try:
            wrong = compare(family, target, args)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            wrong = [str(error)]
        failed += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '}  {family.__name__} for {target}", flush=True)
        for line in wrong:
            print(f"      {line}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
