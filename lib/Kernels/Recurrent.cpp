//===- Recurrent.cpp - LSTM, GRU and plain recurrent layers ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recurrent layers, step by step; a direction of a sequence is a task. Where
// the products with the input are done (see hoist-input-products) and the
// weights are constants of f32 or of few bits, these are packed at compile time
// such that vectors read them from front to back. Others are computed unit by
// unit.
//
//===----------------------------------------------------------------------===//

#include "RecurrentEmitter.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

template <typename Op> RecurrentLayer RecurrentLayer::getFrom(Op op) {
  RecurrentLayer layer;
  layer.op = op;
  layer.x = op.getX();
  layer.w = op.getW();
  layer.r = op.getR();
  layer.weights = &op.getRMutable();
  layer.bias = op.getB();
  layer.lens = op.getSequenceLens();
  layer.initialH = op.getInitialH();
  layer.gates = op.getNumGates();
  layer.units = op.getHiddenSize();
  layer.directions = op.getNumDirections();
  layer.direction = op.getDirection();
  layer.batchFirst = op.getLayout() != 0;
  if (auto clip = op.getClip())
    layer.clip = clip->convertToDouble();
  auto find = [](const MutableOperandRange &range) {
    return range.empty() ? nullptr : &range[0];
  };
  layer.scale = find(op.getRScaleMutable());
  layer.zero = find(op.getRZeroMutable());
  layer.sums = find(op.getRSumsMutable());
  if (layer.isNarrow()) {
    layer.bits = static_cast<int64_t>(*op.getRBits());
    layer.block = static_cast<int64_t>(*op.getRBlock());
  }
  for (int64_t d = 0; d < layer.directions; ++d)
    for (int64_t i = 0; i < op.getNumFunctions(); ++i)
      layer.functions[d].push_back(op.getFunction(d, i));
  if constexpr (std::is_same_v<Op, LstmOp>) {
    layer.initialC = op.getInitialC();
    layer.peepholes = op.getP();
    layer.coupled = op.getInputForget();
  }
  if constexpr (std::is_same_v<Op, GruOp>)
    layer.linearBeforeReset = op.getLinearBeforeReset();
  return layer;
}

std::optional<RecurrentLayer> RecurrentLayer::get(Operation *op) {
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<RecurrentLayer>>(op)
      .Case<LstmOp, GruOp, RnnOp>([](auto layer) { return getFrom(layer); })
      .Default(std::nullopt);
}

bool RecurrentLayer::isUniform() const {
  return directions == 1 || llvm::equal(functions[0], functions[1],
                                        [](const RecurrentFunction &f,
                                           const RecurrentFunction &g) {
                                          return f.kind == g.kind &&
                                                 f.alpha == g.alpha &&
                                                 f.beta == g.beta;
                                        });
}

/// True if each result is yielded at most once, and nothing else.
static bool yieldsResults(GroupOp group, const RecurrentLayer &layer) {
  SmallPtrSet<Value, 3> yielded;
  return llvm::all_of(group.getYielded(), [&](Value value) {
    return value.getDefiningOp() == layer.op && yielded.insert(value).second;
  });
}

/// True if vectors of units are computed from weights of floats.
static bool isPacked(GroupOp group, const RecurrentLayer &layer) {
  return layer.getElement().isF32() && !layer.w && !layer.isNarrow() &&
         isConstantInput(group, layer.r);
}

/// Blocks of units, those into which forColumns cuts them; in a block the
/// states, for each the gates, for each the units of the block.
static PackedAttr getLayout(const RecurrentLayer &layer, const Isa &isa) {
  Type element = cast<RankedTensorType>(layer.r.getType()).getElementType();
  int64_t lanes = getColumnLanes(isa, element, layer.units);
  SmallVector<int64_t> widths = {std::max<int64_t>(lanes, 1)};
  int64_t rest = layer.units % widths.front();
  auto take = [&](int64_t width) {
    for (; rest >= width; rest -= width)
      widths.push_back(width);
  };
  if (isa.hasMasks() && rest)
    take(rest);
  for (int64_t width = lanes / 2; width >= 4; width /= 2)
    take(width);
  take(1);
  return PackedAttr::make(
      layer.op->getContext(),
      {layer.directions, layer.gates, layer.units, layer.units},
      {{{0}, {}}, {{2}, widths}, {{3}, {}}, {{1}, {}}});
}

namespace {
class RecurrentMatch : public KernelMatch {
public:
  RecurrentMatch(const GroupView &view, RecurrentLayer layer)
      : KernelMatch(view), layer(std::move(layer)) {}

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    schedules.push_back(RecurrentScheduleAttr::get(group.getContext()));
  }

  double getCycles(ScheduleAttr) override {
    auto lanes =
        static_cast<double>(isa.getLanes(Float32Type::get(group.getContext())));
    auto runs = static_cast<double>(layer.getSteps() * layer.getSequences() *
                                    layer.directions);
    auto products = static_cast<double>(layer.getColumns() * layer.units);
    double others =
        static_cast<double>(countFlops(group)) / 2 - runs * products;
    // Every weight is loaded for its one use a step.
    constexpr double floatBytes = 4;
    double step = layer.isNarrow()
                      ? NarrowRecurrence::getCycles(layer, isa)
                      : std::max(products / lanes / isa.loadsPerCycle,
                                 products * floatBytes /
                                     isa.getReuseRate(products * floatBytes));
    return others / lanes / isa.loadsPerCycle + runs * step +
           static_cast<double>(getTraffic()) / isa.memoryBytesPerCycle;
  }

  SmallVector<Packing> getPacking(ScheduleAttr) override {
    if (layer.isNarrow())
      return NarrowRecurrence::getPacking(layer, isa);
    if (!isPacked(group, layer))
      return {};
    return {{layer.weights, getLayout(layer, isa)}};
  }

  Work getWork(ScheduleAttr) override {
    return {layer.directions * layer.getSequences()};
  }

  /// States without a result, and what GRU computes between them.
  int64_t getScratch(ScheduleAttr) override {
    Type element = layer.getElement();
    int64_t states = layer.op->getNumResults() - group.getOuts().size();
    return (layer.isNarrow() ? NarrowRecurrence::getScratch(layer, isa) : 0) +
           states * RowBuffer::getBytes(layer.units, element) +
           (layer.resetsState() ? 2 : 0) *
               RowBuffer::getBytes(layer.units, getSumType(element));
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    RecurrentEmitter emitter(b, group, layer, isPacked(group, layer), ins,
                             outs);
    forPieces([&](Value piece) {
      Values at =
          delinearize(b, piece, {layer.directions, layer.getSequences()});
      emitter.emit(at[0], at[1]);
    });
  }

private:
  RecurrentLayer layer;
};
} // namespace

MatchPtr brisk::matchRecurrent(GroupView &view) {
  auto layer = RecurrentLayer::get(view.getAnchor());
  if (!layer)
    return view.refuse("has no recurrent layer");
  GroupOp group = view.getGroup();
  if (layer->isNarrow())
    for (const Packing &packing :
         NarrowRecurrence::getPacking(*layer, view.getIsa()))
      if (!isConstantInput(group, packing.weights->get()))
        return view.refuse("has weights of few bits that are computed");
  for (Value operand : layer->op->getOperands())
    if (!isGroupInput(operand) && !isConstantInput(group, operand))
      return view.refuse("computes its layer's operands");
  if (!yieldsResults(group, *layer))
    return view.refuse("has ops behind its layer");
  return std::make_unique<RecurrentMatch>(view, std::move(*layer));
}
