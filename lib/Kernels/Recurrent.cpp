//===- Recurrent.cpp - LSTM, GRU and plain recurrent layers ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recurrent layers whose products with the input are done (see
// hoist-input-products), step by step: for a vector of units at a time, the
// products of all gates with the hidden state in registers, then the
// activations. The weights are packed at compile time such that they are read
// from front to back. A direction of a sequence is a task.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Loops/ArithmeticBuilder.h"
#include "brisk/Dialect/TypeInference.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Packing.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

// Units whose states fit the stack.
static constexpr int64_t maxUnits = 1024;

namespace {
/// What the kernel asks of a layer, whatever its cells.
struct Layer {
  Operation *op = nullptr;
  Value x, r, bias, lens, initialH, initialC;
  int64_t gates = 0, units = 0, directions = 0;
  RecurrentDirection direction = RecurrentDirection::Forward;
  /// The functions f, g, h, the same in both directions.
  SmallVector<RecurrentActivation, 3> functions;

  /// None if the op is no layer that the kernel can run.
  static std::optional<Layer> get(Operation *op);

private:
  template <typename Op> static std::optional<Layer> getFrom(Op op);
};
} // namespace

/// True for an activation that the kernel has on vectors.
static bool isVectorFunction(RecurrentActivation kind) {
  return kind == RecurrentActivation::Sigmoid ||
         kind == RecurrentActivation::Tanh || kind == RecurrentActivation::Relu;
}

template <typename Op> std::optional<Layer> Layer::getFrom(Op op) {
  if (!isF32(op.getX()) || op.getW() || op.getLayout() != 0 || op.getClip() ||
      op.getHiddenSize() > maxUnits)
    return std::nullopt;
  Layer layer;
  layer.op = op;
  layer.x = op.getX();
  layer.r = op.getR();
  layer.bias = op.getB();
  layer.lens = op.getSequenceLens();
  layer.initialH = op.getInitialH();
  if constexpr (std::is_same_v<Op, LstmOp>) {
    if (op.getP() || op.getInputForget())
      return std::nullopt;
    layer.initialC = op.getInitialC();
  }
  layer.gates = op.getNumGates();
  layer.units = op.getHiddenSize();
  layer.directions = op.getNumDirections();
  layer.direction = op.getDirection();
  for (int64_t i = 0; i < op.getNumFunctions(); ++i) {
    RecurrentActivation kind = op.getFunction(0, i).kind;
    if (!isVectorFunction(kind))
      return std::nullopt;
    for (int64_t direction = 1; direction < layer.directions; ++direction)
      if (op.getFunction(direction, i).kind != kind)
        return std::nullopt;
    layer.functions.push_back(kind);
  }
  return layer;
}

std::optional<Layer> Layer::get(Operation *op) {
  if (!op)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<Layer>>(op)
      .Case<LstmOp, GruOp, RnnOp>([](auto layer) { return getFrom(layer); })
      .Default(std::nullopt);
}

/// Blocks of units, those into which forColumns cuts them; in a block the
/// states, for each the gates, for each the units of the block.
static PackedAttr getLayout(const Layer &layer, const Isa &isa) {
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
/// Emits the sequences of one layer.
class Emitter {
public:
  Emitter(KernelBuilder &b, const Layer &layer, GroupOp group, ValueRange ins,
          ValueRange outs)
      : b(b), layer(layer), f32(b.getF32Type()), units(layer.units),
        gates(layer.gates), lanes(getColumnLanes(b.isa, f32, units)),
        hidden(b, units), fresh(b, units) {
    if (isa<LstmOp>(layer.op))
      cell.emplace(b, units);
    if (auto gru = dyn_cast<GruOp>(layer.op);
        gru && !gru.getLinearBeforeReset())
      reset.emplace(b, units);
    auto getInput = [&](Value operand) {
      std::optional<FlatBuffer> buffer;
      if (!operand)
        return buffer;
      buffer.emplace(b, ins[getInputNumber(operand)],
                     cast<ShapedType>(operand.getType()).getElementType());
      return buffer;
    };
    x = getInput(layer.x);
    r = getInput(layer.r);
    bias = getInput(layer.bias);
    lens = getInput(layer.lens);
    initialH = getInput(layer.initialH);
    initialC = getInput(layer.initialC);
    for (auto [yielded, out] : llvm::zip_equal(group.getYielded(), outs))
      results[cast<OpResult>(yielded).getResultNumber()].emplace(b, out, f32);
  }

  /// A direction of a sequence.
  void emit(Value direction, Value sequence) {
    this->direction = direction;
    this->sequence = sequence;
    setState(hidden, initialH);
    if (cell)
      setState(*cell, initialC);
    int64_t steps = x->getShape()[0];
    Value length = getLength(steps);
    b.loop(b.index(0), length, 1, [&](Value step) {
      time = getTime(step, length);
      emitStep();
    });
    if (lens && results[0])
      b.loop(length, b.index(steps), 1, [&](Value step) {
        time = step;
        forUnits(
            [&](Columns at) { storeY(b.constant(at.getType(f32), 0), at); });
      });
    storeState(hidden, 1);
    if (cell)
      storeState(*cell, 2);
  }

private:
  void forUnits(function_ref<void(Columns)> body) {
    forColumns(b, units, lanes, /*mayRepeat=*/false, body);
  }

  Value getPlace(const FlatBuffer &buffer, ArrayRef<Value> indices,
                 Value column) {
    for (auto [index, stride] : llvm::zip_first(indices, buffer.getStrides()))
      column = b.add(column, b.mul(index, stride));
    return column;
  }

  //===--------------------------------------------------------------------===//
  // Around the steps
  //===--------------------------------------------------------------------===//

  void setState(const RowBuffer &state,
                const std::optional<FlatBuffer> &initial) {
    forUnits([&](Columns at) {
      Value value =
          initial ? initial->load(
                        b, getPlace(*initial, {direction, sequence}, at.start),
                        at.lanes, at.mask)
                  : b.constant(at.getType(f32), 0);
      state.store(b, value, at);
    });
  }

  void storeState(const RowBuffer &state, unsigned result) {
    if (!results[result])
      return;
    forUnits([&](Columns at) {
      results[result]->store(
          b, state.load(b, at),
          getPlace(*results[result], {direction, sequence}, at.start), at.mask);
    });
  }

  void storeY(Value value, Columns at) {
    results[0]->store(
        b, value, getPlace(*results[0], {time, direction, sequence}, at.start),
        at.mask);
  }

  /// The steps of the sequence, which end before the tensor's may.
  Value getLength(int64_t steps) {
    if (!lens)
      return b.index(steps);
    Value length = lens->load(b, getPlace(*lens, {sequence}, b.index(0)), 0);
    return boundIndex(b, length, 0, 0, steps);
  }

  Value getTime(Value step, Value length) {
    if (layer.direction == RecurrentDirection::Forward)
      return step;
    Value last = arith::SubIOp::create(b, length, b.index(1));
    Value reversed = arith::SubIOp::create(b, last, step);
    if (layer.direction == RecurrentDirection::Reverse)
      return reversed;
    Value forward = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          direction, b.index(0));
    return arith::SelectOp::create(b, forward, step, reversed);
  }

  //===--------------------------------------------------------------------===//
  // A step
  //===--------------------------------------------------------------------===//

  void emitStep() {
    // The new hidden state waits until all units have read the old one.
    if (isa<LstmOp>(layer.op))
      forUnits([&](Columns at) { emitLstm(at); });
    else if (isa<RnnOp>(layer.op))
      forUnits([&](Columns at) {
        Value sum = getSums(at, 0, 1, hidden)[0];
        sum = add(add(sum, getRecurrentBias(at, 0)), getInput(at, 0));
        fresh.store(b, apply(0, sum), at);
      });
    else if (reset)
      emitGruWithReset();
    else
      forUnits([&](Columns at) { emitGru(at); });
    forUnits([&](Columns at) {
      Value value = fresh.load(b, at);
      hidden.store(b, value, at);
      if (results[0])
        storeY(value, at);
    });
  }

  void emitLstm(Columns at) {
    enum Gate { Input, Output, Forget, Cell };
    SmallVector<Value> sums = getSums(at, 0, 4, hidden);
    for (int64_t gate = 0; gate < 4; ++gate)
      sums[gate] =
          add(add(sums[gate], getRecurrentBias(at, gate)), getInput(at, gate));
    Value added = multiply(apply(0, sums[Input]), apply(1, sums[Cell]));
    Value state = b.fma(apply(0, sums[Forget]), cell->load(b, at), added);
    cell->store(b, state, at);
    fresh.store(b, multiply(apply(0, sums[Output]), apply(2, state)), at);
  }

  enum GruGate { Update, Reset, Hidden };

  /// `linear_before_reset`: the reset gate multiplies a product.
  void emitGru(Columns at) {
    SmallVector<Value> sums = getSums(at, 0, 3, hidden);
    for (int64_t gate = 0; gate < 3; ++gate)
      sums[gate] = add(sums[gate], getRecurrentBias(at, gate));
    Value update = apply(0, add(sums[Update], getInput(at, Update)));
    Value resetGate = apply(0, add(sums[Reset], getInput(at, Reset)));
    Value argument = b.fma(resetGate, sums[Hidden], getInput(at, Hidden));
    storeGru(at, update, apply(1, argument));
  }

  /// The reset gate multiplies the hidden state, of which all must be known
  /// for the hidden gate.
  void emitGruWithReset() {
    forUnits([&](Columns at) {
      SmallVector<Value> sums = getSums(at, 0, 2, hidden);
      for (int64_t gate : {Update, Reset})
        sums[gate] = apply(0, add(add(sums[gate], getRecurrentBias(at, gate)),
                                  getInput(at, gate)));
      // Where the result will be, as it is needed until then.
      fresh.store(b, sums[Update], at);
      reset->store(b, multiply(sums[Reset], hidden.load(b, at)), at);
    });
    forUnits([&](Columns at) {
      Value sum = getSums(at, Hidden, 1, *reset)[0];
      sum = add(add(sum, getRecurrentBias(at, Hidden)), getInput(at, Hidden));
      storeGru(at, fresh.load(b, at), apply(1, sum));
    });
  }

  /// (1 - update) * candidate + update * last
  void storeGru(Columns at, Value update, Value candidate) {
    Value change =
        arith::SubFOp::create(b, hidden.load(b, at), candidate).getResult();
    fresh.store(b, b.fma(update, change, candidate), at);
  }

  /// For `count` gates from `first`, the products of the weights of units `at`
  /// with `state`.
  SmallVector<Value> getSums(Columns at, int64_t first, int64_t count,
                             const RowBuffer &state) {
    int64_t width = at.mask ? units % lanes : std::max<int64_t>(1, at.lanes);
    Value block = b.add(b.mul(direction, gates * units * units),
                        b.mul(at.start, gates * units));
    // As many sums as additions can overlap.
    constexpr int64_t chains = 8;
    int64_t unroll = llvm::divideCeil(chains, count);
    auto addOne = [&](Value k, MutableArrayRef<Value> sums) {
      Value element = b.broadcast(state.load(b, {k, 0, {}}), at.getType(f32));
      Value place = b.add(block, b.mul(k, gates * width));
      for (int64_t gate = 0; gate < count; ++gate)
        sums[gate] = b.fma(
            element,
            r->load(b, b.add(place, (first + gate) * width), at.lanes, at.mask),
            sums[gate]);
    };
    SmallVector<Value> sums(unroll * count, b.constant(at.getType(f32), 0));
    int64_t full = units / unroll * unroll;
    sums = b.loop(b.index(0), b.index(full), unroll, sums,
                  [&](Value k, ValueRange carried) {
                    SmallVector<Value> next(carried);
                    for (int64_t i = 0; i < unroll; ++i)
                      addOne(b.add(k, i),
                             MutableArrayRef(next).slice(i * count, count));
                    return next;
                  });
    for (int64_t k = full; k < units; ++k)
      addOne(b.index(k),
             MutableArrayRef(sums).slice((k - full) * count, count));
    // By halves, or what comes nearest.
    for (int64_t rest = unroll; rest > 1; rest = llvm::divideCeil(rest, 2))
      for (int64_t i = 0; i < rest / 2; ++i)
        for (int64_t gate = 0; gate < count; ++gate) {
          int64_t other = llvm::divideCeil(rest, 2) + i;
          sums[i * count + gate] =
              add(sums[i * count + gate], sums[other * count + gate]);
        }
    sums.resize(count);
    return sums;
  }

  /// A gate's product with the input, and the bias of that.
  Value getInput(Columns at, int64_t gate) {
    Value column =
        b.add(b.add(at.start, b.mul(direction, gates * units)), gate * units);
    Value value =
        x->load(b, getPlace(*x, {time, sequence}, column), at.lanes, at.mask);
    return bias ? add(value, getBias(at, gate)) : value;
  }

  Value getRecurrentBias(Columns at, int64_t gate) {
    return bias ? getBias(at, gates + gate) : Value();
  }

  Value getBias(Columns at, int64_t number) {
    return bias->load(
        b, getPlace(*bias, {direction}, b.add(at.start, number * units)),
        at.lanes, at.mask);
  }

  /// The sum of two values, the second of which may be none.
  Value add(Value first, Value second) {
    return second ? arith::AddFOp::create(b, first, second).getResult() : first;
  }

  Value multiply(Value first, Value second) {
    return arith::MulFOp::create(b, first, second);
  }

  /// Function `index` of the layer.
  Value apply(int64_t index, Value value) {
    switch (layer.functions[index]) {
    case RecurrentActivation::Sigmoid: {
      Value one = b.constant(value.getType(), 1);
      Value power = math::ExpOp::create(b, arith::NegFOp::create(b, value));
      return arith::DivFOp::create(b, one, add(one, power));
    }
    case RecurrentActivation::Relu:
      return buildMaximum(b, value, b.constant(value.getType(), 0));
    default:
      return math::TanhOp::create(b, value);
    }
  }

  KernelBuilder &b;
  const Layer &layer;
  Type f32;
  int64_t units, gates, lanes;
  RowBuffer hidden, fresh;
  /// The cell state of LSTM; the hidden state as reset gates of GRU leave it.
  std::optional<RowBuffer> cell, reset;
  std::optional<FlatBuffer> x, r, bias, lens, initialH, initialC;
  std::optional<FlatBuffer> results[3];
  Value direction, sequence, time;
};

class RecurrentMatch : public KernelMatch {
public:
  RecurrentMatch(const GroupView &view, Layer layer)
      : KernelMatch(view), layer(std::move(layer)) {}

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    schedules.push_back(RecurrentScheduleAttr::get(group.getContext()));
  }

  double getCycles(ScheduleAttr) override {
    double lanes = isa.getLanes(Float32Type::get(group.getContext()));
    // Every weight is loaded for its one use a step.
    return countFlops(group) / (2 * lanes) / isa.loadsPerCycle +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  SmallVector<Packing> getPacking(ScheduleAttr) override {
    // The one use that matchRecurrent allows.
    return {{&*layer.r.use_begin(), getLayout(layer, isa)}};
  }

  Work getWork(ScheduleAttr) override {
    return {layer.directions * getSequences()};
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    Emitter emitter(b, layer, group, ins, outs);
    forPieces([&](Value piece) {
      SmallVector<Value> at =
          delinearize(b, piece, {layer.directions, getSequences()});
      emitter.emit(at[0], at[1]);
    });
  }

private:
  int64_t getSequences() {
    return cast<ShapedType>(layer.x.getType()).getDimSize(1);
  }

  Layer layer;
};
} // namespace

MatchPtr brisk::matchRecurrent(GroupView &view) {
  auto layer = Layer::get(view.getAnchor());
  if (!layer)
    return view.refuse("has no recurrent layer, or one with options");
  if (!isConstantInput(view.getGroup(), layer->r))
    return view.refuse("computes its layer's weights");
  for (Value operand :
       {layer->x, layer->bias, layer->lens, layer->initialH, layer->initialC})
    if (operand && (!isGroupInput(operand) || operand == layer->r))
      return view.refuse("computes its layer's operands, or shares weights");
  for (Value yielded : view.getGroup().getYielded())
    if (yielded.getDefiningOp() != layer->op)
      return view.refuse("has ops behind its layer");
  return std::make_unique<RecurrentMatch>(view, std::move(*layer));
}
