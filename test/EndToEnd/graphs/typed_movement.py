#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes that move elements of any type, for random graphs (typed_graph.py)."""

import math

import numpy as np

from typed_graph import BOOL, ELEMENTS, FLOATS, NUMBERS

INDEX = (np.dtype(np.int64), np.dtype(np.int32))


def indices(g, low, high, shape):
    value = np.asarray(g.random.integers(low, high, shape), g.one_of(*INDEX))
    return g.constant(value) if g.chance(0.5) else g.fresh(value)


def transpose(g):
    x = g.of()
    rank = len(g.shape(x))
    return g.add("Transpose", x, perm=[int(i) for i in g.random.permutation(rank)]) if rank else g.add("Transpose", x)


def reshape(g):
    x = g.of()
    dims = [dim for dim in g.shape(x) for dim in factors(g, dim)]
    while len(dims) > 8 or len(dims) > 1 and g.chance(0.5):
        at = g.random.integers(0, len(dims) - 1)
        dims[at:at + 2] = [dims[at] * dims[at + 1]]
    wanted = list(dims)
    for i, dim in enumerate(g.shape(x)[:len(wanted)]):
        if wanted[i] == dim and g.chance(0.3):
            wanted[i] = 0
    attributes = {"allowzero": 1} if g.opset >= 14 and 0 in dims and wanted == dims else {}
    g.require(attributes or all(dim or i < len(g.shape(x)) and g.shape(x)[i] == dims[i] for i, dim in enumerate(wanted)))
    if wanted and 0 not in dims and g.chance(0.4):
        wanted[g.random.integers(0, len(wanted))] = -1
    return g.add("Reshape", x, g.ints(wanted), **attributes)


def factors(g, dim):
    if dim < 2 or g.chance(0.5):
        return [dim] + [1] * g.one_of(0, 0, 0, 1)
    factor = g.one_of(*(n for n in range(1, dim + 1) if dim % n == 0))
    return [factor, dim // factor]


def squeeze(g):
    if g.chance(0.2):
        x = g.of()
        return g.add("Flatten", x, axis=int(g.random.integers(-len(g.shape(x)), len(g.shape(x)) + 1)))
    if g.chance(0.5):
        x = g.of(fits=lambda value: 1 in value.shape)
        rank = len(g.shape(x))
        ones = [i - g.one_of(0, rank) for i, dim in enumerate(g.shape(x)) if dim == 1 and g.chance(0.6)]
        return g.add("Squeeze", x, *([g.ints(ones)] if ones else []))
    x = g.of(most=6)
    rank = len(g.shape(x)) + g.one_of(1, 2)
    axes = g.random.choice(rank, rank - len(g.shape(x)), replace=False)
    return g.add("Unsqueeze", x, g.ints([int(axis) - g.one_of(0, rank) for axis in axes]))


def repeat(g):
    x = g.of()
    shape = g.shape(x)
    if g.chance(0.5):
        return g.add("Tile", x, g.ints(g.dims(len(shape), (1, 1, 2, 3, 0 if g.chance(0.05) else 1))))
    target = [g.one_of(1, 2, 5) if dim == 1 else g.one_of(dim, dim, 1) for dim in shape]
    more = g.one_of([], [], [2], [1, 3]) if len(target) < 7 else []
    return g.add("Expand", x, g.ints(more + target))


def pad(g):
    x = g.of(NUMBERS + (BOOL,), 1, fits=lambda value: value.size)
    shape, rank = g.shape(x), len(g.shape(x))
    modes = ("constant", "constant", "reflect", "edge") + (("wrap",) if g.opset >= 19 else ())
    mode = g.one_of(*modes)
    low, high = ([int(g.one_of(0, 0, 0, 1, 2, -1)) for _ in range(rank)] for _ in range(2))
    for i, dim in enumerate(shape):
        kept = dim + min(low[i], 0) + min(high[i], 0)
        most = {"constant": 9, "edge": 9, "wrap": kept, "reflect": kept - 1}[mode]
        # Whether one crops first is not written down for modes that copy.
        if kept < 1 or mode != "constant" and min(low[i], high[i]) < 0 < max(low[i], high[i]):
            low[i] = high[i] = 0
        low[i], high[i] = min(low[i], most), min(high[i], most)
    operands = [x, g.ints(low + high)]
    if mode == "constant" and g.chance(0.5):
        operands.append(g.constant(np.asarray(g.data((), g.value(x).dtype))))
    return g.add("Pad", *operands, mode=mode)


def slice_(g):
    x = g.of(least=1)
    shape = g.shape(x)
    axes = [i for i in range(len(shape)) if g.chance(0.4)] or [len(shape) - 1]
    steps = [g.one_of(1, 1, 1, 2, 3, -1, -2, -(2**40), 2**31) for _ in axes]
    far = (2**63 - 1, -(2**63) + 1, 2**31, -1, 0, 1)
    starts = [g.one_of(int(g.random.integers(-shape[axis] - 1, shape[axis] + 2)), g.one_of(*far)) for axis in axes]
    ends = [g.one_of(int(g.random.integers(-shape[axis] - 1, shape[axis] + 2)), g.one_of(*far)) for axis in axes]
    given = [axis - g.one_of(0, len(shape)) for axis in axes]
    return g.add("Slice", x, *(g.ints(values) for values in (starts, ends, given, steps)))


def concat(g):
    x = g.of(least=1)
    value, axis = g.value(x), g.axis(len(g.shape(x)))
    operands = [x]
    for _ in range(g.one_of(0, 1, 1, 2)):
        shape = list(value.shape)
        shape[axis] = g.one_of(0, 1, 2, shape[axis])
        operands.insert(g.one_of(0, len(operands)), g.one_of(x, g.make(value.dtype, shape)))
    return g.add("Concat", *operands, axis=axis)


def split(g):
    x = g.of(least=1, fits=lambda value: max(value.shape) > 1)
    axis = g.one_of(*(i for i, dim in enumerate(g.shape(x)) if dim > 1))
    dim = g.shape(x)[axis]
    count = g.one_of(2, 3)
    cuts = sorted(int(i) for i in g.random.integers(0, dim + 1, count - 1))
    sizes = [high - low for low, high in zip([0, *cuts], [*cuts, dim])]
    given = axis - g.one_of(0, len(g.shape(x)))
    if g.opset >= 18 and g.chance(0.3):
        count = min(count, dim)
        g.require((count - 1) * -(-dim // count) < dim)
        return g.add("Split", x, outputs=count, axis=given, num_outputs=count)
    return g.add("Split", x, g.ints(sizes), outputs=count, axis=given)


def gather(g):
    x = g.of(least=1, fits=lambda value: value.size)
    axis = g.axis(len(g.shape(x)))
    dim = g.shape(x)[axis]
    return g.add("Gather", x, indices(g, -dim, dim, g.dims(g.one_of(0, 1, 1, 2), (1, 2, 3, 5))), axis=axis)


def smaller(g, shape):
    return [int(g.random.integers(1, dim + 1)) for dim in shape]


def gather_elements(g):
    x = g.of(least=1, fits=lambda value: value.size)
    axis = g.axis(len(g.shape(x)))
    dim, shape = g.shape(x)[axis], smaller(g, g.shape(x))
    shape[axis] = g.one_of(1, 2, 5)
    return g.add("GatherElements", x, indices(g, -dim, dim, shape), axis=axis)


def gather_nd(g):
    x = g.of(least=1, fits=lambda value: value.size)
    shape = g.shape(x)
    batch = int(g.random.integers(0, len(shape)))
    depth = int(g.random.integers(1, len(shape) - batch + 1))
    lead = shape[:batch] + g.dims(g.one_of(0, 1, 2), (1, 2, 3))
    parts = [g.random.integers(-dim, dim, lead) for dim in shape[batch:batch + depth]]
    return g.add("GatherND", x, g.constant(np.asarray(np.stack(parts, -1), np.int64)), batch_dims=batch)


def combination(g, dtype):
    """How scattered updates join what is there."""
    choices = ["none", "none"]
    if g.opset >= 16 and dtype in NUMBERS:
        choices += ["add", "mul"] + (["min", "max"] if g.opset >= 18 else [])
    return g.one_of(*choices)


def scatter_elements(g):
    x = g.tame(ELEMENTS, 1, 8, fits=lambda value: value.size)
    shape, dtype = g.shape(x), g.value(x).dtype
    axis, how = g.axis(len(shape)), combination(g, dtype)
    few = smaller(g, shape)
    if how == "none" or dtype in FLOATS:  # the order of several to one place is not defined
        order = np.argsort(g.random.random(shape), axis)
        chosen = order[tuple(slice(dim) for dim in few)]
    else:
        chosen = g.random.integers(-shape[axis], shape[axis], few)
    attributes = {} if how == "none" else {"reduction": how}
    updates = g.make(dtype, few, True)
    chosen = g.one_of(g.constant, g.fresh)(np.asarray(chosen, g.one_of(*INDEX)))
    return g.add("ScatterElements", x, chosen, updates, axis=axis, **attributes)


def scatter_nd(g):
    x = g.tame(ELEMENTS, 1, 6, fits=lambda value: value.size)
    shape, dtype = g.shape(x), g.value(x).dtype
    depth = int(g.random.integers(1, len(shape) + 1))
    places = math.prod(shape[:depth])
    chosen = g.random.choice(places, g.random.integers(1, places + 1), replace=False)
    where = np.stack(np.unravel_index(chosen, shape[:depth]), -1).astype(np.int64)
    how = combination(g, dtype)
    attributes = {} if how == "none" else {"reduction": how}
    updates = g.make(dtype, [len(chosen), *shape[depth:]], True)
    return g.add("ScatterND", x, g.one_of(g.constant, g.fresh)(where), updates, **attributes)


def blocks(g):
    size = g.one_of(1, 2, 3)
    x = g.make(g.one_of(*ELEMENTS), [g.one_of(1, 2), size * size * g.one_of(1, 2), size * g.one_of(1, 3), size * 2])
    if g.chance(0.5):
        return g.add("SpaceToDepth", x, blocksize=size)
    return g.add("DepthToSpace", x, blocksize=size, mode=g.one_of("DCR", "CRD"))


def triangle(g):
    x = g.of(least=2)
    return g.add("Trilu", x, *([g.ints(g.one_of(-9, -1, 0, 1, 2, 40))] if g.chance(0.6) else []), upper=g.one_of(0, 1))


def one_hot(g):
    depth = g.one_of(1, 3, 5)
    types = (np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.float32))
    x = g.fresh(np.asarray(g.random.integers(-depth - 2, depth + 2, g.some_dims(most=4)), g.one_of(*types)))
    values = g.fresh(g.data([2], g.one_of(*ELEMENTS)))
    return g.add("OneHot", x, g.constant(np.array(depth, np.int64)), values, axis=g.axis(len(g.shape(x)) + 1))


def about_shape(g):
    x = g.of()
    if g.chance(0.3):
        return g.add("Size", x)
    bounds = {"start": g.one_of(0, 1, -2), "end": g.one_of(-1, 2, 9)} if g.opset >= 15 else {}
    return g.add("Shape", x, **bounds)


def resize(g):
    x = g.tame(NUMBERS, 4, 4, fits=lambda value: value.size)
    shape = g.shape(x)
    attributes = {"mode": "nearest", "coordinate_transformation_mode": g.one_of("asymmetric", "half_pixel")}
    attributes["nearest_mode"] = g.one_of("floor", "round_prefer_floor", "ceil")
    if g.value(x).dtype in FLOATS and g.chance(0.5):
        attributes = {"mode": "linear", "coordinate_transformation_mode": g.one_of("align_corners", "half_pixel")}
    scales = g.one_of([2, 2], [1.5, 2], [3, 1], [0.5, 0.5])
    g.require(math.prod(shape) * math.prod(scales) < 3000)
    return g.add("Resize", x, "", g.constant(np.array([1, 1, *scales], np.float32)), **attributes)


def reverse(g):
    x = g.of(least=2)
    batch = g.one_of(0, 1)
    count, length = g.shape(x)[batch], g.shape(x)[1 - batch]
    g.require(length)
    lens = np.asarray(g.random.integers(1, length + 1, [count]), np.int64)
    return g.add("ReverseSequence", x, g.one_of(g.constant, g.fresh)(lens), batch_axis=batch, time_axis=1 - batch)


SOURCES = ([transpose] * 5 + [reshape] * 4 + [squeeze] * 3 + [repeat] * 3 + [pad] * 3 + [slice_] * 4 + [concat] * 3
           + [split] * 2 + [gather] * 2 + [gather_elements, gather_nd, scatter_elements, scatter_nd] + [blocks, triangle]
           + [one_hot, about_shape, resize, reverse])
