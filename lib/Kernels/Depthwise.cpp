//===- Depthwise.cpp - Depthwise convolution --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolution of each channel by itself, channels-last: vectors over channels,
// `pixels` neighbouring results in registers, so that a row of the filter is
// loaded once for all of them and each input element once for the row. Padding
// is never read. Schedule: `pixels`.
//
//===----------------------------------------------------------------------===//

#include "WindowSweep.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

namespace {
class DepthwiseKernel : public Kernel {
public:
  StringRef getName() const override { return "depthwise"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"pixels", 1, 64}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto conv = dyn_cast_or_null<ConvOp>(group.getAnchor());
    if (!conv || !isF32(conv.getResult()) || !isGroupInput(conv.getInput()) ||
        !isGroupInput(conv.getFilter()))
      return;
    int64_t channels = getChannels(conv);
    ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
    if (static_cast<int64_t>(conv.getGroup()) != channels ||
        filter.back() != channels || channels == 0 || failed(conv.getWindow()))
      return;
    // Accumulators, a row of the filter, and the input that is at hand.
    int64_t left = static_cast<int64_t>(isa.vectors.count) -
                   std::min<int64_t>(filter[filter.size() - 3], 9) - 2;
    int64_t pixels = std::clamp<int64_t>(left, 2, 8);
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                           {{"pixels", pixels}}));
  }

  double getCost(GroupOp group, ScheduleAttr schedule,
                 const Isa &isa) const override {
    auto conv = cast<ConvOp>(group.getAnchor());
    WindowSweep sweep = getSweep(conv, schedule);
    double results = conv.getResult().getType().getNumElements();
    Type f32 = Float32Type::get(group.getContext());
    int64_t lanes = isa.getLanes(f32);
    double vectors = results / getChannels(conv) *
                     std::ceil(double(getChannels(conv)) / lanes);
    double fmas = vectors * sweep.getTaps();
    double loads = fmas / sweep.getRowTaps() / sweep.getPixels() *
                   (sweep.getLoads() + sweep.getRowTaps());
    double epilogue =
        (countFlops(group) - 2.0 * results * sweep.getTaps()) / lanes;
    return std::max(fmas / isa.findProduct(f32)->perCycle,
                    loads / isa.loadsPerCycle) +
           std::max(0.0, epilogue) / isa.operationsPerCycle +
           countBytes(group) / (2 * isa.memoryBytesPerCycle);
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    auto conv = cast<ConvOp>(group.getAnchor());
    return std::max<int64_t>(
        1, getSweep(conv, group.getScheduleAttr()).getTasks());
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto conv = cast<ConvOp>(group.getAnchor());
    WindowSweep sweep = getSweep(conv, group.getScheduleAttr());
    Type f32 = b.getF32Type();
    int64_t channels = getChannels(conv);
    int64_t lanes = getColumnLanes(b.isa, f32, channels);
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), f32);
    FlatBuffer filter(b, getBuffer(ins, conv.getFilter()), f32);
    int64_t tapStride = filter.getStrides().drop_back(2).back();
    Epilogue epilogue(group, conv, ins, outs);

    sweep.emit(b, input, lanes, /*mayRepeat=*/true, begin, end,
               [&](const WindowSweep::Block &block) {
                 const Columns &at = block.channels;
                 Value init =
                     conv.getBias()
                         ? epilogue.evaluate(b, conv.getBias(), b.index(0),
                                             at.start, at.lanes, at.mask)
                         : b.constant(at.getType(f32), 0);
                 SmallVector<Value> sums = block.forTapRows(
                     SmallVector<Value>(block.pixels, init),
                     [&](TapRow &row, MutableArrayRef<Value> sums) {
                       SmallVector<Value> weights(row.taps);
                       Value offset = at.start;
                       for (auto [tap, stride] :
                            llvm::zip_first(row.firstTap, filter.getStrides()))
                         offset = b.add(offset, b.mul(tap, stride));
                       for (int64_t tap = 0; tap < row.taps; ++tap)
                         if (row.isUsed(tap))
                           weights[tap] =
                               filter.load(b, b.add(offset, tap * tapStride),
                                           at.lanes, at.mask);
                       row.forInside([&](int64_t pixel, int64_t tap, Value x) {
                         sums[pixel] = b.fma(x, weights[tap], sums[pixel]);
                       });
                     });
                 for (int64_t pixel = 0; pixel < block.pixels; ++pixel)
                   epilogue.emit(b, sums[pixel], b.add(block.row, pixel),
                                 at.start, at.lanes, at.mask);
               });
    return success();
  }

private:
  static int64_t getChannels(ConvOp conv) {
    return conv.getInput().getType().getShape().back();
  }

  static WindowSweep getSweep(ConvOp conv, ScheduleAttr schedule) {
    return WindowSweep(*conv.getWindow(),
                       conv.getInput().getType().getShape().front(),
                       getChannels(conv), schedule.getInt("pixels"));
  }
};
} // namespace

const Kernel &brisk::getDepthwiseKernel() {
  static const DepthwiseKernel kernel;
  return kernel;
}
