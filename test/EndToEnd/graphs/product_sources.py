#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, matrix products, pools, recurrent layers and normalisations, for random graphs (node_sources.py)."""

import math

import numpy as np

from graph_builder import GAP


def window(g, kernel):
    rank = len(kernel)
    attributes = {"kernel_shape": kernel, "strides": g.one_of([1] * rank, [1] * rank, g.dims(rank, (1, 2, 3)))}
    # Where strides are larger, SAME gives ONNX Runtime negative padding.
    if g.chance(0.15) and all(k >= stride for k, stride in zip(kernel, attributes["strides"])):
        attributes["auto_pad"] = g.one_of("SAME_UPPER", "SAME_LOWER", "VALID")
    elif g.chance(0.4):
        attributes["pads"] = [dim // 2 for dim in kernel] * 2
    elif g.chance(0.4):
        attributes["pads"] = [int(g.random.integers(0, kernel[i % rank])) for i in range(2 * rank)]
    return attributes


def kernel(g, rank):
    return g.one_of([1] * rank, [3] * rank, g.dims(rank, (1, 2, 3, 5)))


def conv(g, x=None, same=False):
    x = x or g.image()
    channels, rank = g.shape(x)[1], len(g.shape(x)) - 2
    g.require(channels)
    group = g.one_of(1, 1, 1, channels, *(n for n in range(1, channels + 1) if channels % n == 0))
    out = channels if same else group * g.one_of(1, 1, 2, 3, 4, 8, 17)
    g.require(out <= 68)
    dims = g.one_of([1] * rank, [3] * rank) if same else kernel(g, rank)
    attributes = window(g, dims)
    if same:
        attributes = {"pads": [dim // 2 for dim in dims] * 2}
    elif g.chance(0.15) and "auto_pad" not in attributes:
        attributes["dilations"] = g.dims(rank, (1, 2))
    operands = [x, g.weight([out, channels // group, *dims], channels // group * math.prod(dims))]
    if g.chance(0.6):
        operands.append(g.weight([out]))
    return g.add("Conv", *operands, group=group, **attributes)


def conv_transpose(g):
    x = g.image()
    channels, rank = g.shape(x)[1], len(g.shape(x)) - 2
    g.require(channels)
    group = g.one_of(1, 1, 1, channels)
    out, dims = group * g.one_of(1, 2, 3, 8), kernel(g, rank)
    attributes = window(g, dims)
    if g.chance(0.3):
        attributes = {"kernel_shape": dims, "strides": dims}
    operands = [x, g.weight([channels, out // group, *dims], channels)]
    if g.chance(0.5):
        operands.append(g.weight([out]))
    return g.add("ConvTranspose", *operands, group=group, **attributes)


def matmul(g):
    a = g.floats(1)
    shape, dtype = g.shape(a), g.value(a).dtype
    depth = shape[-1]
    kind = g.one_of("constant", "constant", "batch", "vector", "left", "other", "self")
    n = g.one_of(1, 2, 3, 5, 8, 16, 17, 33)
    if kind == "batch":
        batch = [1 if g.chance(0.3) else dim for dim in shape[:-2]]
        return g.add("MatMul", a, g.weight([*batch, depth, n], depth, dtype))
    if kind == "vector":
        return g.add("MatMul", a, g.weight([depth], depth, dtype))
    if kind == "left" and len(shape) > 1:
        return g.add("MatMul", g.weight([n, shape[-2]], shape[-2], dtype), a)
    if kind == "other":
        b = g.pick(lambda v: v.dtype == dtype and v.ndim and v.shape[-2:][0] == depth, lambda: g.new([depth, n], dtype))
        return g.scaled(g.add("MatMul", a, b))
    if kind == "self" and len(shape) > 1:
        order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
        return g.scaled(g.add("MatMul", a, g.add("Transpose", a, perm=order)))
    y = g.add("MatMul", a, g.weight([depth, n], depth, dtype))
    if g.chance(0.5):
        return y
    bias = g.weight([n], dtype=dtype)
    return g.add("Add", *g.one_of((y, bias), (bias, y)))


def gemm(g):
    a = g.pick(lambda v: v.dtype == np.float32 and v.ndim == 2, lambda: g.new(g.dims(2, (1, 3, 5, 8, 16, 17, 40))))
    transposed = [g.one_of(0, 1), g.one_of(0, 1)]
    m, k = g.shape(a)[::-1] if transposed[0] else g.shape(a)
    n = g.one_of(1, 3, 8, 10, 17, 33)
    b = g.weight([n, k] if transposed[1] else [k, n], max(k, 1))
    operands = [a, b]
    if g.chance(0.7):
        operands.append(g.weight(g.one_of([n], [m, n], [m, 1], [1, n], [1], [])))
    attributes = {"alpha": g.one_of(1.0, 0.5), "beta": g.one_of(1.0, 2.0)} if g.chance(0.4) else {}
    return g.add("Gemm", *operands, transA=transposed[0], transB=transposed[1], **attributes)


def attention(g):
    x = g.pick(lambda v: v.dtype == np.float32 and v.ndim == 3 and v.shape[2] > 1,
               lambda: g.new([g.one_of(1, 2), g.one_of(1, 5, 9), g.one_of(4, 6, 16)]))
    batch, length, width = g.shape(x)
    heads = g.one_of(*(n for n in range(1, width + 1) if width % n == 0))
    parts = []
    for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
        y = g.add("MatMul", x, g.weight([width, width], width))
        if g.chance(0.7):
            y = g.add("Add", y, g.weight([width]))
        y = g.add("Reshape", y, g.ints([g.one_of(batch, 0), g.one_of(length, 0), heads, width // heads]))
        parts.append(g.add("Transpose", y, perm=order))
    scores = g.add("MatMul", parts[0], parts[1])
    scores = g.add(*g.one_of(("Mul", scores, g.scalar(0.5)), ("Div", scores, g.scalar(math.sqrt(width // heads)))))
    if g.chance(0.4):
        shape = g.one_of([length, length], [1, 1, length, length], [batch, 1, 1, length])
        scores = g.add("Add", scores, g.weight(shape))
    y = g.add("Transpose", g.add("MatMul", g.add("Softmax", scores, axis=-1), parts[2]), perm=[0, 2, 1, 3])
    return g.add("Reshape", y, g.ints([batch, length, width]))


def pool(g):
    x = g.image()
    dims = kernel(g, len(g.shape(x)) - 2)
    attributes = window(g, dims)
    g.require(all(k <= dim for k, dim in zip(dims, g.shape(x)[2:])))
    attributes["ceil_mode"] = g.one_of(0, 0, 1)
    op = g.one_of("MaxPool", "AveragePool")
    if op == "AveragePool":
        attributes["count_include_pad"] = g.one_of(0, 1)
    elif all(2 * k <= dim for k, dim in zip(dims, g.shape(x)[2:])) and "auto_pad" not in attributes:
        attributes["dilations"] = g.dims(len(dims), (1, 1, 2))
    return g.add(op, x, **attributes)


def global_pool(g):
    return g.add(g.one_of("GlobalAveragePool", "GlobalAveragePool", "GlobalMaxPool"), g.image())


def lstm(g):
    x = g.pick(lambda v: v.dtype == np.float32 and v.ndim == 3 and v.shape[0] < 10 and v.size, lambda: g.new(g.dims(3)))
    op, units = g.one_of("LSTM", "LSTM", "GRU"), g.one_of(1, 3, 8, 17)
    direction, gates = g.one_of("forward", "reverse", "bidirectional"), 4 if op == "LSTM" else 3
    count = 2 if direction == "bidirectional" else 1
    length, batch, width = g.shape(x)
    operands = [x, g.weight([count, gates * units, width], width), g.weight([count, gates * units, units], units)]
    if g.chance(0.7):
        operands.append(g.weight([count, 2 * gates * units]))
    return g.add(op, *operands, outputs=gates - 1, hidden_size=units, direction=direction)[0]


def batch_norm(g, x=None):
    x = x or g.pick(lambda v: v.dtype == np.float32 and v.ndim >= 2, lambda: g.new(g.dims(4)))
    n = g.shape(x)[1]
    variance = g.constant(g.random.uniform(0.5, 2, n).astype(np.float32))
    return g.add("BatchNormalization", x, g.weight([n]), g.weight([n]), g.weight([n]), variance)


def layer_norm(g):
    x = g.floats(1)
    value = g.value(x)
    axis = g.axis(value.ndim) if g.chance(0.3) else -1
    dtype = value.dtype
    if g.opset >= 17 and g.chance(0.4) and dtype == np.float32:
        g.require(value.size and value.var(tuple(range(axis % value.ndim, value.ndim))).min() > GAP)
        shape = value.shape[axis % value.ndim:]
        return g.add("LayerNormalization", x, g.weight(shape), *([g.weight(shape)] if g.chance(0.7) else []), axis=axis)
    g.require(value.size and value.var(axis).min() > GAP)
    mean = g.axes("ReduceMean", x, [axis], 18)
    centred = g.add("Sub", x, mean)
    square = g.one_of(("Mul", centred, centred), ("Pow", centred, g.scalar(2, dtype)))
    deviation = g.add("Sqrt", g.add("Add", g.axes("ReduceMean", g.add(*square), [axis], 18), g.scalar(1e-5, dtype)))
    y = g.add("Div", centred, deviation)
    if g.chance(0.7):
        n = value.shape[axis]
        y = g.add("Mul", y, g.weight([n] if axis in (-1, value.ndim - 1) else [1], dtype=dtype))
        y = g.add("Add", y, g.weight([n] if axis in (-1, value.ndim - 1) else [1], dtype=dtype))
    return y


def other_norm(g):
    x = g.image()
    n = g.shape(x)[1]
    if g.chance(0.5):
        g.require(g.value(x).size and g.value(x).var(tuple(range(2, g.value(x).ndim))).min() > GAP)
        return g.add("InstanceNormalization", x, g.weight([n]), g.weight([n]))
    square = g.axes("ReduceMean", g.add("Mul", x, x), [-1], 18)
    return g.add("Div", x, g.add("Sqrt", g.add("Add", square, g.scalar(0.1))))


def softmax(g):
    x = g.floats(1)
    axis = g.axis(len(g.shape(x)))
    if g.chance(0.6):
        return g.add(g.one_of("Softmax", "Softmax", "LogSoftmax"), x, axis=axis)
    y = g.add("Exp", g.add("Sub", x, g.axes("ReduceMax", x, [axis], 18)))
    return g.add("Div", y, g.axes("ReduceSum", y, [axis], 13))


SOURCES = ([conv] * 6 + [conv_transpose] + [matmul] * 4 + [gemm, attention] + [pool] * 2 + [global_pool, lstm]
           + [batch_norm] * 2 + [layer_norm] * 2 + [other_norm] + [softmax] * 2)
