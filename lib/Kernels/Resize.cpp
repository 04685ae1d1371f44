//===- Resize.cpp - Resizing of all but the innermost dimension -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nearest and linear resize, channels-last: each row of the result is a sum of
// few rows of the input, whose places and weights are tables made at compile
// time. A row is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Loops/LoopOps.h"
#include "RowMatch.h"
#include "brisk/Kernels/Families.h"

using namespace mlir;
using namespace brisk;

namespace {
/// What the places of a dimension of the result are made of.
struct Taps {
  /// How many elements of the input a place is made of.
  int64_t count = 1;
  /// Tables of which those are, and with which weights; null where each place
  /// is its own, and where there is but one tap.
  Value indices, weights;
};

/// A row of the input, and the weight with which it is summed; null for 1.
struct WeightedRow {
  Value place, weight;
};

class ResizeMatch : public RowMatch<ResizeScheduleAttr> {
public:
  ResizeMatch(const GroupView &view, ResizeOp resize, RowsAndColumns size)
      : RowMatch(view, size.rows, size.columns, /*perTask=*/8192),
        resize(resize), size(size) {}

  double getCycles(ScheduleAttr) override {
    double results = resize.getResult().getType().getNumElements();
    double lanes = isa.getLanes(Float32Type::get(group.getContext()));
    return 15.0 * size.rows + 2 * results / lanes + countFlops(group) / lanes +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    auto type = resize.getResult().getType();
    Type f32 = b.getF32Type();
    FlatBuffer input(b, getBuffer(ins, resize.getInput()), f32);
    Epilogue epilogue(group, resize, ins, outs);
    SmallVector<Taps> tapsOfDims = makeTaps(b);
    int64_t lanes = getColumnLanes(b.isa, f32, size.columns);
    forPieces([&](Value row) {
      SmallVector<Value> at = delinearize(b, row, type.getShape().drop_back());
      SmallVector<WeightedRow> rows = {{b.index(0), Value()}};
      for (auto [d, taps] : llvm::enumerate(tapsOfDims))
        rows = tap(b, rows, taps, at[d], input.getStrides()[d]);
      forColumns(b, size.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value sum;
        for (auto [place, weight] : rows) {
          Value x = input.load(b, b.add(place, at.start), at.lanes, at.mask);
          if (!weight) {
            sum = x;
            continue;
          }
          weight = b.broadcast(weight, x.getType());
          sum = sum ? b.fma(x, weight, sum) : b.mul(x, weight);
        }
        epilogue.emit(b, sum, row, at.start, at.lanes, at.mask);
      });
    });
  }

private:
  /// The taps of all dimensions but the innermost.
  SmallVector<Taps> makeTaps(KernelBuilder &b) {
    SmallVector<Taps> tapsOfDims;
    SmallVector<ResizeAxis> axes = *resize.getResizedAxes();
    for (const ResizeAxis &axis : ArrayRef(axes).drop_back()) {
      Taps &taps = tapsOfDims.emplace_back();
      if (!axis.isResized())
        continue;
      TapTable table = makeTapTable(resize, axis);
      taps.count = table.count;
      taps.indices = b.table(table.indices);
      if (resize.getMode() != ResizeMode::Nearest)
        taps.weights = b.table(table.weights, b.getF32Type());
    }
    return tapsOfDims;
  }

  /// Each of the rows at all taps of place `at` of one more dimension.
  static SmallVector<WeightedRow> tap(KernelBuilder &b,
                                      ArrayRef<WeightedRow> rows,
                                      const Taps &taps, Value at,
                                      int64_t stride) {
    SmallVector<WeightedRow> tapped;
    for (auto [place, weight] : rows)
      for (int64_t tap = 0; tap < taps.count; ++tap) {
        if (!taps.indices) {
          tapped.push_back({b.add(place, b.mul(at, stride)), weight});
          continue;
        }
        Value entry = b.add(b.mul(at, taps.count), tap);
        Value index = memref::LoadOp::create(b, taps.indices, entry);
        index = arith::IndexCastOp::create(b, b.getIndexType(), index);
        Value factor = weight;
        if (taps.weights) {
          factor = memref::LoadOp::create(b, taps.weights, entry);
          if (weight)
            factor = b.mul(weight, factor);
        }
        tapped.push_back({b.add(place, b.mul(index, stride)), factor});
      }
    return tapped;
  }

  ResizeOp resize;
  RowsAndColumns size;
};
} // namespace

MatchPtr brisk::matchResize(GroupView &view) {
  auto resize = dyn_cast_or_null<ResizeOp>(view.getAnchor());
  if (!resize || !isF32(resize.getResult()))
    return view.refuse("has no resize of f32");
  if (!isGroupInput(resize.getInput()) ||
      resize.getInput().getType().getNumElements() == 0)
    return view.refuse("computes what it resizes, or that is empty");
  if (resize.getAntialias() || resize.getMode() == ResizeMode::Cubic ||
      resize.getCoordinateTransformationMode() ==
          CoordinateMode::TfCropAndResize)
    return view.refuse("resizes neither to the nearest nor linearly");
  auto axes = resize.getResizedAxes();
  if (!axes || axes->size() < 2 || axes->back().isResized() ||
      llvm::count_if(
          *axes, [](const ResizeAxis &axis) { return axis.isResized(); }) > 3)
    return view.refuse("resizes the innermost dimension, or more than three");
  return std::make_unique<ResizeMatch>(view, resize,
                                       getRowsAndColumns(resize.getResult()));
}
