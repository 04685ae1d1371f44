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
    bool weighted = resize.getMode() != ResizeMode::Nearest;

    SmallVector<ResizeAxis> axes = *resize.getResizedAxes();
    axes.pop_back();
    SmallVector<int64_t> counts;
    SmallVector<Value> indices, weights;
    for (const ResizeAxis &axis : axes) {
      TapTable table;
      if (axis.isResized())
        table = makeTapTable(resize, axis);
      counts.push_back(table.count);
      indices.push_back(axis.isResized() ? b.table(table.indices) : Value());
      weights.push_back(
          axis.isResized() && weighted ? b.table(table.weights, f32) : Value());
    }

    int64_t lanes = getColumnLanes(b.isa, f32, size.columns);
    forPieces([&](Value row) {
      SmallVector<Value> at = delinearize(b, row, type.getShape().drop_back());
      // The rows of the input, and the product of their weights.
      SmallVector<std::pair<Value, Value>> taps = {{b.index(0), Value()}};
      for (auto [d, count] : llvm::enumerate(counts)) {
        int64_t stride = input.getStrides()[d];
        SmallVector<std::pair<Value, Value>> next;
        for (auto [place, weight] : taps)
          for (int64_t tap = 0; tap < count; ++tap) {
            if (!indices[d]) {
              next.push_back({b.add(place, b.mul(at[d], stride)), weight});
              continue;
            }
            Value entry = b.add(b.mul(at[d], count), tap);
            Value index = memref::LoadOp::create(b, indices[d], entry);
            index = arith::IndexCastOp::create(b, b.getIndexType(), index);
            Value factor = weight;
            if (weights[d]) {
              factor = memref::LoadOp::create(b, weights[d], entry);
              if (weight)
                factor = b.mul(weight, factor);
            }
            next.push_back({b.add(place, b.mul(index, stride)), factor});
          }
        taps = std::move(next);
      }
      forColumns(b, size.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value sum;
        for (auto [place, weight] : taps) {
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
