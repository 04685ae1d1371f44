#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums, extremes, products and layers of any element type, for random graphs (typed_graph.py)."""

import numpy as np
from onnx import TensorProto, helper

from graph_builder import make_info
from typed_graph import BOOL, FLOATS, INTEGERS, NUMBERS, SINGLE

INT8S = (np.dtype(np.int8), np.dtype(np.uint8))


def axes_of(g, rank):
    return [int(i) - g.one_of(0, rank) for i in range(rank) if g.chance(0.5)]


def reduced(g, op, x, since, **attributes):
    axes = axes_of(g, len(g.shape(x)))
    keep = g.one_of(0, 1)
    if not axes:
        if g.opset >= since and g.chance(0.3):
            return g.add(op, x, keepdims=keep, noop_with_empty_axes=1)
        return g.add(op, x, keepdims=keep, **attributes)
    return g.axes(op, x, axes, since, keepdims=keep)


def extreme(g):
    types = NUMBERS + ((BOOL,) if g.opset >= 20 else ())
    return reduced(g, g.one_of("ReduceMax", "ReduceMin"), g.of(types, fits=lambda value: value.size), 18)


def sum_(g):
    op = g.one_of("ReduceSum", "ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceProd",
                  "ReduceLogSum", "ReduceLogSumExp")
    x = g.tame(NUMBERS, 0, 8)
    g.require(g.value(x).size or op in ("ReduceSum", "ReduceProd"))
    if op == "ReduceProd":
        g.require(g.value(x).size <= 16)
    if g.value(x).dtype in INTEGERS:  # roots and logarithms of integers are not defined
        g.require(op in ("ReduceSum", "ReduceL1", "ReduceSumSquare", "ReduceProd"))
    elif op == "ReduceLogSum":
        x = g.add("Add", g.add("Abs", x), g.scalar(0.5, g.value(x).dtype))
    return reduced(g, op, x, 13 if op == "ReduceSum" else 18)


def is_ordered(value):
    """Whether nothing is NaN, whose place ONNX does not define."""
    return value.size and (value.dtype not in FLOATS or not np.isnan(value).any())


def arg_extreme(g):
    x = g.of(NUMBERS, 1, fits=is_ordered)
    return g.add(g.one_of("ArgMax", "ArgMin"), x, axis=g.axis(len(g.shape(x))), keepdims=g.one_of(0, 1),
                 select_last_index=g.one_of(0, 0, 1))


def top(g):
    x = g.of(NUMBERS, 1, fits=is_ordered)
    axis = g.axis(len(g.shape(x)))
    k = int(g.random.integers(0 if g.chance(0.1) else 1, g.shape(x)[axis] + 1))
    return g.add("TopK", x, g.ints([k]), outputs=2, axis=axis, largest=g.one_of(0, 1))[0]


def cumulative(g):
    x = g.tame(NUMBERS)
    return g.add("CumSum", x, g.constant(np.array(g.axis(len(g.shape(x))), g.one_of(np.int64, np.int32))),
                 reverse=g.one_of(0, 1), exclusive=g.one_of(0, 1))


def softmax(g):
    x = g.of(FLOATS, 1, fits=lambda value: value.size)
    op = g.one_of("Softmax", "LogSoftmax", "Hardmax")
    g.require(op != "Hardmax" or is_ordered(g.value(x)))
    return g.add(op, x, axis=g.axis(len(g.shape(x))))


def matmul(g):
    a = g.tame(NUMBERS, 1, 5)
    shape, dtype = g.shape(a), g.value(a).dtype
    n = g.one_of(1, 2, 3, 8, 17)
    batch = [1 if g.chance(0.3) else dim for dim in shape[:-2]][g.one_of(0, len(shape)):]
    b = g.data(g.one_of([*batch, shape[-1], n], [shape[-1]]), dtype, True)
    return g.add("MatMul", a, g.one_of(g.constant, g.fresh)(b))


def gemm(g):
    a = g.tame(NUMBERS, 2, 2)
    m, k = g.shape(a)
    n, dtype = g.one_of(1, 3, 8, 17), g.value(a).dtype
    operands = [a, g.one_of(g.constant, g.fresh)(g.data([n, k], dtype, True))]
    if g.chance(0.6):
        operands.append(g.fresh(g.data(g.one_of([n], [m, n], [m, 1], [1], []), dtype, True)))
    attributes = {} if dtype in INTEGERS else {"alpha": g.one_of(1.0, 0.5), "beta": g.one_of(1.0, 2.0)}
    return g.add("Gemm", *operands, transB=1, **attributes)


def einsum(g):
    dtype, sizes = g.one_of(*NUMBERS), {letter: g.one_of(1, 2, 3, 5) for letter in "bijkl"}
    equation = g.one_of("ij,jk->ik", "bij,bjk->bik", "bij,kj->bik", "ii->i", "ij->ji", "ijk->j", "i,j->ij", "ij,ij->",
                        "bij,bkj->bik", "bijk,bijl->bikl", "ij,jk,kl->il")
    terms = equation.split("->")[0].split(",")
    return g.add("Einsum", *[g.make(dtype, [sizes[letter] for letter in term], True) for term in terms],
                 equation=equation)


def image(g, types, channels=(1, 2, 3, 8)):
    return g.make(g.one_of(*types), [g.one_of(1, 2), g.one_of(*channels), *g.dims(g.one_of(1, 2, 2), (3, 5, 8))], True)


def conv(g):
    x = image(g, FLOATS)
    shape, dtype = g.shape(x), g.value(x).dtype
    rank, group = len(shape) - 2, g.one_of(1, shape[1])
    kernel, out = [g.one_of(1, 3)] * rank, group * g.one_of(1, 2, 3)
    op = g.one_of("Conv", "Conv", "ConvTranspose")
    weight = [out, shape[1] // group, *kernel] if op == "Conv" else [shape[1], out // group, *kernel]
    operands = [x] + [g.constant(g.data(weight, dtype, True))]
    if g.chance(0.5):
        operands.append(g.constant(g.data([out], dtype, True)))
    return g.add(op, *operands, group=group, pads=[g.one_of(0, kernel[0] // 2)] * (2 * rank),
                 strides=[g.one_of(1, 2)] * rank)


def pool(g):
    op = g.one_of("MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool")
    x = image(g, FLOATS + INT8S if op == "MaxPool" else FLOATS)
    if op.startswith("Global"):
        return g.add(op, x)
    rank = len(g.shape(x)) - 2
    kernel = [g.one_of(2, 3)] * rank
    attributes = {"p": g.one_of(1, 2)} if op == "LpPool" else {}
    return g.add(op, x, kernel_shape=kernel, strides=[g.one_of(1, 2)] * rank, pads=[g.one_of(0, 1)] * 2 * rank,
                 **attributes)


def normalize(g):
    x = image(g, FLOATS)
    channels, dtype = g.shape(x)[1], g.value(x).dtype

    def weights(count):
        return [g.constant(g.data([channels], dtype, True)) for _ in range(count)]

    op = g.one_of("BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN", "LpNormalization")
    if op == "BatchNormalization":
        variance = g.constant(np.asarray(g.random.uniform(0.5, 2, channels), dtype))
        return g.add(op, x, *weights(3), variance)
    if op == "InstanceNormalization":
        return g.add(op, x, *weights(2))
    if op == "LayerNormalization":
        scale = g.constant(g.data(g.shape(x)[-1:], dtype, True))
        return g.add(op, x, scale, axis=-1)
    if op == "LRN":
        return g.add(op, x, size=g.one_of(1, 3, 5))
    return g.add(op, x, axis=g.axis(len(g.shape(x))), p=g.one_of(1, 2))


def recurrent(g):
    op = g.one_of("LSTM", "GRU", "RNN")
    dtype, gates = g.one_of(*FLOATS), {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    length, batch, width, units = (g.one_of(1, 2, 3, 5) for _ in range(4))
    direction = g.one_of("forward", "reverse", "bidirectional")
    count = 2 if direction == "bidirectional" else 1
    operands = [g.make(dtype, [length, batch, width], True)]
    for shape in ([count, gates * units, width], [count, gates * units, units], [count, 2 * gates * units]):
        operands.append(g.constant(g.data(shape, dtype, True) / np.asarray(2, dtype)))
    return g.add(op, *operands, outputs=2, hidden_size=units, direction=direction)[0]


def quantize(g):
    to = g.one_of(*INT8S)
    scale = g.constant(np.array(g.one_of(0.5, 0.25, 0.0625), np.float32))
    zero = g.constant(np.array(g.one_of(0, 3, 100), to))
    if g.chance(0.4):
        return g.add("DequantizeLinear", g.make(to), scale, zero)
    if g.chance(0.3):
        return g.add("DynamicQuantizeLinear", g.tame((SINGLE,)), outputs=3)[0]
    x = g.tame((SINGLE,), 0, 6)
    return g.add("QuantizeLinear", x, scale, zero)


def integer_product(g):
    a, b = g.one_of(*INT8S), g.one_of(*INT8S)
    m, k, n = (g.one_of(1, 3, 8, 17) for _ in range(3))
    zeros = [g.constant(np.array(g.one_of(0, 5), dtype)) for dtype in (a, b)]
    return g.add("MatMulInteger", g.make(a, [m, k]), g.make(b, [k, n]), *zeros[:g.one_of(0, 1, 2)])


def if_(g):
    """A choice between two chains on values of one type from outside."""
    x = g.of(NUMBERS)
    other = g.make(g.value(x).dtype, g.shape(x))
    condition = g.fresh(np.array(g.chance(0.5)))
    branches = []
    for side in ("then", "else"):
        names, nodes = [g.one_of(x, other)], []
        for op in [g.one_of("Neg", "Abs", "Add", "Mul", "Identity") for _ in range(g.one_of(1, 2))]:
            operands = [names[-1]] + ([g.one_of(x, other)] if op in ("Add", "Mul") else [])
            g.require(g.allows(op, [x]))
            names.append(f"{side}{len(g.nodes)}_{len(nodes)}")
            nodes.append(helper.make_node(op, operands, names[-1:], names[-1]))
        branches.append(helper.make_graph(nodes, side, [], [make_info(names[-1], g.value(x))]))
    g.require(not any(name in g.slacks for name in (x, other)))
    return g.add("If", condition, captured=(x, other), then_branch=branches[0], else_branch=branches[1])


def loop(g):
    """A known number of steps that add to a value."""
    x = g.tame(NUMBERS, 0, 6)
    g.require(x not in g.slacks and g.allows("Add", [x, x]))
    step, number = g.make(g.value(x).dtype, g.shape(x), True), len(g.nodes)
    names = [f"{name}{number}" for name in ("i", "keep", "sum", "more", "next")]
    nodes = [helper.make_node("Identity", [names[1]], [names[3]]), helper.make_node("Add", [names[2], step], [names[4]])]
    infos = [helper.make_tensor_value_info(names[0], TensorProto.INT64, []),
             helper.make_tensor_value_info(names[1], TensorProto.BOOL, []), make_info(names[2], g.value(x))]
    body = helper.make_graph(nodes, "body", infos, [helper.make_tensor_value_info(names[3], TensorProto.BOOL, []),
                                                    make_info(names[4], g.value(x))])
    count, more = g.constant(np.array(g.one_of(0, 1, 3), np.int64)), g.constant(np.array(True))
    return g.add("Loop", count, more, x, captured=(step,), body=body)


SOURCES = ([extreme] * 3 + [sum_] * 5 + [arg_extreme] * 2 + [top, cumulative] * 2 + [softmax] * 3 + [matmul] * 3 + [gemm]
           + [einsum] * 2 + [conv] * 2 + [pool] * 2 + [normalize] * 2 + [recurrent, quantize, integer_product, if_, loop])
