#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks ops of quantized values in ONNX Runtime's domain, and weights of 2, 4 and 8 bits of products of floats.

Every op is evaluated as its documentation writes it, in double precision, and by ONNX Runtime. Integers
have to be the exact value rounded, halves to even; where scales are no powers of two and the exact value lies
within a thousandth of the middle of two integers, it may be either. They are at most one step from ONNX Runtime's,
which computes some of them with other roundings, and softmax from a table. Floats are held to a relative
L2 error.

Scales are powers of two, so that halves are frequent, or are not; zero points stand within the
range and at its ends; results saturate.
"""

import argparse
import pathlib
import sys
import tempfile

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "graphs"))

from compiled_model import Failure, run_model
from quantized_nodes import Model, pack


def evaluate(op, operands, **attributes):
    """What ONNX's reference makes of doubles."""
    names = [f"i{i}" for i in range(len(operands))]
    node = helper.make_node(op, names, ["y"], **attributes)
    types = [helper.make_tensor_value_info(name, TensorProto.DOUBLE, v.shape) for name, v in zip(names, operands)]
    graph = helper.make_graph([node], "g", types, [helper.make_tensor_value_info("y", TensorProto.DOUBLE, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    return ReferenceEvaluator(model).run(None, dict(zip(names, operands)))[0]


def elementwise(m):
    for shapes in (((3, 5, 7), (3, 5, 7)), ((2, 33), (33,)), ((4, 1, 9), (3, 1)), ((), (5,))):
        (a, exact_a), (b, exact_b) = (m.operand(*shape) for shape in shapes)
        m.quantized("QLinearAdd", a + b, exact_a + exact_b)
        m.quantized("QLinearMul", a + b, exact_a * exact_b)
    # Without zero points, which are 0 then. ONNX Runtime's type inference wants one.
    x, scale = m.integers(7, 11), m.scale()
    out = m.scale(0, 4)
    a = [m.input(x), m.constant(scale), ""]
    m.add("QLinearAdd", a + a + [m.constant(out)], (2 * x.astype(float) * np.float64(scale) / np.float64(out), m.dtype), runtime=None)
    x, exact = m.operand(4, 70)
    m.quantized("QLinearLeakyRelu", x, np.where(exact < 0, exact * np.float64(np.float32(0.25)), exact), alpha=0.25)
    m.quantized("QLinearSigmoid", x, 1 / (1 + np.exp(-exact)), slack=1e-3)
    condition = m.random.integers(0, 2, (4, 1)).astype(bool)
    y, exact_y = m.operand(70)
    m.quantized("QLinearWhere", [m.input(condition)] + x + y, np.where(condition, exact, exact_y))
    parts = [m.operand(2, size, 3) for size in (4, 1, 5)]
    exact = np.concatenate([exact for _, exact in parts], 1)
    result, scaled, zero = m.result(exact)
    m.add("QLinearConcat", result + [name for operand, _ in parts for name in operand], (scaled, m.dtype), zero=zero, axis=-2)


def rows(m):
    """Pools, means and softmax: sums of floats, whose last bits depend on their order."""
    x, exact = m.operand(1, 5, 9, 10)
    for attributes in (dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1]), dict(kernel_shape=[2, 3], strides=[2, 2]),
                       dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
                       dict(kernel_shape=[4, 4], strides=[2, 2], pads=[1, 2, 1, 2], count_include_pad=1)):
        y = evaluate("AveragePool", [exact], **attributes)
        m.quantized("QLinearAveragePool", x, y, slack=1e-3, **attributes)
    m.quantized("QLinearGlobalAveragePool", x, exact.mean((2, 3), keepdims=True), slack=1e-3)
    last, exact_last = m.operand(2, 6, 7, 20)
    m.quantized("QLinearGlobalAveragePool", last, exact_last.mean((1, 2), keepdims=True), slack=1e-3, channels_last=1)
    y = evaluate("AveragePool", [exact_last.transpose(0, 3, 1, 2)], kernel_shape=[3, 3]).transpose(0, 2, 3, 1)
    m.quantized("QLinearAveragePool", last, y, slack=1e-3, kernel_shape=[3, 3], channels_last=1)
    for axes, keepdims in (([2, 3], 1), ([1], 0), ([-1], 1)):
        m.quantized("QLinearReduceMean", x, exact.mean(tuple(axes), keepdims=bool(keepdims)), slack=1e-3, runtime=None, axes=axes, keepdims=keepdims)
    x, exact = m.operand(3, 4, 21)
    for opset, axis, axes in ((13, -1, (2,)), (13, 1, (1,)), (12, 1, (1, 2))):
        y = np.exp(exact - exact.max(axes, keepdims=True))
        limits = np.iinfo(m.dtype)
        m.add("QLinearSoftmax", x + [m.constant(np.float32(1 / 256)), m.constant(np.asarray(limits.min, m.dtype))],
              (y / y.sum(axes, keepdims=True) * 256, m.dtype), 1e-3, zero=limits.min, opset=opset, axis=axis)


def matrices(m):
    for weights in ("int8", "uint8"):
        for per_column in (False, True):
            a, b = m.integers(5, 37), m.integers(37, 20, dtype=weights)
            count = 20 if per_column else None
            a_zero, b_zero = m.zero(), np.broadcast_to(m.zero(weights), count or ()).copy()
            a_scale = m.scale()
            b_scale = np.float32([m.scale() for _ in range(20)]) if per_column else m.scale()
            parameters = [m.constant(v) for v in (a_scale, a_zero, b_scale, b_zero)]
            sums = (a.astype(np.int64) - a_zero) @ (b.astype(np.int64) - b_zero)
            factor = np.float64(a_scale) * b_scale.astype(float)
            bias = m.random.integers(-9999, 9999, 20).astype(np.int32)
            a_name, b_name = m.input(a), m.constant(b)
            operands = [a_name, *parameters[:2], b_name, *parameters[2:], m.constant(bias)]
            has = weights == "int8" or m.dtype == np.uint8  # kernels of ONNX Runtime
            m.quantized("QGemm", operands, (sums + bias) * factor, runtime=1 if has else None)
            m.floats("QGemm", operands, (sums + bias) * factor * 0.5, runtime=1e-3 if has else None, alpha=0.5)
            turned = [m.input(a.T.copy()), *parameters[:2], m.constant(b.T.copy()), *parameters[2:]]
            m.quantized("QGemm", [*turned, ""], sums * factor, runtime=1 if has else None, transA=1, transB=1)
            float_bias = m.random.standard_normal(20).astype(np.float32)
            m.floats("MatMulIntegerToFloat", [a_name, b_name, parameters[0], parameters[2], parameters[1], parameters[3],
                                              m.constant(float_bias)], sums * factor + float_bias, runtime=1e-3 if has else None)
            x = (m.random.standard_normal((2, 3, 37)) + 0.5).astype(np.float32)
            low, high = min(x.min(), 0), max(x.max(), 0)
            scale = np.float32(np.float32(high - low) / np.float32(255))
            zero = np.clip(np.rint(-low / scale), 0, 255)
            q = np.clip(np.rint(x / scale) + zero, 0, 255)
            exact = (q - zero) @ (b.astype(float) - b_zero) * np.float64(scale) * b_scale.astype(float)
            m.floats("DynamicQuantizeMatMul", [m.input(x), b_name, parameters[2], parameters[3]], exact)


def blocked(m):
    """Weights of 2, 4 and 8 bits, each block with a scale of its own."""
    for bits, rows, size, block, zeros, dtype in (
            (4, 9, 64, 32, None, np.float32), (4, 5, 70, 16, "packed", np.float32), (4, 6, 48, 16, "floats", np.float32),
            (8, 7, 100, 32, None, np.float32), (8, 4, 64, 16, "packed", np.float32), (2, 8, 80, 16, "packed", np.float32),
            (4, 10, 64, 32, "packed", np.float16)):
        blocks = -(-size // block)
        weights = m.random.integers(0, 1 << bits, (rows, blocks, block))
        zero = {None: np.full((rows, blocks), 1 << (bits - 1)), "floats": m.random.uniform(2, 9, (rows, blocks)).astype(dtype)}.get(
            zeros, m.random.integers(0, 1 << bits, (rows, blocks)))
        scales = m.random.uniform(0.01, 0.1, (rows, blocks)).astype(dtype)
        a, bias = (m.random.standard_normal(shape).astype(dtype) for shape in ((2, 3, size), (rows,)))
        exact = ((weights - zero.astype(float)[..., None]) * scales.astype(float)[..., None]).reshape(rows, -1)[:, :size]
        operands = [m.input(a), m.constant(pack(weights, bits)), m.constant(scales)]
        operands += {None: [""], "floats": [m.constant(zero)]}.get(zeros) or [m.constant(pack(zero, bits))]
        half = dtype == np.float16
        m.floats("MatMulNBits", [*operands, "", m.constant(bias)], a.astype(float) @ exact.T + bias, dtype,
                 *((1e-3, 1e-2) if half else ()), K=size, N=rows, bits=bits, block_size=block)
    for kind, bits, low in ((TensorProto.INT4, 4, -8), (TensorProto.UINT4, 4, 0), (TensorProto.INT2, 2, -2)):
        for shape, axis, size in (((3, 5), 0, 0), ((5, 7), 1, 3), ((4, 6), 0, 2), ((7,), 0, 0)):
            values = m.random.integers(low, low + (1 << bits), shape)
            scale_shape = [-(-n // size) if i == axis else n for i, n in enumerate(shape)] if size else [shape[axis]]
            scale = m.random.uniform(0.1, 1, scale_shape).astype(np.float32)
            zero = m.random.integers(low, low + (1 << bits), scale_shape)

            def tensor(values):
                return TensorProto(data_type=kind, dims=values.shape, raw_data=pack(values.reshape(-1), bits).tobytes())

            def each(parameter):
                if size:
                    return np.repeat(parameter, size, axis).take(range(shape[axis]), axis)
                return parameter.reshape([-1 if i == axis else 1 for i in range(len(shape))])

            exact = (values - each(zero)) * each(scale).astype(float)
            m.floats("DequantizeLinear", [m.constant(tensor(values)), m.constant(scale), m.constant(tensor(zero))], exact,
                     runtime=None if bits == 2 else 1e-6, domain="", axis=axis, **(dict(block_size=size) if size else {}))


# Filters, images and attributes of convolutions: of several pixels, in one dimension, of every other pixel, in groups of
# channels that fill vectors and that do not, and of each channel by itself.
WINDOWS = (
    ((13, 7, 3, 3), (2, 7, 9, 8), dict(pads=[1, 1, 1, 1])),
    ((20, 3, 5, 4), (1, 3, 12, 11), dict(strides=[2, 1], dilations=[1, 2], pads=[0, 3, 2, 1])),
    ((9, 6, 5), (1, 6, 17), dict(pads=[2, 2])),
    ((17, 12, 1, 1), (1, 12, 7, 6), dict(strides=[2, 2])),
    ((32, 5, 3, 3), (1, 10, 8, 8), dict(group=2, pads=[1, 1, 1, 1])),
    ((6, 3, 2, 3), (1, 9, 5, 6), dict(group=3)),
    ((21, 1, 3, 3), (1, 21, 9, 9), dict(group=21, strides=[2, 2], pads=[1, 1, 1, 1])),
)


def weights_only(m):
    """Products of floats by quantized weights, and rows of quantized tables. Blocks that do not divide, odd numbers, odd scales."""
    inputs, outputs = 37, 21
    x = m.random.standard_normal((2, 3, inputs)).astype(np.float32)
    image = m.random.standard_normal((1, inputs, 4, 5)).astype(np.float32)
    rows = m.random.integers(-40, 40, (2, 5))

    def scales(*shape):
        values = np.asarray(m.random.uniform(0.01, 0.1, shape), np.float32)
        if values.size > 3:
            values.reshape(-1)[:4] = 0, -0.05, 1e-40, 0.07
        return values

    for kind, low, bits in ((TensorProto.INT8, -128, 8), (TensorProto.UINT8, 0, 8), (TensorProto.INT4, -8, 4), (TensorProto.UINT4, 0, 4),
                            (TensorProto.INT2, -2, 2), (TensorProto.UINT2, 0, 2)):
        limit = None if bits == 2 else 1e-5
        for zeros in (False, True):
            for scale, attributes in ((scales(), {}), (scales(outputs), dict(axis=1)),
                                      (scales(-(-inputs // 16), outputs), dict(axis=0, block_size=16))):
                w, exact = m.dequantized(kind, low, bits, (inputs, outputs), scale, zeros, **attributes)
                m.floats("MatMul", [m.input(x), w], x.astype(float) @ exact, runtime=limit, domain="")
            for scale, attributes in ((scales(outputs), dict(axis=0)), (scales(outputs, -(-inputs // 8)), dict(axis=1, block_size=8))):
                w, exact = m.dequantized(kind, low, bits, (outputs, inputs), scale, zeros, **attributes)
                bias = m.random.standard_normal(outputs).astype(np.float32)
                m.floats("Gemm", [m.input(x[0]), w, m.constant(bias)], x[0].astype(float) @ exact.T * 0.5 + bias, runtime=limit, domain="",
                         transB=1, alpha=0.5)
            w, exact = m.dequantized(kind, low, bits, (outputs, inputs, 1, 1), scales(outputs), zeros, axis=0)
            bias = m.random.standard_normal(outputs).astype(np.float32)
            y = np.einsum("oi,nihw->nohw", exact[:, :, 0, 0], image.astype(float)) + bias[:, None, None]
            m.floats("Conv", [m.input(image), w, m.constant(bias)], y, runtime=limit, domain="")
            for shape, image_shape, window in WINDOWS:
                given = m.random.standard_normal(image_shape).astype(np.float32)
                for scale, attributes in ((scales(), {}), (scales(shape[0]), dict(axis=0)),
                                          (scales(shape[0], -(-shape[1] // 4), *shape[2:]), dict(axis=1, block_size=4))):
                    w, exact = m.dequantized(kind, low, bits, shape, scale, zeros, **attributes)
                    bias = m.random.standard_normal(shape[0]).astype(np.float32)
                    y = evaluate("Conv", [given.astype(float), exact, bias.astype(float)], **window)
                    m.floats("Conv", [m.input(given), w, m.constant(bias)], y, runtime=limit, domain="", **window)
            for scale, attributes in ((scales(), {}), (scales(40), dict(axis=0)), (scales(inputs), dict(axis=1))):
                w, exact = m.dequantized(kind, low, bits, (40, inputs), scale, zeros, **attributes)
                m.floats("Gather", [w, m.input(rows)], exact[rows], slack=1e-6, runtime=limit and 1e-6, domain="")


def attention(m):
    """Queries, keys and values from one product; with the lengths of sequences, and of tokens that see earlier ones only."""
    batch, steps, inputs, heads, size = 2, 7, 12, 3, 5
    x, w = m.integers(batch, steps, inputs), m.integers(inputs, 3 * heads * size, dtype="int8")
    x_scale, x_zero = np.float32(0.02), m.zero()
    w_scale, w_zero = np.float32(m.random.uniform(0.004, 0.01, 3 * heads * size)), np.zeros(3 * heads * size, np.int8)
    bias = m.random.standard_normal(3 * heads * size).astype(np.float32)
    exact = (x.astype(float) - x_zero) @ w.astype(float) * np.float64(x_scale) * w_scale.astype(float) + bias
    q, k, v = exact.reshape(batch, steps, 3, heads, size).transpose(2, 0, 3, 1, 4)
    scores = q @ k.swapaxes(2, 3) / np.sqrt(size)
    lens = np.int32([4, steps])
    for causal in (0, 1):
        seen = np.arange(steps) < lens[:, None, None, None]
        if causal:
            seen = seen & np.tri(steps, dtype=bool)
        weights = np.exp(np.where(seen, scores, -np.inf) - scores.max())
        y = (weights / weights.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(batch, steps, heads * size)
        m.floats("QAttention", [m.input(x), m.constant(w), m.constant(bias), m.constant(x_scale), m.constant(w_scale), m.input(lens),
                                m.constant(x_zero), m.constant(w_zero)], y, num_heads=heads, unidirectional=causal)


def error_of(value, exact):
    return np.linalg.norm(value.astype(float) - exact) / max(np.linalg.norm(exact), 1e-30)


def run_runtime(m):
    """What ONNX Runtime makes of the nodes that it has, without optimizations."""
    outputs = [name for name, limit in m.runtime.items() if limit is not None]
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(m.model(outputs).SerializeToString(), options, ["CPUExecutionProvider"])
    return dict(zip(outputs, session.run(outputs, {i.name: m.inputs[i.name] for i in session.get_inputs()})))


def compare(args, make, dtype, powers, target):
    """What is wrong, line by line."""
    m = Model(dtype, powers)
    make(m)
    with tempfile.TemporaryDirectory() as folder:
        try:
            actual = dict(run_model(args, m.model(list(m.exact)), m.inputs, target, pathlib.Path(folder), []))
        except Failure as failure:
            return [str(failure)]
    runtime = run_runtime(m)
    wrong = []
    for name, (exact, dtype) in m.exact.items():
        value, slack = actual[name], m.slack[name]
        if value.dtype != dtype or value.shape != exact.shape:
            wrong.append(f"{name} is {value.dtype}{value.shape}, expected {dtype}{exact.shape}")
        elif dtype.kind == "f":
            for other, limit, who in ((exact, slack, "double precision"), (runtime.get(name), m.runtime[name], "ONNX Runtime")):
                if other is not None and not error_of(value, other) <= limit:
                    wrong.append(f"{name} is off {who} by {error_of(value, other):.1e}")
        else:
            limits = np.iinfo(dtype)
            low, high = (np.clip(np.rint(exact + sign * slack) + m.zeros[name], limits.min, limits.max) for sign in (-1, 1))
            if count := np.count_nonzero((value < low) | (value > high)):
                wrong.append(f"{name} differs from the exact value at {count} of {value.size} places")
            if name in runtime and (steps := np.abs(value.astype(int) - runtime[name]).max()) > m.runtime[name]:
                wrong.append(f"{name} is {steps} steps from ONNX Runtime's")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--target", action="append", help="target to compile for; may be repeated (default: host)")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    cases = [(make, dtype, powers) for make in (elementwise, rows, matrices) for dtype in ("uint8", "int8") for powers in (False, True)]
    cases += [(make, "uint8", False) for make in (blocked, weights_only, attention)]
    failed = 0
    targets = args.target or ["host"]
    for target in targets:
        for make, dtype, powers in cases:
            wrong = compare(args, make, dtype, powers, target)
            failed += bool(wrong)
            for line in wrong:
                kind = "powers of two" if powers else "any scales"
                print(f"FAIL  {make.__name__} of {dtype}, {kind}, for {target}: {line}", flush=True)
    print(f"{len(cases) * len(targets)} models, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
