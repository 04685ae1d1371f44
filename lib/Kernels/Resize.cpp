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
// time. Schedule: `rows`, the rows of a task.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Loops/LoopOps.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class ResizeKernel : public Kernel {
public:
  StringRef getName() const override { return "resize"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"rows"}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto resize = dyn_cast_or_null<ResizeOp>(group.getAnchor());
    if (!resize || !isF32(resize.getResult()) ||
        !isGroupInput(resize.getInput()) || resize.getAntialias() ||
        resize.getMode() == ResizeMode::Cubic ||
        resize.getCoordinateTransformationMode() ==
            CoordinateMode::TfCropAndResize ||
        resize.getInput().getType().getNumElements() == 0)
      return;
    auto axes = resize.getResizedAxes();
    if (!axes || axes->size() < 2 || axes->back().isResized() ||
        llvm::count_if(
            *axes, [](const ResizeAxis &axis) { return axis.isResized(); }) > 3)
      return;
    int64_t columns = resize.getResult().getType().getShape().back();
    int64_t rows = 8192 / std::max<int64_t>(1, columns);
    schedules.push_back(ScheduleAttr::make(
        group.getContext(), getName(), {{"rows", std::max<int64_t>(1, rows)}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    auto resize = cast<ResizeOp>(group.getAnchor());
    double results = resize.getResult().getType().getNumElements();
    double lanes = isa.getLanes(Float32Type::get(group.getContext()));
    return 15.0 * getRows(resize) + 2 * results / lanes +
           countFlops(group) / lanes +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    return std::max<int64_t>(
        1, llvm::divideCeil(getRows(cast<ResizeOp>(group.getAnchor())),
                            group.getScheduleAttr().getInt("rows")));
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto resize = cast<ResizeOp>(group.getAnchor());
    auto type = resize.getResult().getType();
    if (type.getNumElements() == 0)
      return success();
    Type f32 = b.getF32Type();
    FlatBuffer input(b, getBuffer(ins, resize.getInput()), f32);
    Epilogue epilogue(group, resize, ins, outs);
    bool weighted = resize.getMode() != ResizeMode::Nearest;

    SmallVector<ResizeAxis> axes = *resize.getResizedAxes();
    axes.pop_back();
    LoopBuilder tables(b.getLoc(), b);
    SmallVector<int64_t> counts;
    SmallVector<Value> indices, weights;
    for (const ResizeAxis &axis : axes) {
      TapTable table;
      if (axis.isResized())
        table = makeTapTable(resize, axis);
      counts.push_back(table.count);
      indices.push_back(axis.isResized() ? tables.table(table.indices)
                                         : Value());
      weights.push_back(axis.isResized() && weighted
                            ? tables.table(table.weights, f32)
                            : Value());
    }

    int64_t columns = type.getShape().back();
    int64_t lanes = getColumnLanes(b.isa, f32, columns);
    int64_t taskRows = group.getScheduleAttr().getInt("rows");
    Value to = b.createOrFold<arith::MinUIOp>(b.mul(end, taskRows),
                                              b.index(getRows(resize)));
    b.loop(b.mul(begin, taskRows), to, 1, [&](Value row) {
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
                factor = arith::MulFOp::create(b, weight, factor);
            }
            next.push_back({b.add(place, b.mul(index, stride)), factor});
          }
        taps = std::move(next);
      }
      forColumns(b, columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value sum;
        for (auto [place, weight] : taps) {
          Value x = input.load(b, b.add(place, at.start), at.lanes, at.mask);
          if (!weight) {
            sum = x;
            continue;
          }
          weight = b.broadcast(weight, x.getType());
          sum = sum ? b.fma(x, weight, sum)
                    : arith::MulFOp::create(b, x, weight).getResult();
        }
        epilogue.emit(b, sum, row, at.start, at.lanes, at.mask);
      });
    });
    return success();
  }

private:
  static int64_t getRows(ResizeOp resize) {
    int64_t columns = resize.getResult().getType().getShape().back();
    int64_t elements = resize.getResult().getType().getNumElements();
    return columns ? elements / columns : 0;
  }
};
} // namespace

const Kernel &brisk::getResizeKernel() {
  static const ResizeKernel kernel;
  return kernel;
}
