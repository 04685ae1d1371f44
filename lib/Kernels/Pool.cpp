//===- Pool.cpp - Maximum and average pooling -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pooling of each channel by itself, channels-last: vectors over channels,
// `pixels` neighbouring windows in registers that share what they load. Padding
// is never read. A row of results, or of some of its channels, is a piece of
// work.
//
//===----------------------------------------------------------------------===//

#include "WindowSweep.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace brisk;

namespace {
class PoolMatch : public SweepMatch<PoolScheduleAttr> {
public:
  PoolMatch(const GroupView &view, Window window)
      : SweepMatch(view, std::move(window)), pool(view.getAnchor()) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    int64_t usual = std::clamp<int64_t>(isa.vectors.count / 2, 2, 8);
    addSchedules<PoolScheduleAttr>(search, usual, schedules, /*greatest=*/16);
  }

  double getCycles(ScheduleAttr schedule) override {
    WindowSweep sweep = getSweep(schedule);
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
           getTraffic() / (2 * isa.memoryBytesPerCycle);
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    WindowSweep sweep = getCutSweep(schedule);
    Type element = getElementTypeOrSelf(pool->getResult(0));
    bool isMax = llvm::isa<MaxPoolOp>(pool);
    auto average = dyn_cast<AveragePoolOp>(pool);
    bool withPadding = average && average.getCountIncludePad();
    Type wide = getWideType();
    FlatBuffer input(b, getBuffer(ins, pool->getOperand(0)), element);
    Epilogue epilogue(group, pool, ins, outs);

    sweep.emit(b, input, forPieces, [&](const WindowSweep::Block &block) {
      const Columns &at = block.channels;
      Value init = b.broadcast(isMax ? b.least(element) : b.zero(wide),
                               at.getType(wide));
      auto load = [&](Value place) {
        return input.load(b, place, at.lanes, at.mask);
      };
      SmallVector<Value> values = block.forTapRows(
          SmallVector<Value>(block.pixels, init), /*atOnce=*/1,
          [&](TapRow &row, MutableArrayRef<Value> values) {
            row.forInside(load, [&](int64_t pixel, int64_t, Value x) {
              values[pixel] =
                  isMax ? b.max(element, values[pixel], x)
                        : b.add(values[pixel], b.convert(x, element, wide));
            });
          });
      for (int64_t pixel = 0; pixel < block.pixels; ++pixel) {
        Value value = values[pixel];
        if (!isMax)
          value =
              b.convert(divide(b, value, block.countTaps(pixel, withPadding)),
                        wide, element);
        epilogue.emit(b, value, b.add(block.row, pixel), at.start, at.lanes,
                      at.mask);
      }
    });
  }

protected:
  int64_t getLanes() const override {
    return getColumnLanes(isa, getWideType(), getResultShape().back());
  }

private:
  /// What elements are compared, or summed, in.
  Type getWideType() const {
    Type element = getElementTypeOrSelf(pool->getResult(0));
    return llvm::isa<MaxPoolOp>(pool) ? getValueType(element)
                                      : getSumType(element);
  }

  /// The mean of a sum of `count` elements; 0 of none.
  static Value divide(KernelBuilder &b, Value sum, Value count) {
    count = b.createOrFold<arith::MaxUIOp>(count, b.index(1));
    if (std::optional<int64_t> known = getConstantIntValue(count))
      return b.div(sum, b.constant(sum.getType(), *known));
    Value integer = arith::IndexCastOp::create(b, b.getI32Type(), count);
    Value divisor = arith::SIToFPOp::create(
        b, getElementTypeOrSelf(sum.getType()), integer);
    return b.div(sum, b.broadcast(divisor, sum.getType()));
  }

  Operation *pool;
};
} // namespace

MatchPtr brisk::matchPool(GroupView &view) {
  Operation *pool = view.getAnchor();
  if (!isa_and_nonnull<MaxPoolOp, AveragePoolOp>(pool))
    return view.refuse("has no maximum or mean of windows");
  if (isa<AveragePoolOp>(pool) &&
      !isa<FloatType>(getElementTypeOrSelf(pool->getResult(0))))
    return view.refuse("has means of integers");
  if (!isGroupInput(pool->getOperand(0)))
    return view.refuse("computes what it pools");
  FailureOr<Window> window = cast<WindowOpInterface>(pool).getWindow();
  if (failed(window))
    return view.refuse("has no known window");
  return std::make_unique<PoolMatch>(view, std::move(*window));
}
