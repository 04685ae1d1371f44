#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise nodes of any element type for random graphs (typed_graph.py)."""

import math

import numpy as np
from onnx import helper

from typed_graph import (BOOL, DOUBLE, ELEMENTS, FLOATS, INTEGERS, NUMBERS, SIGNED, UNSIGNED, Reject)

ROUNDINGS = ("Abs", "Ceil", "Floor", "IsInf", "IsNaN", "LeakyRelu", "Neg", "Reciprocal", "Relu", "Round", "Sign", "Sqrt",
             "ThresholdedRelu")
FUNCTIONS = ("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp", "Gelu",
             "HardSigmoid", "HardSwish", "Log", "Mish", "Selu", "Shrink", "Sigmoid", "Sin", "Sinh", "Softplus",
             "Softsign", "Swish", "Tan", "Tanh")


def rounding(g):
    return g.add(g.one_of(*ROUNDINGS), g.of(FLOATS))


def function(g):
    return g.add(g.one_of(*FUNCTIONS), g.of(FLOATS))


def integer_unary(g):
    x = g.of(INTEGERS)
    return g.add(g.one_of("Abs", "BitwiseNot", "Identity", "Neg", "Relu", "Sign", "BitwiseNot"), x)


def two(g, types, tame=False):
    a = g.tame(types, 0, 8) if tame else g.of(types)
    b = g.partner(a, tame=tame)
    return (a, b) if g.chance(0.7) else (b, a)


def nonzero(g, name):
    """A divisor of integers."""
    if not (g.value(name) == 0).any():
        return name
    dtype = g.value(name).dtype
    return g.add("Where", g.add("Equal", name, g.scalar(0, dtype)), g.scalar(3, dtype), name)


def arithmetic(g):
    a, b = two(g, NUMBERS)
    op = g.one_of("Add", "Sub", "Mul", "Div", "Min", "Max")
    if op == "Div" and g.value(a).dtype in INTEGERS:
        b = nonzero(g, b)
        avoid_overflow(g, a, b)
    return g.add(op, a, b)


def avoid_overflow(g, a, b):
    """The least integer by -1 stops ONNX Runtime's process."""
    least = g.value(a).dtype in SIGNED and (g.value(a) == np.iinfo(g.value(a).dtype).min).any()
    g.require(not (least and (g.value(b) == g.value(b).dtype.type(-1)).any()))


def remainder(g):
    a, b = two(g, NUMBERS)
    if g.value(a).dtype in FLOATS:
        return g.add("Mod", a, b, fmod=1)
    b = nonzero(g, b)
    avoid_overflow(g, a, b)
    return g.add("Mod", a, b, fmod=g.one_of(0, 1))


def power(g):
    a = g.of(NUMBERS)
    dtype = g.value(a).dtype
    b = g.partner(a, g.one_of(dtype, np.float32, np.int64, np.int32))
    if dtype in INTEGERS:  # what overflows, or is not whole, is not defined
        b = g.scalar(g.one_of(0, 1, 2, 3), g.one_of(dtype, np.float32))
        g.require((np.abs(g.value(a).astype(DOUBLE)) ** 3 < min(np.iinfo(dtype).max, 2**52)).all())
    elif g.chance(0.5):
        b = g.scalar(g.one_of(0, 1, 2, 3, -1, -2, 0.5, -0.5, math.inf, -math.inf, math.nan, 1.5, 1 / 3), dtype)
    return g.add("Pow", a, b)


def compare(g):
    if g.chance(0.2):
        return g.add("Equal", *two(g, (BOOL,)))
    return g.add(g.one_of("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"), *two(g, NUMBERS))


def logic(g):
    if g.chance(0.2):
        return g.add("Not", g.of((BOOL,)))
    return g.add(g.one_of("And", "Or", "Xor"), *two(g, (BOOL,)))


def bitwise(g):
    if g.chance(0.6):
        return g.add(g.one_of("BitwiseAnd", "BitwiseOr", "BitwiseXor"), *two(g, INTEGERS))
    a = g.of(UNSIGNED)
    bits = np.iinfo(g.value(a).dtype).bits  # a shift by as many is not defined
    shape = [1 if g.chance(0.3) else dim for dim in g.shape(a)]
    b = g.fresh(np.asarray(g.random.integers(0, bits, shape), g.value(a).dtype))
    return g.add("BitShift", a, b, direction=g.one_of("LEFT", "RIGHT"))


def variadic(g):
    op = g.one_of("Max", "Min", "Sum", "Mean")
    types = NUMBERS if op in ("Max", "Min") else FLOATS
    a = g.of(types) if op in ("Max", "Min") else g.tame(types, 0, 8)
    return g.add(op, a, *[g.partner(a, tame=op in ("Sum", "Mean")) for _ in range(g.one_of(0, 1, 2, 3))])


def clip(g):
    x = g.of(NUMBERS)
    dtype = g.value(x).dtype
    low, high = sorted(g.data([2], dtype, True).tolist())
    low, high = g.scalar(low, dtype, [()]), g.scalar(high, dtype, [()])
    return g.add("Clip", x, *g.one_of([low], ["", high], [low, high], []))


def where(g):
    a = g.of(ELEMENTS)
    return g.add("Where", g.partner(a, bool), *g.one_of((a, g.partner(a)), (g.partner(a), a)))


def cast(g):
    x = g.of(ELEMENTS)
    value, to = g.value(x), g.one_of(*ELEMENTS)
    if value.dtype in FLOATS and to in INTEGERS:  # what is out of range is not defined
        info = np.iinfo(to)
        if not cast_fits(value, info):
            bounds = [max(info.min, -60000), min(info.max, 60000)]
            x = g.add("Where", g.add("IsNaN", x), g.scalar(1, value.dtype), x)
            x = g.add("Clip", x, *[g.scalar(bound, value.dtype, [()]) for bound in bounds])
            g.require(cast_fits(g.value(x), info))
    if g.chance(0.2):
        return g.add("CastLike", x, g.make(to, [1]))
    return g.add("Cast", x, to=helper.np_dtype_to_tensor_dtype(to))


def cast_fits(value, info):
    wide = value.astype(np.longdouble)
    with np.errstate(all="ignore"):
        return bool(((wide > np.longdouble(info.min) - 1) & (wide < np.longdouble(info.max) + 1)).all())


def prelu(g):
    x = g.of(FLOATS + SIGNED[2:] + UNSIGNED[2:])
    slope = g.partner(x)
    g.require(np.broadcast_shapes(g.shape(x), g.shape(slope)) == tuple(g.shape(x)))
    return g.add("PRelu", x, slope)


SOURCES = ([rounding] * 4 + [function] * 9 + [integer_unary] * 2 + [arithmetic] * 6 + [remainder] * 2 + [power] * 2
           + [compare] * 3 + [logic] * 2 + [bitwise] * 2 + [variadic] * 2 + [clip] * 2 + [where] * 3 + [cast] * 6 + [prelu])
