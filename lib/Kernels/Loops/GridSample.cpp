//===- GridSample.cpp - Loops of grid_sample ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data names the places, so the elements that a place is made of and their
// weights are computed, once for all channels, which lie next to each other.
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

namespace {
/// An element of a dimension that a place is made of. A null `weight` stands
/// for 1, and a null `isInside` for true.
struct GridTap {
  Value index, weight, isInside;
};

/// One dimension of the input, at a place that the data names.
struct GridDim {
  GridDim(KernelBuilder &b, GridSampleOp op, int64_t size)
      : b(b), op(op), size(size), last(static_cast<double>(size - 1)),
        low(op.getAlignCorners() ? 0 : -0.5), high(last - low) {}

  /// The taps of coordinate `x`, a float.
  SmallVector<GridTap> getTaps(Value x) {
    ResizeMode mode = op.getMode();
    x = b.add(x, 1.0);
    x = op.getAlignCorners()
            ? b.mul(b.mul(x, 0.5), last)
            : b.mul(b.add(b.mul(x, static_cast<double>(size)), -1.0), 0.5);
    if (mode == ResizeMode::Nearest)
      x = b.make<math::RoundEvenOp>(x);
    if (op.getPadding() == GridPadding::Reflection)
      x = reflect(x);
    if (op.getPadding() == GridPadding::Border)
      x = b.select(isBetween(x, low, high), x, clamp(x, 0, last));
    // Near enough to be an index, and all taps of what was outside are.
    x = clamp(x, -4, last + 4);
    if (mode == ResizeMode::Nearest)
      return {getTap(x, Value())};
    Value left = b.make<math::FloorOp>(x), ratio = b.sub(x, left);
    SmallVector<GridTap> taps;
    auto add = [&](double offset, Value weight) {
      taps.push_back(getTap(b.add(left, offset), weight));
    };
    Value rest = b.sub(b.constant(x, 1), ratio);
    if (mode == ResizeMode::Linear) {
      add(0, rest);
      add(1, ratio);
      return taps;
    }
    add(-1, getFarCubic(b.add(ratio, 1.0)));
    add(0, getNearCubic(ratio));
    add(1, getNearCubic(rest));
    add(2, getFarCubic(b.add(rest, 1.0)));
    return taps;
  }

private:
  /// NaN gives `from`.
  Value clamp(Value x, double from, double to) {
    Value least = b.constant(x, from), most = b.constant(x, to);
    x = b.select(b.compare(arith::CmpFPredicate::OGT, x, least), x, least);
    return b.select(b.compare(arith::CmpFPredicate::OLT, x, most), x, most);
  }

  Value isBetween(Value x, double from, double to) {
    return b.logicalAnd(
        b.compare(arith::CmpFPredicate::OGE, x, b.constant(x, from)),
        b.compare(arith::CmpFPredicate::OLE, x, b.constant(x, to)));
  }

  /// Mirrored at both ends, as often as it takes.
  Value reflect(Value x) {
    Value first = b.constant(x, low), end = b.constant(x, high);
    if (low == high)
      return first;
    Value span = b.constant(x, high - low);
    Value isBelow = b.compare(arith::CmpFPredicate::OLT, x, first);
    Value beyond = b.select(isBelow, b.sub(first, x), b.sub(x, end));
    Value turns = b.make<math::FloorOp>(b.div(beyond, span));
    Value rest = b.sub(beyond, b.mul(turns, span));
    Value pairs = b.make<math::FloorOp>(b.mul(turns, 0.5));
    Value isEven =
        b.compare(arith::CmpFPredicate::OEQ, b.mul(pairs, 2.0), turns);
    Value fromFirst =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, isEven, isBelow);
    Value inside = b.select(fromFirst, b.add(first, rest), b.sub(end, rest));
    return b.select(isBetween(x, low, high), x, inside);
  }

  /// The tap at the whole number `at`.
  GridTap getTap(Value at, Value weight) {
    GridTap tap{Value(), weight, Value()};
    if (op.getPadding() == GridPadding::Zeros)
      tap.isInside = isBetween(at, 0, last);
    else if (op.getPadding() == GridPadding::Reflection)
      at = reflect(at);
    bool isLarge = size > 1 << 24; // not all whole numbers below it are floats
    Type integer = isLarge ? b.getI64Type() : b.getI32Type();
    Value index = b.make<arith::FPToSIOp>(integer, clamp(at, 0, last));
    tap.index = arith::IndexCastOp::create(b, b.getIndexType(), index);
    if (isLarge)
      tap.index = b.minIndex(tap.index, b.index(size - 1));
    return tap;
  }

  // The two pieces of the cubic convolution kernel (Keys 1981).
  Value getNearCubic(Value x) {
    Value inner = b.add(b.mul(x, cubic + 2), -(cubic + 3));
    return b.add(b.mul(b.mul(inner, x), x), 1.0);
  }
  Value getFarCubic(Value x) {
    Value inner = b.add(b.mul(x, cubic), -5 * cubic);
    return b.add(b.mul(b.add(b.mul(inner, x), 8 * cubic), x), -4 * cubic);
  }

  static constexpr double cubic = -0.75;
  KernelBuilder &b;
  GridSampleOp op;
  int64_t size;
  /// The last element, and where -1 and 1 are.
  double last, low, high;
};
} // namespace

static Values buildAt(KernelBuilder &b, GridSampleOp op, Buffers in,
                      ValueRange at) {
  const Buffer &input = in[0], &grid = in[1];
  Type type = input.getElement(), coordinate = grid.getElement();
  if (input.type.getNumElements() == 0)
    return {b.zero(type)};
  bool interpolates = op.getMode() != ResizeMode::Nearest;
  Type wide = interpolates ? getSumType(type) : type;
  int64_t rank = input.getRank() - 2;
  SmallVector<SmallVector<GridTap>> taps;
  for (int64_t d = 0; d < rank; ++d) {
    Values place = llvm::to_vector(at);
    place.back() = b.index(rank - 1 - d);
    Value x =
        b.convert(grid.load(b, place), coordinate, getSumType(coordinate));
    GridDim dim(b, op, input.getDim(1 + d));
    taps.push_back(dim.getTaps(x));
    for (GridTap &tap : taps.back())
      if (tap.weight)
        tap.weight = b.convertFloat(tap.weight, wide);
  }
  Values from = llvm::to_vector(at);
  // Along one dimension after the other.
  std::function<Value(int64_t, Value)> sample = [&](int64_t d,
                                                    Value isInside) -> Value {
    if (d == rank) {
      Value value = b.convert(input.load(b, from), type, wide);
      return isInside ? b.select(isInside, value, b.zero(value.getType()))
                      : value;
    }
    Value sum;
    for (const GridTap &tap : taps[d]) {
      from[1 + d] = tap.index;
      Value value = sample(d + 1, isInside && tap.isInside
                                      ? b.logicalAnd(isInside, tap.isInside)
                                      : tap.isInside);
      if (tap.weight)
        value = b.mul(value, tap.weight);
      sum = sum ? b.add(sum, value) : value;
    }
    return sum;
  };
  return {b.convert(sample(0, Value()), wide, type)};
}

void brisk::addGridSampleLoops(LoopTable &table) {
  table.on<GridSampleOp>(buildAt);
}
