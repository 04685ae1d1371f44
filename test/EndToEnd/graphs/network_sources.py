#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns of networks, for random graphs (node_sources.py)."""

import numpy as np
from onnx import helper

from elementwise_sources import unary
from graph_builder import make_info
from product_sources import batch_norm, conv


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


SOURCES = [residual] * 2 + [squeeze_excite, if_] + [branches] * 2
