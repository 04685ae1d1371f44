#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the nodes of random graphs come from.

Each function of SOURCES adds a node, or a pattern of nodes as exporters write
it, to a Graph (graph_builder.py), and leaves it if the operands do not suit:
nothing may hang on the last bit of one (comparisons, rounding, arg max of what
is nearly equal).
"""

import math

import numpy as np
from onnx import helper, numpy_helper

from graph_builder import Graph, Reject, make_info

GAP = 1e-3  # between floats whose order decides something


# Windows and products.

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


# Normalisation.

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


# Elementwise.

UNARY = ("Relu", "Relu", "Sigmoid", "Tanh", "Neg", "Abs", "Exp", "Erf", "Softplus", "Elu", "Selu", "Celu", "LeakyRelu",
         "HardSigmoid", "HardSwish", "Softsign", "Sin", "Cos", "Atan", "Identity", "Mish", "Gelu")


def unary(g, x=None):
    x = x or g.floats()
    kind = g.one_of("plain", "plain", "plain", "root", "clip", "prelu", "round")
    dtype = g.value(x).dtype
    if kind == "root":
        return g.add(g.one_of("Sqrt", "Log", "Reciprocal"), g.positive(x))
    if kind == "clip":
        low, high = g.scalar(-0.5, dtype, [()]), g.scalar(0.7, dtype, [()])
        return g.add("Clip", x, *g.one_of([low], ["", high], [low, high]))
    if kind == "prelu":
        slope = g.broadcastable(x)
        g.require(np.broadcast_shapes(g.shape(x), g.shape(slope)) == tuple(g.shape(x)))
        return g.add("PRelu", x, slope)
    if kind == "round":
        distance = np.abs(g.value(x) * 2 - np.round(g.value(x) * 2))
        g.require((distance > GAP).all())
        return g.add(g.one_of("Floor", "Ceil", "Round", "Sign"), x)
    return g.add(g.one_of(*UNARY), x)


def gate(g):
    """What exporters write for activations."""
    x = g.floats()
    def s(value):
        return g.scalar(value, g.value(x).dtype)

    def clip(x, low, high):
        return g.add("Clip", x, *(g.scalar(bound, g.value(x).dtype, [()]) for bound in (low, high)))

    kind = g.one_of("silu", "silu", "hard swish", "hard swish 2", "gelu", "gelu", "tanh gelu", "mish", "relu6")
    if kind == "silu":
        y = g.add("Sigmoid", x)
        return g.add("Mul", *g.one_of((x, y), (y, x)))
    if kind == "hard swish":
        y = clip(g.add("Add", x, s(3)), 0, 6)
        return g.add(*g.one_of(("Div", g.add("Mul", x, y), s(6)), ("Mul", x, g.add("Div", y, s(6)))))
    if kind == "hard swish 2":
        return g.add("Mul", x, g.add("HardSigmoid", x, alpha=1 / 6))
    if kind == "gelu":
        y = g.add("Add", g.add("Erf", g.add("Div", x, s(math.sqrt(2)))), s(1))
        first, second = g.one_of((x, y), (x, s(0.5)), (y, s(0.5)))
        (third,) = {x, y} - {first, second} or {s(0.5)}
        return g.add("Mul", g.add("Mul", first, second), third)
    if kind == "tanh gelu":
        y = g.add("Mul", g.add("Pow", x, s(3)), s(0.044715))
        y = g.add("Tanh", g.add("Mul", g.add("Add", x, y), s(math.sqrt(2 / math.pi))))
        return g.add("Mul", g.add("Mul", x, g.add("Add", y, s(1))), s(0.5))
    if kind == "mish":
        return g.add("Mul", x, g.add("Tanh", g.add("Softplus", x)))
    return clip(x, 0, 6)


def binary(g):
    a = g.floats() if g.chance(0.75) else g.integers()
    b = a if g.chance(0.08) else g.broadcastable(a)
    is_float = g.value(a).dtype.kind == "f"
    op = g.one_of("Add", "Add", "Sub", "Mul", "Mul", "Div", "Min", "Max", "Pow" if is_float else "Mod")
    if g.chance(0.4) and op not in ("Div", "Mod", "Pow"):
        a, b = b, a
    if op == "Pow":
        exponent = g.one_of(2.0, 3.0, 0.5, -1.0, 1.5)
        return g.scaled(g.add("Pow", g.positive(a), g.scalar(exponent, g.value(a).dtype)))
    if op in ("Div", "Mod"):
        b = g.positive(b) if is_float else g.add("Max", b, g.scalar(g.one_of(1, 3), g.value(b).dtype))
    return g.scaled(g.add(op, a, b))


def scale(g):
    """A factor or term for each channel, first or last."""
    x = g.pick(lambda v: v.dtype == np.float32 and v.ndim >= 2, lambda: g.new(g.dims(4)))
    shape = g.shape(x)
    ones = [1] * (len(shape) - 2)
    weight = g.weight(g.one_of([shape[1]] + ones, [1, shape[1]] + ones, [shape[-1]], [1] * len(shape), []))
    op = g.one_of("Mul", "Mul", "Add", "Sub", "Div")
    return g.add(op, x, g.positive(weight)) if op == "Div" else g.add(op, *g.one_of((x, weight), (weight, x)))


def variadic(g):
    a = g.floats()
    operands = [a] + [g.broadcastable(a) for _ in range(g.one_of(0, 1, 2))]
    return g.add(g.one_of("Sum", "Max", "Min", "Mean"), *operands)


def where(g):
    a = g.floats() if g.chance(0.7) else g.integers()
    condition = compare(g) if g.chance(0.6) else g.booleans()
    try:
        np.broadcast_shapes(g.shape(condition), g.shape(a))
    except ValueError:
        condition = g.new([1 if g.chance(0.3) else dim for dim in g.shape(a)], bool)
    return g.add("Where", condition, *g.one_of((a, g.broadcastable(a)), (g.broadcastable(a), a)))


def compare(g):
    a = g.floats() if g.chance(0.7) else g.integers()
    b = g.broadcastable(a)
    if g.value(a).dtype.kind == "f":
        g.require((np.abs(g.value(a) - g.value(b)) > GAP).all())
    return g.add(g.one_of("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal"), a, b)


def logic(g):
    a = g.booleans()
    if g.chance(0.3):
        return g.add("Not", a)
    return g.add(g.one_of("And", "Or", "Xor"), a, g.broadcastable(a))


def cast(g):
    x = g.anything()
    value = g.value(x)
    to = g.one_of(np.float32, np.float32, np.float64, np.int64, np.int32, np.uint8, bool)
    if value.dtype.kind == "f" and np.dtype(to).kind != "f":
        g.require((np.abs(value - np.round(value)) > GAP).all() and (to != np.uint8 or (value > 0).all()))
    g.require(to != np.uint8 or value.dtype.kind == "b" or (np.abs(value) < 256).all())
    return g.add("Cast", x, to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))


# Reductions and orders.

def reduce(g):
    x = g.floats() if g.chance(0.8) else g.integers()
    rank = len(g.shape(x))
    g.require(g.value(x).size)  # the mean of nothing is not the same for all
    ops = {"ReduceSum": 13, "ReduceMean": 18, "ReduceMax": 18, "ReduceMin": 18}
    if g.value(x).dtype.kind == "f":
        ops |= dict.fromkeys(("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp", "ReduceProd"), 18)
    op, keep = g.one_of(*ops), g.one_of(0, 1)
    axes = [int(i) - g.one_of(0, rank) for i in range(rank) if g.chance(0.5)]
    # The order of factors decides whether a long product overflows.
    g.require(op != "ReduceProd" or math.prod(g.shape(x)[axis] for axis in axes or range(rank)) <= 16)
    if not axes:
        return g.scaled(g.add(op, x, keepdims=keep))
    return g.scaled(g.axes(op, x, axes, ops[op], keepdims=keep))


def ordered(g):
    x = g.floats(1)
    value = g.value(x)
    axis = g.axis(value.ndim)
    g.require(value.size and (np.diff(np.sort(value, axis), axis=axis) > GAP).all())
    if g.chance(0.5):
        return g.add(g.one_of("ArgMax", "ArgMin"), x, axis=axis, keepdims=g.one_of(0, 1))
    return g.add("TopK", x, g.ints([g.random.integers(1, value.shape[axis] + 1)]), outputs=2, axis=axis,
                 largest=g.one_of(0, 1))[0]


def cumsum(g):
    x = g.floats(1)
    return g.scaled(g.add("CumSum", x, g.constant(np.array(g.axis(len(g.shape(x))), np.int64)), reverse=g.one_of(0, 1),
                          exclusive=g.one_of(0, 1)))


# Movement.

def transpose(g):
    x = g.anything(2)
    rank = len(g.shape(x))
    order = g.one_of([0, *range(2, rank), 1], [0, rank - 1, *range(1, rank - 1)],
                     [int(i) for i in g.random.permutation(rank)])
    y = g.add("Transpose", x, perm=order)
    if g.chance(0.4) and g.value(x).dtype.kind == "f":
        y = unary(g, y) if g.chance(0.6) else g.add("Mul", y, g.broadcastable(y))
        if len(g.shape(y)) == rank:
            y = g.add("Transpose", y, perm=[int(i) for i in np.argsort(order)])
    return y


def reshape(g):
    x = g.anything()
    shape = g.shape(x)
    kind = g.one_of("flatten", "merge", "merge", "split", "split", "unsqueeze", "squeeze", "all", "by shape")
    if kind == "flatten":
        return g.add("Flatten", x, axis=int(g.random.integers(0, len(shape) + 1)))
    if kind == "unsqueeze":
        return g.add("Unsqueeze", x, g.ints([g.random.integers(0, len(shape) + 1)]))
    if kind == "squeeze":
        ones = [i for i, dim in enumerate(shape) if dim == 1 and g.chance(0.7)]
        return g.add("Squeeze", x, *([g.ints(ones)] if ones else []))
    if kind == "all":
        return g.add("Reshape", x, g.ints([-1]))
    if kind == "by shape":
        g.require(shape and g.value(x).size)
        first = g.add("Gather", g.add("Shape", x), g.ints([0]), axis=0)
        return g.add("Reshape", x, g.add("Concat", first, g.ints([-1]), axis=0))
    if kind == "merge":
        g.require(len(shape) > 1)
        at = g.random.integers(0, len(shape) - 1)
        shape[at:at + 2] = [shape[at] * shape[at + 1]]
    else:
        g.require(shape)
        at = g.random.integers(0, len(shape))
        factor = g.one_of(*(n for n in range(1, shape[at] + 1) if shape[at] % n == 0), shape[at])
        shape[at:at + 1] = [factor, shape[at] // max(factor, 1)]
    if 0 not in shape and g.chance(0.3) and shape:
        shape[g.random.integers(0, len(shape))] = -1
    return g.add("Reshape", x, g.ints(shape))


def slice_(g, x=None):
    x = x or g.anything(1)
    shape = g.shape(x)
    axes = [i for i in range(len(shape)) if g.chance(0.4)] or [len(shape) - 1]
    starts, ends, steps = [], [], []
    for axis in axes:
        step, dim = g.one_of(1, 1, 1, 1, 2, 3, -1, -2), shape[axis]
        low, high = sorted(int(i) for i in g.random.integers(0, dim + 1, 2))
        low, high = (low, high) if low < high else (0, dim)
        starts.append(low if step > 0 else high - 1)
        ends.append((g.one_of(high, high - dim if high < dim else 2**31) if step > 0 else low - dim - 1))
        steps.append(step)
    return g.add("Slice", x, g.ints(starts), g.ints(ends), g.ints([axis - g.one_of(0, len(shape)) for axis in axes]),
                 *([g.ints(steps)] if g.chance(0.5) or set(steps) != {1} else []))


def concat(g):
    x = g.anything(1)
    value = g.value(x)
    axis = g.axis(value.ndim)
    at = axis % value.ndim

    def fits(other):
        return (other.dtype == value.dtype and other.ndim == value.ndim and
                other.shape[:at] + other.shape[at + 1:] == value.shape[:at] + value.shape[at + 1:])

    operands = [x] + [g.one_of(x, *[g.pick(fits, lambda: g.new(value.shape, value.dtype))] * 4)
                      for _ in range(g.one_of(0, 1, 1, 2, 3))]
    if g.chance(0.2):
        operands[-1] = unary(g, operands[-1]) if value.dtype.kind == "f" else operands[-1]
    return g.add("Concat", *[operands[i] for i in g.random.permutation(len(operands))], axis=axis)


def split(g):
    x = g.pick(lambda v: v.ndim and max(v.shape) > 1, lambda: g.new([2, 6, 5]))
    shape = g.shape(x)
    axis = g.one_of(*(i for i, dim in enumerate(shape) if dim > 1))
    count = int(g.random.integers(2, min(shape[axis], 4) + 1))
    cuts = sorted(int(i) for i in g.random.choice(range(1, shape[axis]), count - 1, replace=False))
    sizes = [high - low for low, high in zip([0, *cuts], [*cuts, shape[axis]])]
    parts = g.add("Split", x, g.ints(sizes), outputs=count, axis=axis)
    if g.chance(0.5):
        if g.value(x).dtype.kind == "f" and g.chance(0.7):
            at = g.random.integers(count)
            parts[at] = unary(g, parts[at])
        order = g.random.permutation(count) if g.chance(0.6) else range(count)
        return g.add("Concat", *[parts[i] for i in order], axis=axis)
    return parts[0]


def pad(g):
    x = g.floats(1)
    rank = len(g.shape(x))
    mode = g.one_of("constant", "constant", "constant", "reflect", "edge")
    pads = [int(g.one_of(0, 0, 1, 2, 3)) for _ in range(2 * rank)]
    if mode == "constant" and g.chance(0.15):
        pads[g.random.integers(2 * rank)] = -1
    operands = [x, g.ints(pads)]
    if mode == "constant" and g.chance(0.5):
        operands.append(g.constant(np.array(0.5, g.value(x).dtype)))
    return g.add("Pad", *operands, mode=mode)


def gather(g):
    x = g.anything(1)
    shape = g.shape(x)
    axis = g.axis(len(shape))
    dim = shape[axis]
    g.require(dim)
    if g.chance(0.25):
        shape[axis] = g.one_of(1, 2, 4)
        return g.add("GatherElements", x, g.constant(g.random.integers(-dim, dim, shape)), axis=axis)
    indices = np.asarray(g.random.integers(-dim, dim, g.dims(g.one_of(0, 1, 1, 2), (1, 2, 3, 5))))
    indices = g.one_of(g.constant, g.fresh)(indices.astype(g.one_of(np.int64, np.int32)))
    return g.add("Gather", x, indices, axis=axis)


def resize(g):
    x = g.pick(lambda v: v.dtype == np.float32 and v.ndim == 4 and v.size, lambda: g.new(g.dims(4)))
    shape = g.shape(x)
    mode = g.one_of("nearest", "nearest", "linear", "cubic")
    attributes = {"mode": mode, "coordinate_transformation_mode": g.one_of("asymmetric", "half_pixel", "align_corners")}
    if mode == "nearest":
        attributes["nearest_mode"] = g.one_of("floor", "round_prefer_floor", "ceil")
    if g.chance(0.5):
        return g.add("Resize", x, "", "", g.ints([*shape[:2], *g.dims(2, (2, 4, 7, 10))]), **attributes)
    scales = [1, 1, *g.one_of([2, 2], [1.5, 2], [3, 1], [0.5, 0.5])]
    return g.add("Resize", x, "", g.constant(np.array(scales, np.float32)), **attributes)


def repeat(g):
    x = g.anything()
    shape = g.shape(x)
    if g.chance(0.4):
        return g.add("Tile", x, g.ints(g.dims(len(shape), (1, 1, 2, 3))))
    target = [g.one_of(1, 2, 5) if dim == 1 else g.one_of(dim, dim, 1) for dim in shape]
    return g.add("Expand", x, g.ints(g.one_of([], [], [2], [1, 3]) + target))


def blocks(g):
    x = g.pick(lambda v: v.dtype == np.float32 and v.ndim == 4, lambda: g.new([1, 4, 6, 8]))
    if g.chance(0.5):
        return g.add("SpaceToDepth", x, blocksize=2)
    return g.add("DepthToSpace", x, blocksize=2, mode=g.one_of("DCR", "CRD"))


def triangle(g):
    return g.add("Trilu", g.floats(2), upper=g.one_of(0, 1))


# Patterns of networks.

def residual(g):
    x = g.image()
    y = conv(g, x, same=True)
    for step in g.one_of(("norm", "unary"), ("unary",), ("norm", "unary", "conv", "norm"), ("conv",), ()):
        y = {"norm": batch_norm, "unary": unary, "conv": lambda g, y: conv(g, y, same=True)}[step](g, y)
    y = g.add("Add", *g.one_of((x, y), (y, x)))
    return g.add("Relu", y) if g.chance(0.6) else y


def squeeze_excite(g):
    x = g.image()
    channels = g.shape(x)[1]
    rank = len(g.shape(x)) - 2
    y = g.add("GlobalAveragePool", x) if g.chance(0.6) else g.axes("ReduceMean", x, list(range(2, 2 + rank)), 18)
    y = g.add("Relu", g.add("Conv", y, g.weight([4, channels] + [1] * rank, channels), g.weight([4])))
    y = g.add("Conv", y, g.weight([channels, 4] + [1] * rank, 4))
    return g.add("Mul", *g.one_of((x, g.add("Sigmoid", y)), (g.add("HardSigmoid", y), x)))


def branches(g):
    """Products of one operand, then together again."""
    count = g.one_of(2, 3)
    if g.chance(0.5):
        x, op, axis = g.image(), "Conv", 1
        depth, ones = g.shape(x)[1], [1] * (len(g.shape(x)) - 2)
        shapes = [[g.one_of(3, 4, 8), depth, *ones] for _ in range(count)]
    else:
        x, op, axis = g.floats(2), "MatMul", -1
        depth = g.shape(x)[-1]
        shapes = [[depth, g.one_of(3, 4, 8)] for _ in range(count)]
    kept = [g.add(op, x, g.weight(shape, depth, g.value(x).dtype)) for shape in shapes]
    kept = [unary(g, y) if g.chance(0.4) else y for y in kept]
    if g.chance(0.4) and len({tuple(g.shape(y)) for y in kept}) == 1:
        return g.add("Add", kept[0], kept[-1])
    return g.add("Concat", *kept, axis=axis)


def if_(g):
    """A choice between two short chains on values from outside, or those values themselves."""
    x = g.pick(lambda v: v.dtype == np.float32, lambda: g.new(g.any_shape()))
    other = g.pick(lambda v: v.dtype == np.float32 and list(v.shape) == g.shape(x), lambda: g.new(g.shape(x)))
    condition = g.pick(lambda v: v.dtype == bool and v.size == 1, lambda: g.fresh(np.array(g.chance(0.5))))
    branches = []
    for side in ("then", "else"):
        names = [g.one_of(x, other)]
        nodes = []
        for op in [g.one_of("Relu", "Neg", "Tanh", "Abs", "Add", "Mul") for _ in range(g.one_of(0, 1, 1, 2, 3))]:
            operands = [names[-1]] + ([g.one_of(x, other, *names)] if op in ("Add", "Mul") else [])
            names.append(f"{side}{len(g.nodes)}_{len(nodes)}")
            nodes.append(helper.make_node(op, operands, names[-1:], names[-1]))
        if not nodes or g.chance(0.2):
            nodes.append(helper.make_node("Identity", names[-1:], [f"{side}{len(g.nodes)}_end"]))
            names.append(nodes[-1].output[0])
        branches.append(helper.make_graph(nodes, side, [], [make_info(names[-1], g.value(x))]))
    return g.scaled(g.add("If", condition, captured=(x, other), then_branch=branches[0], else_branch=branches[1]))


SOURCES = (
    [conv] * 6 + [conv_transpose] + [matmul] * 4 + [gemm, attention] + [pool] * 2 + [global_pool, lstm]
    + [batch_norm] * 2 + [layer_norm] * 2 + [other_norm] + [softmax] * 2 + [unary] * 6 + [gate] * 3 + [binary] * 7
    + [scale] * 4 + [variadic, compare, logic, cast, ordered, cumsum] + [where] * 2 + [reduce] * 3 + [transpose] * 5
    + [reshape] * 6 + [slice_] * 3 + [concat] * 5 + [split] * 3 + [pad] * 2 + [gather] * 2 + [resize, repeat, blocks]
    + [triangle] + [residual] * 2 + [squeeze_excite, if_] + [branches] * 2)


def make_graph(random, most_nodes):
    """A model and its inputs by name."""
    g = Graph(random, int(random.choice([13, 17, 18, 20])))
    size = int(random.integers(2, max(most_nodes, 2) + 1))
    chosen = [SOURCES[i] for i in random.integers(0, len(SOURCES), random.integers(3, 12))]
    while len(g.nodes) < size:
        try:
            # Some graphs keep to a few sources, which then meet more often.
            (g.one_of(*chosen) if size % 2 and g.chance(0.9) else g.one_of(*SOURCES))(g)
        except Reject:
            pass
    computed = [name for node in g.nodes for name in node.output]
    outputs = [name for name in computed if name not in g.used and not g.chance(0.03) or g.chance(0.08)]
    outputs += [name for name in g.values if name not in computed and g.chance(0.05)]
    outputs = outputs or computed[-1:]
    kept = {name: value for name, value in g.constants.items() if name in g.used or name in outputs}
    nodes = list(g.nodes)
    for name in list(kept):
        if g.chance(0.1) and name not in outputs:
            nodes.insert(0, helper.make_node("Constant", [], [name], value=numpy_helper.from_array(kept.pop(name))))
    infos = [make_info(name, g.value(name)) for name in outputs]
    return g.model(nodes, g.inputs, kept, infos), dict(g.inputs)
