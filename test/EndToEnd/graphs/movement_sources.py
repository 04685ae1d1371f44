#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes that move elements, for random graphs (node_sources.py)."""

import numpy as np

from elementwise_sources import unary


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


SOURCES = ([transpose] * 5 + [reshape] * 6 + [slice_] * 3 + [concat] * 5 + [split] * 3 + [pad] * 2 + [gather] * 2
           + [resize, repeat, blocks, triangle])
