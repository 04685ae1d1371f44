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
// is never read. A row of results, or of some of its channels, is a piece of
// work.
//
// Where an instruction adds up several products of bytes, these are of elements
// below each other: they are brought side by side once, and serve all the taps
// of neighbouring results that meet them.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "WindowSweep.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

/// By instructions of several products, or one by one where there are none or
/// no vectors and filters for them.
static Multiplier getMultiplier(const GroupView &view, ConvOp conv,
                                const Window &window) {
  const Isa &isa = view.getIsa();
  Multiplier multiplier(isa, conv);
  int64_t channels = getShape(conv.getResult()).back();
  int64_t lanes = getColumnLanes(isa, multiplier.sum, channels);
  size_t rank = window.getRank();
  bool hasProduct = multiplier.product &&
                    multiplier.product->form != Isa::Form::Singles &&
                    llvm::isa<IntegerType>(multiplier.sum);
  // Of 128 bits at least, with no channels left for scalars.
  bool hasVectors = lanes >= 4 && (isa.hasMasks() || channels >= lanes);
  if (hasProduct && hasVectors && rank > 1 && window.isInside(rank - 2) &&
      isConstantInput(view.getGroup(), conv.getFilter()))
    return multiplier;
  return Multiplier::oneByOne(conv);
}

namespace {
class DepthwiseMatch : public SweepMatch<DepthwiseScheduleAttr> {
public:
  DepthwiseMatch(const GroupView &view, ConvOp conv, Window window)
      : SweepMatch(view, std::move(window)), conv(conv),
        multiplier(getMultiplier(view, conv, this->window)),
        channels(getResultShape().back()) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    // Accumulators, a row of the filter, and the input that is at hand.
    int64_t taken = std::min<int64_t>(window.kernel.back(), 9) + 2;
    if (multiplier.product)
      taken += multiplier.getPreparation(isa).column ? taken : 2;
    int64_t left = static_cast<int64_t>(isa.vectors.count) - taken;
    addSchedules<DepthwiseScheduleAttr>(search, std::clamp<int64_t>(left, 2, 8),
                                        schedules, /*greatest=*/16);
  }

  double getCycles(ScheduleAttr schedule) override {
    WindowSweep sweep = getSweep(schedule);
    double results = conv.getResult().getType().getNumElements();
    int64_t lanes = isa.getLanes(multiplier.sum);
    double vectors = results / channels * std::ceil(double(channels) / lanes);
    double taps = vectors * sweep.getTaps();
    double steps = taps;
    double perElement = 0, perStep = multiplier.getPreparation(isa).column;
    if (multiplier.product) {
      int64_t rows = window.kernel[window.getRank() - 2];
      steps = taps / rows * llvm::divideCeil(rows, multiplier.getDepth());
      // Each row but the first is shifted and added.
      perElement = 2.0 * (rows - 1) / rows;
      // The last step's weights are spread out.
      if (rows % multiplier.getDepth())
        perStep += static_cast<double>(multiplier.getDepth()) / rows;
    }
    double elements =
        taps / sweep.getRowTaps() / sweep.getPixels() * sweep.getLoads();
    double loads = elements + steps / sweep.getPixels();
    double preparation =
        elements * perElement +
        (elements * multiplier.getPreparation(isa).row * steps / taps +
         steps / sweep.getPixels() * perStep);
    double products =
        steps * lanes * multiplier.getDepth() / multiplier.getRate(isa);
    return std::max(products + preparation / isa.operationsPerCycle,
                    loads / isa.loadsPerCycle) +
           getEpilogueCycles(group, multiplier.sum, isa) +
           getTraffic() / (2 * isa.memoryBytesPerCycle);
  }

  SmallVector<Packing> getPacking(ScheduleAttr schedule) override {
    if (!multiplier.product)
      return {};
    // A step's rows side by side for each channel, and no channels left over
    // that a load would need a mask for.
    int64_t rank = static_cast<int64_t>(window.getRank());
    SmallVector<int64_t> shape(window.kernel);
    shape.push_back(channels);
    SmallVector<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> axes;
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      axes.push_back({{dim}, {}});
    axes.push_back({{rank - 1}, {}});
    axes.push_back({{rank}, {getPanel()}});
    axes.push_back({{rank - 2}, getSteps()});
    return {{&conv.getFilterMutable(),
             PackedAttr::make(conv.getContext(), shape, axes)}};
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    WindowSweep sweep = getCutSweep(schedule);
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), multiplier.lhs);
    FlatBuffer filter(b, ins[getInputNumber(conv.getFilter())], multiplier.rhs);
    SmallVector<int64_t> strides = getTapStrides(filter);
    Epilogue epilogue(group, conv, ins, outs);
    Type result = conv.getType().getElementType();

    sweep.emit(b, input, forPieces, [&](const WindowSweep::Block &block) {
      const Columns &at = block.channels;
      Value init = getStart(b, epilogue, conv.getBias(), at, multiplier.sum);
      SmallVector<Value> sums = block.forTapRows(
          SmallVector<Value>(block.pixels, init), multiplier.getDepth(),
          [&](TapRow &row, MutableArrayRef<Value> sums) {
            SmallVector<Value> weights(row.taps);
            Value offset = b.mul(at.start, getChannelStride(row.rows));
            for (auto [tap, stride] : llvm::zip_equal(row.firstTap, strides))
              offset = b.add(offset, b.mul(tap, stride));
            for (int64_t tap = 0; tap < row.taps; ++tap)
              if (row.isUsed(tap))
                weights[tap] =
                    loadWeights(b, filter, b.add(offset, tap * strides.back()),
                                row.rows, at);
            auto load = [&](Value place) {
              return multiplier.loadLanes(b, input, place, row.rowStride,
                                          row.rows, at.lanes, at.mask);
            };
            row.forInside(load, [&](int64_t pixel, int64_t tap, Value x) {
              sums[pixel] =
                  multiplier.multiplyAdd(b, x, weights[tap], sums[pixel]);
            });
          });
      for (int64_t pixel = 0; pixel < block.pixels; ++pixel)
        epilogue.emit(b, b.convert(sums[pixel], multiplier.sum, result),
                      b.add(block.row, pixel), at.start, at.lanes, at.mask);
    });
  }

protected:
  int64_t getLanes() const override {
    return getColumnLanes(isa, multiplier.sum, channels);
  }

private:
  /// Channels of a panel of the packed filter: a vector's where the last one
  /// is filled up, else all, since the last vector may begin anywhere.
  int64_t getPanel() const {
    return isa.hasMasks() ? getColumnLanes(isa, multiplier.sum, channels)
                          : channels;
  }

  /// Rows of the window that are multiplied at a time, and those that are left
  /// for a last, shorter step.
  SmallVector<int64_t> getSteps() const {
    int64_t rows = window.kernel[window.getRank() - 2];
    SmallVector<int64_t> steps = {std::min(rows, multiplier.getDepth())};
    if (int64_t rest = rows % steps.front())
      steps.push_back(rest);
    return steps;
  }

  /// Elements of the filter from one tap to the next in each dimension of the
  /// window, for taps that begin a step.
  SmallVector<int64_t> getTapStrides(const FlatBuffer &filter) const {
    size_t rank = window.getRank();
    if (!multiplier.product)
      return SmallVector<int64_t>(filter.getStrides().take_front(rank));
    SmallVector<int64_t> strides(rank);
    int64_t panel = getPanel();
    strides[rank - 2] = panel;
    int64_t stride = strides[rank - 1] =
        llvm::alignTo(channels, panel) * window.kernel[rank - 2];
    stride *= window.kernel[rank - 1];
    for (size_t dim = rank - 2; dim-- > 0; stride *= window.kernel[dim])
      strides[dim] = stride;
    return strides;
  }

  /// Elements of the filter from one channel to the next in a step of `rows`
  /// rows or, where there are several panels, for their first ones.
  int64_t getChannelStride(int64_t rows) const {
    if (!multiplier.product)
      return 1;
    return getPanel() < channels ? window.kernel[window.getRank() - 2] : rows;
  }

  /// The filter of `rows` rows below each other.
  Value loadWeights(KernelBuilder &b, const FlatBuffer &filter, Value place,
                    int64_t rows, const Columns &at) const {
    if (multiplier.product)
      return multiplier.loadShortColumns(b, filter, place, rows, at.lanes);
    return multiplier.loadColumns(b, filter, place, at.lanes, at.mask);
  }

  ConvOp conv;
  Multiplier multiplier;
  int64_t channels;
};
} // namespace

MatchPtr brisk::matchDepthwise(GroupView &view) {
  auto conv = dyn_cast_or_null<ConvOp>(view.getAnchor());
  if (!conv || !Multiplier::fits(conv))
    return view.refuse("has no convolution of floats or bytes");
  if (!isGroupInput(conv.getInput()) || getInputNumber(conv.getFilter()) < 0)
    return view.refuse("computes its convolution's operands");
  int64_t channels = conv.getInput().getType().getShape().back();
  FailureOr<Window> window = conv.getWindow();
  if (static_cast<int64_t>(conv.getGroup()) != channels ||
      conv.getFilter().getType().getShape().back() != channels ||
      channels == 0 || failed(window))
    return view.refuse("does not convolve each channel by itself");
  return std::make_unique<DepthwiseMatch>(view, conv, std::move(*window));
}
