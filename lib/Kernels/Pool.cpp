//===- Pool.cpp - Maximum and average pooling --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pooling of each channel by itself, channels-last: vectors over channels,
// `pixels` neighbouring windows in registers that share what they load. Padding
// is never read. Schedule: `pixels`.
//
//===----------------------------------------------------------------------===//

#include "WindowSweep.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace brisk;

namespace {
class PoolKernel : public Kernel {
public:
  StringRef getName() const override { return "pool"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"pixels", 1, 64}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    Operation *pool = group.getAnchor();
    if (!isa_and_nonnull<MaxPoolOp, AveragePoolOp>(pool) ||
        !isF32(pool->getResult(0)) || !isGroupInput(pool->getOperand(0)) ||
        failed(getWindow(pool)))
      return;
    int64_t pixels = std::clamp<int64_t>(isa.vectors.count / 2, 2, 8);
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                           {{"pixels", pixels}}));
  }

  double getCost(GroupOp group, ScheduleAttr schedule,
                 const Isa &isa) const override {
    Operation *pool = group.getAnchor();
    WindowSweep sweep = getSweep(pool, schedule);
    auto type = cast<RankedTensorType>(pool->getResult(0).getType());
    int64_t lanes = isa.getLanes(type.getElementType());
    double channels = std::max<int64_t>(1, type.getShape().back());
    double vectors =
        type.getNumElements() / channels * std::ceil(channels / lanes);
    double steps = vectors * sweep.getTaps();
    double loads =
        steps / sweep.getRowTaps() / sweep.getPixels() * sweep.getLoads();
    double elementsPerCycle = isa.getElementsPerCycle(type.getElementType());
    return std::max(steps / isa.operationsPerCycle, loads / isa.loadsPerCycle) +
           countFlops(group) / elementsPerCycle -
           type.getNumElements() * double(sweep.getTaps()) / elementsPerCycle +
           countBytes(group) / (2 * isa.memoryBytesPerCycle);
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    return std::max<int64_t>(
        1, getSweep(group.getAnchor(), group.getScheduleAttr()).getTasks());
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    Operation *pool = group.getAnchor();
    WindowSweep sweep = getSweep(pool, group.getScheduleAttr());
    Type f32 = b.getF32Type();
    bool isMax = isa<MaxPoolOp>(pool);
    auto average = dyn_cast<AveragePoolOp>(pool);
    bool withPadding = average && average.getCountIncludePad();
    int64_t lanes = getColumnLanes(b.isa, f32, getChannels(pool));
    FlatBuffer input(b, getBuffer(ins, pool->getOperand(0)), f32);
    Epilogue epilogue(group, pool, ins, outs);

    sweep.emit(
        b, input, lanes, /*mayRepeat=*/true, begin, end,
        [&](const WindowSweep::Block &block) {
          const Columns &at = block.channels;
          Type type = at.getType(f32);
          Value init = b.constant(
              type, isMax ? -std::numeric_limits<double>::infinity() : 0);
          SmallVector<Value> values = block.forTapRows(
              SmallVector<Value>(block.pixels, init),
              [&](TapRow &row, MutableArrayRef<Value> values) {
                row.forInside([&](int64_t pixel, int64_t, Value x) {
                  values[pixel] =
                      isMax ? buildMaximum(b, values[pixel], x)
                            : b.createOrFold<arith::AddFOp>(values[pixel], x);
                });
              });
          for (int64_t pixel = 0; pixel < block.pixels; ++pixel) {
            Value value = values[pixel];
            if (!isMax)
              value = divide(b, value, block.countTaps(pixel, withPadding));
            epilogue.emit(b, value, b.add(block.row, pixel), at.start, at.lanes,
                          at.mask);
          }
        });
    return success();
  }

private:
  static FailureOr<Window> getWindow(Operation *pool) {
    return TypeSwitch<Operation *, FailureOr<Window>>(pool)
        .Case<MaxPoolOp, AveragePoolOp>([](auto op) { return op.getWindow(); });
  }

  static int64_t getChannels(Operation *pool) {
    return cast<RankedTensorType>(pool->getResult(0).getType())
        .getShape()
        .back();
  }

  static WindowSweep getSweep(Operation *pool, ScheduleAttr schedule) {
    auto type = cast<RankedTensorType>(pool->getResult(0).getType());
    return WindowSweep(*getWindow(pool), type.getShape().front(),
                       getChannels(pool), schedule.getInt("pixels"));
  }

  /// The mean of a sum of `count` elements; 0 of none.
  static Value divide(KernelBuilder &b, Value sum, Value count) {
    count = b.createOrFold<arith::MaxUIOp>(count, b.index(1));
    if (std::optional<int64_t> known = getConstantIntValue(count))
      return arith::DivFOp::create(b, sum, b.constant(sum.getType(), *known));
    Value integer = arith::IndexCastOp::create(b, b.getI32Type(), count);
    Value divisor = arith::SIToFPOp::create(b, b.getF32Type(), integer);
    return arith::DivFOp::create(b, sum, b.broadcast(divisor, sum.getType()));
  }
};
} // namespace

const Kernel &brisk::getPoolKernel() {
  static const PoolKernel kernel;
  return kernel;
}
