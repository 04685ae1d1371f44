#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise nodes and patterns of exporters, reductions and orders, for random graphs (node_sources.py)."""

import math

import numpy as np
from onnx import helper

from graph_builder import GAP


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


SOURCES = ([unary] * 6 + [gate] * 3 + [binary] * 7 + [scale] * 4 + [variadic, compare, logic, cast, ordered, cumsum]
           + [where] * 2 + [reduce] * 3)
