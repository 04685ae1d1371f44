//===- Shapes.cpp - Loops of ops that move elements -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

Values brisk::broadcastIndices(KernelBuilder &b, ArrayRef<int64_t> shape,
                               ValueRange at) {
  Values indices;
  ValueRange last = at.take_back(shape.size());
  for (auto [dim, i] : llvm::zip_equal(shape, last))
    indices.push_back(dim == 1 ? b.index(0) : i);
  return indices;
}

void brisk::copyAll(KernelBuilder &b, const Buffer &from, const Buffer &to) {
  b.nest(from.getShape(),
         [&](ValueRange at) { to.store(b, from.load(b, at), at); });
}

static Values buildAt(KernelBuilder &b, ExpandOp op, Buffers in,
                      ValueRange at) {
  return {in[0].load(b, broadcastIndices(b, in[0].getShape(), at))};
}

static Values buildAt(KernelBuilder &b, TileOp op, Buffers in, ValueRange at) {
  Values indices;
  auto result = cast<RankedTensorType>(op.getType());
  for (auto [i, dim, whole] :
       llvm::zip_equal(at, in[0].getShape(), result.getShape()))
    indices.push_back(
        dim == whole ? i : arith::RemUIOp::create(b, i, b.index(dim)));
  return {in[0].load(b, indices)};
}

static Values buildAt(KernelBuilder &b, TransposeOp op, Buffers in,
                      ValueRange at) {
  Values indices(at.size());
  for (auto [i, from] : llvm::zip_equal(at, op.getPermutation()))
    indices[from] = i;
  return {in[0].load(b, indices)};
}

static Values buildAt(KernelBuilder &b, SliceOp op, Buffers in, ValueRange at) {
  SmallVector<SliceRange> slices = *op.getSlices();
  Values indices;
  for (auto [i, range] : llvm::zip_equal(at, slices))
    indices.push_back(b.add(b.mul(i, range.step), range.start));
  return {in[0].load(b, indices)};
}

/// a mod n, from 0 on, for any a.
static Value floorMod(KernelBuilder &b, Value a, int64_t n) {
  Value rest = arith::RemSIOp::create(b, a, b.index(n));
  Value negative = b.compare(arith::CmpIPredicate::slt, rest, b.index(0));
  return b.select(negative, b.add(rest, n), rest);
}

/// Where in a dimension of `size` elements place `i` (which may lie outside) of
/// a padded one comes from.
static Value getPadSource(KernelBuilder &b, PadMode mode, Value i,
                          int64_t size) {
  if (mode == PadMode::Wrap)
    return floorMod(b, i, size);
  if (mode == PadMode::Reflect) {
    if (size == 1)
      return b.index(0);
    // There and back again.
    int64_t period = 2 * (size - 1);
    Value place = floorMod(b, i, period);
    return b.minIndex(place, b.sub(b.index(period), place));
  }
  return b.minIndex(b.maxIndex(i, b.index(0)), b.index(size - 1));
}

static Values buildAt(KernelBuilder &b, PadOp op, Buffers in, ValueRange at) {
  auto padding = *op.getPadding();
  ArrayRef<int64_t> shape = in[0].getShape();
  Values indices;
  Value within;
  for (auto [i, margin, size] : llvm::zip_equal(at, padding, shape)) {
    auto [before, after] = margin;
    SliceRange kept = makeCropRange(size, before, after);
    Value place = b.add(i, -std::max<int64_t>(before, 0));
    bool outside = before > 0 || after > 0;
    if (outside && op.getMode() != PadMode::Constant && kept.size > 0) {
      place = getPadSource(b, op.getMode(), place, kept.size);
    } else if (outside) {
      Value holds = b.isWithin(place, kept.size);
      within = within ? b.logicalAnd(within, holds) : holds;
    }
    indices.push_back(b.add(place, kept.start));
  }
  if (!within)
    return {in[0].load(b, indices)};
  Type element = in[0].getElement();
  auto getMargin = [&]() -> Value {
    return op.getValue() ? in[2].load(b) : b.zero(element);
  };
  return b.ifElse(
      within, getValueType(element),
      [&] { return Values{in[0].load(b, indices)}; },
      [&] { return Values{getMargin()}; });
}

static Values buildAt(KernelBuilder &b, FillOp op, Buffers in, ValueRange at) {
  return {b.splat(op.getValue(), /*lanes=*/0)};
}

static Values buildAt(KernelBuilder &b, RangeOp op, Buffers in, ValueRange at) {
  Type element = in[0].getElement();
  Type i64 = b.getI64Type();
  Value place = arith::IndexCastOp::create(b, i64, at[0]);
  Value start = in[0].load(b);
  Value delta = in[2].load(b);
  // Small floats hold few integers: computed in a wider type.
  Type wide = getSumType(element);
  Value offset =
      b.mul(b.convert(place, i64, wide), b.convert(delta, element, wide));
  Value value = b.add(b.convert(start, element, wide), offset);
  return {b.convert(value, wide, element)};
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

/// The dimensions before the axis.
static SmallVector<int64_t> getOuter(ConcatOp op) {
  return llvm::to_vector(
      op.getType().getShape().take_front(op.getNormalizedAxis()));
}

static void emitAt(KernelBuilder &b, ConcatOp op, Buffers in, Buffers out,
                   ValueRange outer) {
  int64_t axis = op.getNormalizedAxis();
  int64_t offset = 0;
  for (const Buffer &from : in) {
    b.nest(from.getShape().drop_front(axis), [&](ValueRange inner) {
      Values source = join(outer, inner);
      Values target = source;
      target[axis] = b.add(target[axis], offset);
      out[0].store(b, from.load(b, source), target);
    });
    offset += from.getDim(axis);
  }
}

void brisk::addShapeLoops(LoopTable &table) {
  table.on<ExpandOp>(buildAt);
  table.on<TileOp>(buildAt);
  table.on<TransposeOp>(buildAt);
  table.on<SliceOp>(buildAt);
  table.on<PadOp>(buildAt);
  table.on<FillOp>(buildAt);
  table.on<RangeOp>(buildAt);
  table.on<ConcatOp>(getOuter, emitAt);
}
