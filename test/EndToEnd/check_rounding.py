#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks where results are rounded, in graphs of single nodes.

  - 16-bit floats: sums, exponentials and norms are computed in f32 and rounded once. Held against
    ONNX's reference evaluator on the same graph in double precision: off by half a unit in the last
    place, and what f32 adds to that.
  - Products of 16-bit floats that are infinite, NaN or tiny are so in any kernel.
  - Resize of integers rounds to nearest, halves to even as the reference evaluator does, and saturates.
  - Pad with negative pads crops first: equal to ONNX Runtime.
  - Offsets are added in the order of the model, so that x + 12582912 - 12582912 rounds x; means are
    divided: equal to the same steps in NumPy.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOATS = {"float16": (TensorProto.FLOAT16, np.float16), "bfloat16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16)}


class Graph:
    """Nodes of single ops, each with an output that the model gives."""

    def __init__(self):
        self.nodes, self.outputs, self.constants, self.inputs, self.feeds = [], [], [], [], {}

    def input(self, name, value):
        self.inputs.append(helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape))
        self.feeds[name] = value
        return name

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, op, inputs, results=1, **attributes):
        names = [f"{op}_{len(self.nodes)}_{i}" for i in range(results)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names[0]

    def give(self, name, dtype):
        self.outputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None))

    def model(self):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=11)

    def reference(self):
        return ReferenceEvaluator(self.model()).run(None, self.feeds)

    def onnxruntime(self):
        session = onnxruntime.InferenceSession(self.model().SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, self.feeds)

    def brisk(self, bin):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            onnx.save(self.model(), folder / "model.onnx")
            command = [bin / "brisk-run", folder / "model.onnx", "--output-dir", folder / "out"]
            for name, value in self.feeds.items():
                np.save(folder / f"{name}.npy", value)
                command += ["--input", f"{name}={folder / name}.npy"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            count = len(json.loads((folder / "out" / "outputs.json").read_text())["outputs"])
            return [np.load(folder / "out" / f"{i}.npy") for i in range(count)]


def make_sums(kind, exact):
    """Ops that sum, of 16-bit values: computed in that type, or the same values in double precision."""
    g, rng = Graph(), np.random.default_rng(0)
    element, dtype = FLOATS[kind]
    out = np.float64 if exact else np.float32

    def cast(name, to):
        return g.add("Cast", [name], to=to)

    def constant(value):
        value = np.asarray(value, np.float32).astype(dtype)
        return g.constant(value.astype(np.float64) if exact else value)

    def value(*shape, least=-2, most=2):
        data = rng.uniform(least, most, shape).astype(dtype).astype(np.float32)
        name = g.input(f"x{len(g.inputs)}", data)
        return cast(name, TensorProto.DOUBLE if exact else element)

    def op(name, inputs, results=1, **attributes):
        result = g.add(name, inputs, results, **attributes)
        g.give(cast(result, TensorProto.DOUBLE if exact else TensorProto.FLOAT), out)

    rows, image, positive = value(5, 700), value(2, 6, 9, 9), value(4, 300, least=0.1)
    axes, weights = g.constant(np.array([1])), rng.uniform(0.5, 2, (4, 6))
    for axis in (0, 1):
        op("Softmax", [rows], axis=axis)
        op("LogSoftmax", [rows], axis=axis)
        op("CumSum", [rows, g.constant(np.array(axis))])
    for name in ("Sum", "Mean", "L1", "L2", "SumSquare", "LogSumExp"):
        op(f"Reduce{name}", [rows, axes])
    op("ReduceLogSum", [positive, axes])
    op("ReduceProd", [positive, axes])
    op("LayerNormalization", [rows, constant(rng.uniform(0.5, 2, 700)), constant(rng.uniform(-1, 1, 700))])
    op("RMSNormalization", [rows, constant(rng.uniform(0.5, 2, 700))])
    op("LpNormalization", [rows], axis=1)
    # The evaluator takes no absolute values here, and for LRN as many channels as images.
    op("LpNormalization", [positive], axis=1, p=1)
    if exact:  # the evaluator has this in f32 alone
        over = g.constant(np.array([0, 2, 3]))
        centered = g.add("Sub", [image, g.add("ReduceMean", [image, over])])
        variance = g.add("ReduceMean", [g.add("Mul", [centered, centered]), over])
        op("Div", [centered, g.add("Sqrt", [variance])])
    else:
        op("MeanVarianceNormalization", [image])
    scale, bias, mean, variance = (constant(row) for row in weights)
    op("InstanceNormalization", [image, scale, bias])
    op("BatchNormalization", [image, scale, bias, mean, variance])
    op("GroupNormalization", [image, scale, bias], num_groups=3)
    op("LRN", [value(6, 6, 4, 4)], size=3, alpha=0.5)
    op("AveragePool", [image], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    op("GlobalAveragePool", [image])
    op("LpPool", [image], kernel_shape=[3, 3])
    op("MatMul", [rows, constant(rng.uniform(-1, 1, (700, 3)))])
    op("Gemm", [rows, constant(rng.uniform(-1, 1, (700, 3))), constant(rng.uniform(-1, 1, 3))], alpha=0.3, beta=0.7)
    op("Conv", [image, constant(rng.uniform(-1, 1, (4, 6, 3, 3))), constant(rng.uniform(-1, 1, 4))])
    op("ConvTranspose", [image, constant(rng.uniform(-1, 1, (6, 4, 3, 3)))])
    op("Einsum", [rows, constant(rng.uniform(-1, 1, (700, 3)))], equation="ij,jk->ki")
    labels = g.constant(np.array([3, 699, 0, 5, 8]))
    op("SoftmaxCrossEntropyLoss", [rows, labels, constant(rng.uniform(0.5, 1, 700))])
    op("NegativeLogLikelihoodLoss", [rows, labels, constant(rng.uniform(0.5, 1, 700))])
    op("Sum", [rows, rows, value(5, 700), value(1, 700)])
    op("Mean", [rows, value(5, 700), value(1, 700)])
    for name in ("Elu", "Selu", "Celu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "Softsign"):
        op(name, [rows])
    op("Attention", [value(1, 2, 8, 16), value(1, 2, 8, 16), value(1, 2, 8, 16)])
    op("LSTM", [value(6, 1, 5), constant(rng.uniform(-1, 1, (1, 16, 5))), constant(rng.uniform(-1, 1, (1, 16, 4)))],
       hidden_size=4)
    op("GRU", [value(6, 1, 5), constant(rng.uniform(-1, 1, (1, 12, 5))), constant(rng.uniform(-1, 1, (1, 12, 4)))],
       hidden_size=4)
    return g


def check_sums(args, faults):
    for kind, (_, dtype) in FLOATS.items():
        narrow = make_sums(kind, exact=False)
        exact = make_sums(kind, exact=True).reference()
        digits = ml_dtypes.finfo(dtype).nmant
        for info, got, right in zip(narrow.outputs, narrow.brisk(args.bin), exact):
            unit = np.exp2(np.maximum(np.frexp(right)[1] - 1, ml_dtypes.finfo(dtype).minexp) - digits)
            # f32 errs relative to what is summed, which may cancel.
            slack = 2.0**-19 * np.maximum(np.abs(right), 1)
            error = np.max((np.abs(got.astype(np.float64) - right) - slack) / unit)
            node = next(n for n in narrow.nodes if n.output[0] == info.name)
            name = f"{kind} {node.input[0]}"
            if args.verbose:
                print(f"{name:<45} {error:.3f} units")
            if not error <= 0.5:
                faults.append(f"{name}: off by {error:.3f} units in the last place")


def check_specials(args, faults):
    """Products of 16-bit floats that are not finite, or below what instructions for them tell from zero."""
    tiny = 2.0**-130
    rows = np.array([[np.inf, 1, 2], [np.inf, -np.inf, 2], [np.nan, 1, 2], [0, np.inf, 2], [tiny, 0, -tiny], [3, 1, 2]])
    weights = np.array([[1, -1], [1, 1], [0, 2.0**10]])
    for kind, (element, dtype) in FLOATS.items():
        g, x, w = Graph(), rows.astype(dtype), weights.astype(dtype)
        for right in (g.constant(w), g.input("w", w)):
            product = g.add("MatMul", [g.input(f"x{len(g.inputs)}", x), right])
            g.give(g.add("Cast", [product], to=TensorProto.FLOAT), np.float32)
        with np.errstate(invalid="ignore"):
            exact = x.astype(np.float32) @ w.astype(np.float32)
        for info, got in zip(g.outputs, g.brisk(args.bin)):
            if not np.allclose(got, exact, rtol=2.0**-8, atol=2.0**-115, equal_nan=True):
                faults.append(f"{kind} {info.name}: {got.tolist()}, expected {exact.tolist()}")


def weigh(mode, have, want):
    """The weights of `have` places in each of `want`, half_pixel: linear, or cubic as Keys (1981) has it."""
    weights, a = np.zeros((want, have)), -0.75
    for i in range(want):
        place = (i + 0.5) * have / want - 0.5
        for tap in np.floor(place) + np.arange(-1, 3):
            d = abs(place - tap)
            near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
            weight = max(0, 1 - d) if mode == "linear" else near if d <= 1 else far if d < 2 else 0
            weights[i, min(max(int(tap), 0), have - 1)] += weight
    return weights


def check_resize(args, faults):
    rng, g, exact = np.random.default_rng(1), Graph(), []
    for dtype in (np.uint8, np.int8, np.int32, np.uint32):
        info = np.iinfo(dtype)
        # Extremes overshoot in cubic mode.
        extremes = rng.choice([info.min, info.max // 2, info.max], (1, 1, 5, 6)).astype(dtype)
        for data in (np.full((1, 1, 4, 4), 11, dtype), extremes):
            x = g.input(f"x{len(g.inputs)}", data)
            for mode in ("linear", "cubic"):
                for h, w in ((7, 9), (3, 4)):
                    g.give(g.add("Resize", [x, "", "", g.constant(np.array([1, 1, h, w]))], mode=mode), dtype)
                    image = data[0, 0].astype(np.float64)
                    image = weigh(mode, image.shape[0], h) @ image @ weigh(mode, image.shape[1], w).T
                    exact.append(np.clip(image, info.min, info.max))
    for info, got, right in zip(g.outputs, g.brisk(args.bin), exact):
        # Where double precision has no clear half, either side is right.
        error = np.max(np.abs(got[0, 0].astype(np.float64) - right))
        if not error <= 0.5 + 2e-4:
            faults.append(f"{info.name}: off by {error}")
    # Halves are rounded to even.
    g = Graph()
    for dtype in (np.uint8, np.int8, np.int16, np.int32, np.int64):
        x = g.input(f"x{len(g.inputs)}", np.array([0, 1, 2, 3, 6, 7, 0], dtype))
        g.give(g.add("Resize", [x, "", g.constant(np.array([2], np.float32))], mode="linear",
                     coordinate_transformation_mode="asymmetric"), dtype)
    for info, got, right in zip(g.outputs, g.brisk(args.bin), g.reference()):
        if not np.array_equal(got, right):
            faults.append(f"{info.name}: {got}, expected {right}")


def check_pads(args, faults):
    g = Graph()
    x = g.input("x", np.arange(18, dtype=np.float32).reshape(3, 6))
    fixed = g.constant(np.arange(18, dtype=np.float32).reshape(3, 6))
    for mode in ("constant", "edge", "reflect", "wrap"):
        for before, after in ((-2, 3), (3, -2), (-1, -1), (-3, 2), (1, -4), (-2, 2)):
            pads = g.constant(np.array([0, before, 0, after]))
            for data in (x, fixed):
                g.give(g.add("Pad", [data, pads], mode=mode), np.float32)
    for pads in ([0, -4, 0, 5], [1, 7, 2, -2]):
        g.give(g.add("Pad", [x, g.constant(np.array(pads))], mode="wrap"), np.float32)
    for info, got, right in zip(g.outputs, g.brisk(args.bin), g.onnxruntime()):
        if not np.array_equal(got, right):
            faults.append(f"{info.name}: {got.ravel()}, expected {right.ravel()}")


def check_order(args, faults):
    g, rng = Graph(), np.random.default_rng(2)
    data = rng.uniform(-50, 50, (1, 2, 6, 7)).astype(np.float32)
    x, rounded, magic = g.input("x", data), np.rint(data), np.float32(12582912)
    m, one = g.constant(magic), np.eye(2, dtype=np.float32).reshape(2, 2, 1, 1)
    expected = []

    def give(name, right):
        g.give(name, np.float32)
        expected.append(right)

    give(g.add("Sub", [g.add("Add", [x, m]), m]), rounded)
    give(g.add("Add", [g.add("Add", [x, m]), g.constant(-magic)]), rounded)
    conv = g.add("Conv", [x, g.constant(one)])
    give(g.add("Sub", [g.add("Add", [conv, m]), m]), rounded)
    conv = g.add("Conv", [x, g.constant(one), g.constant(np.full(2, magic))], strides=[1, 1])
    give(g.add("Sub", [conv, m]), rounded)
    rows = g.input("rows", data.reshape(12, 7))
    product = g.add("MatMul", [rows, g.constant(np.eye(7, dtype=np.float32))])
    give(g.add("Sub", [g.add("Add", [product, m]), m]), rounded.reshape(12, 7))
    product = g.add("Gemm", [rows, g.constant(np.eye(7, dtype=np.float32)), m])
    give(g.add("Sub", [product, m]), rounded.reshape(12, 7))
    # A mean is a quotient: multiplied by 1 / 41, 41 equal numbers need not give their own.
    equal = np.repeat(np.arange(1, 65, dtype=np.float32)[:, None], 41, axis=1)
    e = g.input("equal", equal)
    give(g.add("ReduceMean", [e, g.constant(np.array([1]))]), equal[:, :1])
    give(g.add("ReduceMean", [g.add("Transpose", [e]), g.constant(np.array([0]))]), equal[:, :1].T)
    pool = g.input("pool", equal.reshape(1, 1, 64, 41))
    give(g.add("AveragePool", [pool], kernel_shape=[1, 41]), equal[:, :1].reshape(1, 1, 64, 1))
    for info, got, right in zip(g.outputs, g.brisk(args.bin), expected):
        if not np.array_equal(got, right):
            faults.append(f"{info.name}: off by up to {np.max(np.abs(got - right))}")


def main():
    parser = argparse.ArgumentParser(description="Checks where results are rounded.")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of brisk-run")
    parser.add_argument("--verbose", action="store_true", help="print the errors of 16-bit sums")
    args = parser.parse_args()
    faults = []
    for check in (check_sums, check_specials, check_resize, check_pads, check_order):
        check(args, faults)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
