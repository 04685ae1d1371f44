//===- GroupedConv.cpp - Convolution in groups of channels ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolution whose result channels each read the input channels of their own
// group only, channels-last: vectors over result channels, `pixels`
// neighbouring results in registers. A vector lies within a group, whose input
// channels are then multiplied with one by one, the same for all lanes; or it
// holds several whole groups, and each lane picks its group's from a vector of
// the input. A row of results, or of some of its channels, is a piece of work.
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

namespace {
/// How vectors of result channels meet groups.
struct GroupLanes {
  GroupLanes(ConvOp conv, const Isa &isa);

  /// Input and result channels of a group.
  int64_t inputs, results;
  Multiplier multiplier;
  /// Lanes of a vector, which divide the result channels; 1 where none fits.
  int64_t lanes;

  /// The lanes of what is loaded: 0 for scalars.
  int64_t getColumnLanes() const { return lanes > 1 ? lanes : 0; }
  /// A vector holds several groups.
  bool spansGroups() const { return lanes > results; }
  /// Input channels of a vector's groups.
  int64_t getVectorInputs() const {
    return spansGroups() ? lanes / results * inputs : inputs;
  }
  /// Steps of the sum over a group's input channels.
  int64_t getSteps() const {
    return llvm::divideCeil(inputs, multiplier.getDepth());
  }
  /// The first input channel of the group, or groups, of a vector.
  Value getFirstInput(KernelBuilder &b, Value firstResult) const {
    Value group = b.createOrFold<arith::DivUIOp>(firstResult, b.index(results));
    return b.mul(group, inputs);
  }

private:
  void chooseLanes(const Isa &isa, int64_t channels);
};
} // namespace

void GroupLanes::chooseLanes(const Isa &isa, int64_t channels) {
  lanes = isa.getLanes(multiplier.sum);
  while (lanes > 1 && (channels % lanes != 0 ||
                       (lanes % results != 0 && results % lanes != 0)))
    lanes /= 2;
}

GroupLanes::GroupLanes(ConvOp conv, const Isa &isa) : multiplier(isa, conv) {
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  int64_t channels = filter.back();
  inputs = filter[filter.size() - 2];
  results = channels / static_cast<int64_t>(conv.getGroup());
  chooseLanes(isa, channels);
  // Products are of 128 bits at least. Lanes that pick pick whole steps.
  bool fits = !spansGroups() ||
              (inputs % multiplier.getDepth() == 0 && multiplier.product &&
               multiplier.product->form != Isa::Form::Singles);
  if (multiplier.product && (lanes < 4 || !fits)) {
    multiplier = Multiplier::oneByOne(conv);
    chooseLanes(isa, channels);
  }
}

namespace {
class GroupedConvMatch : public SweepMatch<GroupedConvScheduleAttr> {
public:
  GroupedConvMatch(const GroupView &view, ConvOp conv, Window window,
                   const GroupLanes &groups)
      : SweepMatch(view, std::move(window)), conv(conv), groups(groups),
        multiplier(this->groups.multiplier) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    // Accumulators, a row of the filter, and the input that is at hand.
    int64_t most = multiplier.getMostRows(isa, /*vectors=*/1) -
                   std::min<int64_t>(window.kernel.back(), 9);
    addSchedules<GroupedConvScheduleAttr>(
        search, std::clamp<int64_t>(most, 2, 14), schedules, /*greatest=*/28);
  }

  double getCycles(ScheduleAttr schedule) override {
    WindowSweep sweep = getSweep(schedule);
    double results = conv.getResult().getType().getNumElements();
    double steps = results / static_cast<double>(groups.lanes) *
                   sweep.getTaps() * groups.getSteps();
    Multiplier::Preparation preparation = multiplier.getPreparation(isa);
    double elements =
        steps / sweep.getRowTaps() / sweep.getPixels() * sweep.getLoads();
    double weights = steps / sweep.getPixels();
    double picks = groups.spansGroups() ? elements : 0;
    double operations =
        picks + elements * preparation.row + weights * preparation.column;
    double products = steps * multiplier.getDepth() *
                      isa.getLanes(multiplier.sum) / multiplier.getRate(isa);
    return std::max(products + operations / isa.operationsPerCycle,
                    (elements + weights) / isa.loadsPerCycle) +
           getEpilogueCycles(group, multiplier.sum, isa) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  SmallVector<Packing> getPacking(ScheduleAttr) override {
    // For each vector of result channels, all taps and steps one after another.
    int64_t rank = static_cast<int64_t>(window.getRank());
    SmallVector<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> axes;
    axes.push_back({{rank + 1}, {groups.lanes}});
    for (int64_t dim = 0; dim < rank; ++dim)
      axes.push_back({{dim}, {}});
    axes.push_back({{rank}, {multiplier.getDepth()}});
    return {{&conv.getFilterMutable(),
             PackedAttr::make(conv.getContext(),
                              conv.getFilter().getType().getShape(), axes)}};
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    WindowSweep sweep = getCutSweep(schedule);
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), multiplier.lhs);
    FlatBuffer filter(b, ins[getInputNumber(conv.getFilter())], multiplier.rhs);
    Epilogue epilogue(group, conv, ins, outs);
    Type result = conv.getType().getElementType();
    SmallVector<int64_t> strides = getTapStrides();
    int64_t vectorStride = strides.front() * window.kernel.front();

    sweep.emit(b, input, forPieces, [&](const WindowSweep::Block &block) {
      const Columns &at = block.channels;
      Value init = getStart(b, epilogue, conv.getBias(), at, multiplier.sum);
      // What places of the input are moved by, which begin at the
      // vector's result channel.
      Value toInput = b.sub(groups.getFirstInput(b, at.start), at.start);
      Value vector = b.mul(at.start, vectorStride / groups.lanes);
      SmallVector<Value> sums = block.forTapRows(
          SmallVector<Value>(block.pixels, init), /*atOnce=*/1,
          [&](TapRow &row, MutableArrayRef<Value> sums) {
            Value weights = vector;
            for (auto [tap, stride] : llvm::zip_equal(row.firstTap, strides))
              weights = b.add(weights, b.mul(tap, stride));
            addTapRow(b, row, input, toInput, filter, weights, sums);
          });
      for (int64_t pixel = 0; pixel < block.pixels; ++pixel)
        epilogue.emit(b, b.convert(sums[pixel], multiplier.sum, result),
                      b.add(block.row, pixel), at.start, at.lanes, at.mask);
    });
  }

protected:
  int64_t getLanes() const override { return groups.getColumnLanes(); }

private:
  /// Elements of the packed filter from one tap to the next in each dimension.
  SmallVector<int64_t> getTapStrides() const {
    SmallVector<int64_t> strides(window.getRank());
    int64_t stride = groups.getSteps() * multiplier.getDepth() * groups.lanes;
    for (size_t dim = window.getRank(); dim-- > 0; stride *= window.kernel[dim])
      strides[dim] = stride;
    return strides;
  }

  /// Adds all steps of a row of taps, whose weights begin at `weightsAt`.
  void addTapRow(KernelBuilder &b, TapRow &row, const FlatBuffer &input,
                 Value toInput, const FlatBuffer &filter, Value weightsAt,
                 MutableArrayRef<Value> sums) const {
    int64_t depth = multiplier.getDepth(), stepStride = groups.lanes * depth;
    int64_t tapStride = getTapStrides().back();
    auto addStep = [&](Value step, function_ref<Value(Value)> load,
                       MutableArrayRef<Value> sums) {
      Value at = b.add(weightsAt, b.mul(step, stepStride));
      SmallVector<Value> weights(row.taps);
      for (int64_t tap = 0; tap < row.taps; ++tap)
        if (row.isUsed(tap))
          weights[tap] =
              multiplier.loadColumns(b, filter, b.add(at, tap * tapStride),
                                     groups.getColumnLanes(), Value());
      row.forInside(load, [&](int64_t pixel, int64_t tap, Value x) {
        sums[pixel] = multiplier.multiplyAdd(b, x, weights[tap], sums[pixel]);
      });
    };
    if (groups.spansGroups()) {
      for (int64_t step = 0; step < groups.getSteps(); ++step)
        addStep(
            b.index(step),
            [&](Value place) {
              return pickStep(b, input, b.add(place, toInput), step);
            },
            sums);
      return;
    }
    auto addScalars = [&](Value step, int64_t count,
                          MutableArrayRef<Value> sums) {
      Value first = b.add(toInput, b.mul(step, depth));
      addStep(
          step,
          [&](Value place) {
            return multiplier.loadRow(b, input, b.add(place, first), count);
          },
          sums);
    };
    int64_t whole = groups.inputs / depth;
    Values next =
        b.loop(b.index(0), b.index(whole), 1, Values(sums.begin(), sums.end()),
               [&](Value step, ValueRange carried) {
                 Values values(carried);
                 addScalars(step, depth, values);
                 return values;
               });
    llvm::copy(next, sums.begin());
    if (int64_t rest = groups.inputs % depth)
      addScalars(b.index(whole), rest, sums);
  }

  /// For each lane, what its group's input has at a step.
  Value pickStep(KernelBuilder &b, const FlatBuffer &input, Value at,
                 int64_t step) const {
    int64_t depth = multiplier.getDepth();
    Value all = input.load(b, at, groups.getVectorInputs());
    if (multiplier.product)
      all = vector::BitCastOp::create(
          b, VectorType::get(groups.getVectorInputs() / depth, multiplier.sum),
          all);
    else
      all = b.convert(all, multiplier.lhs, multiplier.sum);
    SmallVector<int64_t> picks;
    for (int64_t lane = 0; lane < groups.lanes; ++lane)
      picks.push_back(lane / groups.results * groups.getSteps() + step);
    return vector::ShuffleOp::create(b, all, all, picks);
  }

  ConvOp conv;
  GroupLanes groups;
  const Multiplier &multiplier;
};
} // namespace

MatchPtr brisk::matchGroupedConv(GroupView &view) {
  auto conv = dyn_cast_or_null<ConvOp>(view.getAnchor());
  if (!conv || !Multiplier::fits(conv))
    return view.refuse("has no convolution of floats or bytes");
  FailureOr<Window> window = conv.getWindow();
  if (conv.getGroup() == 1 || failed(window) ||
      conv.getFilter().getType().getNumElements() == 0)
    return view.refuse("has a convolution of one group, or of none");
  if (!isGroupInput(conv.getInput()))
    return view.refuse("computes its convolution's input");
  if (!isConstantInput(view.getGroup(), conv.getFilter()))
    return view.refuse("has a filter that is computed");
  GroupLanes groups(conv, view.getIsa());
  if (groups.inputs == 1 && groups.results == 1)
    return view.refuse("convolves each channel by itself");
  // Beyond that, a lane is picked from among too many.
  constexpr int64_t mostVectors = 4;
  if ((groups.lanes == 1 &&
       view.getIsa().getLanes(groups.multiplier.sum) > 1) ||
      (groups.spansGroups() &&
       groups.getVectorInputs() > mostVectors * groups.lanes))
    return view.refuse("has groups that fill no vector");
  return std::make_unique<GroupedConvMatch>(view, conv, std::move(*window),
                                            groups);
}
