//===- Depthwise.cpp - Depthwise convolution ------------------------------===//
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
// is never read. A row of results is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "WindowSweep.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

namespace {
class DepthwiseMatch : public SweepMatch<DepthwiseScheduleAttr> {
public:
  DepthwiseMatch(const GroupView &view, ConvOp conv, Window window)
      : SweepMatch(view, std::move(window)), conv(conv),
        multiplier(Multiplier::oneByOne(conv)),
        channels(getResultShape().back()) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    // Accumulators, a row of the filter, and the input that is at hand.
    ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
    int64_t left = static_cast<int64_t>(isa.vectors.count) -
                   std::min<int64_t>(filter[filter.size() - 3], 9) - 2;
    addSchedules<DepthwiseScheduleAttr>(search, std::clamp<int64_t>(left, 2, 8),
                                        schedules, /*greatest=*/16);
  }

  double getCycles(ScheduleAttr schedule) override {
    WindowSweep sweep = getSweep(schedule);
    double results = conv.getResult().getType().getNumElements();
    int64_t lanes = isa.getLanes(multiplier.sum);
    double vectors = results / channels * std::ceil(double(channels) / lanes);
    double fmas = vectors * sweep.getTaps();
    double loads = fmas / sweep.getRowTaps() / sweep.getPixels() *
                   (sweep.getLoads() + sweep.getRowTaps());
    double epilogue =
        (countFlops(group) - 2.0 * results * sweep.getTaps()) / lanes;
    return std::max(fmas * lanes / multiplier.getRate(isa),
                    loads / isa.loadsPerCycle) +
           std::max(0.0, epilogue) / isa.operationsPerCycle +
           getTraffic() / (2 * isa.memoryBytesPerCycle);
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    WindowSweep sweep = getSweep(schedule);
    int64_t lanes = getColumnLanes(b.isa, multiplier.sum, channels);
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), multiplier.lhs);
    FlatBuffer filter(b, getBuffer(ins, conv.getFilter()), multiplier.rhs);
    int64_t tapStride = filter.getStrides().drop_back(2).back();
    Epilogue epilogue(group, conv, ins, outs);

    sweep.emit(
        b, input, lanes, forPieces, [&](const WindowSweep::Block &block) {
          const Columns &at = block.channels;
          Value init = conv.getBias()
                           ? epilogue.evaluate(b, conv.getBias(), b.index(0),
                                               at.start, at.lanes, at.mask)
                           : b.zero(at.getType(multiplier.sum));
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
                    weights[tap] = multiplier.loadColumns(
                        b, filter, b.add(offset, tap * tapStride), at.lanes,
                        at.mask);
                row.forInside([&](int64_t pixel, int64_t tap, Value x) {
                  x = b.convert(x, multiplier.lhs, multiplier.sum);
                  sums[pixel] =
                      multiplier.multiplyAdd(b, x, weights[tap], sums[pixel]);
                });
              });
          for (int64_t pixel = 0; pixel < block.pixels; ++pixel)
            epilogue.emit(b, sums[pixel], b.add(block.row, pixel), at.start,
                          at.lanes, at.mask);
        });
  }

private:
  ConvOp conv;
  Multiplier multiplier;
  int64_t channels;
};
} // namespace

MatchPtr brisk::matchDepthwise(GroupView &view) {
  auto conv = dyn_cast_or_null<ConvOp>(view.getAnchor());
  if (!conv || !Multiplier::fits(conv))
    return view.refuse("has no convolution of f32 or bytes");
  if (!isGroupInput(conv.getInput()) || !isGroupInput(conv.getFilter()))
    return view.refuse("computes its convolution's operands");
  int64_t channels = conv.getInput().getType().getShape().back();
  FailureOr<Window> window = conv.getWindow();
  if (static_cast<int64_t>(conv.getGroup()) != channels ||
      conv.getFilter().getType().getShape().back() != channels ||
      channels == 0 || failed(window))
    return view.refuse("does not convolve each channel by itself");
  return std::make_unique<DepthwiseMatch>(view, conv, std::move(*window));
}
