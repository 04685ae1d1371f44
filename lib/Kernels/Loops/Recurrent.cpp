//===- Recurrent.cpp - Loops of recurrent layers --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task is one sequence in one direction. The states stay where the results
// want them: the last hidden state in `y_h`, the cell state in `y_c`, the new
// hidden state in `y`.
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

static Value applyFunction(LoopBuilder &b, Type type, RecurrentFunction f,
                           Value x) {
  auto number = [&](double value) { return b.constant(type, value); };
  auto isNegative = [&] { return b.isLess(type, x, number(0)); };
  switch (f.kind) {
  case RecurrentActivation::Sigmoid: {
    Value power = b.math<math::ExpOp>(type, b.sub(type, number(0), x));
    return b.div(type, number(1), b.add(type, number(1), power));
  }
  case RecurrentActivation::Tanh:
    return b.math<math::TanhOp>(type, x);
  case RecurrentActivation::Relu:
    return b.max(type, x, number(0));
  case RecurrentActivation::Affine:
    return b.add(type, b.mul(type, number(f.alpha), x), number(f.beta));
  case RecurrentActivation::LeakyRelu:
    return b.select(isNegative(), b.mul(type, number(f.alpha), x), x);
  case RecurrentActivation::ThresholdedRelu:
    return b.select(b.isLess(type, x, number(f.alpha)), number(0), x);
  case RecurrentActivation::ScaledTanh: {
    Value inner = b.mul(type, number(f.beta), x);
    return b.mul(type, number(f.alpha), b.math<math::TanhOp>(type, inner));
  }
  case RecurrentActivation::HardSigmoid: {
    Value line = b.add(type, b.mul(type, number(f.alpha), x), number(f.beta));
    return b.max(type, b.min(type, line, number(1)), number(0));
  }
  case RecurrentActivation::Elu: {
    Value power = b.sub(type, b.math<math::ExpOp>(type, x), number(1));
    return b.select(isNegative(), b.mul(type, number(f.alpha), power), x);
  }
  case RecurrentActivation::Softsign:
    return b.div(type, x, b.add(type, number(1), b.abs(type, x)));
  case RecurrentActivation::Softplus: {
    // log(1 + exp(x)), without overflow.
    Value power =
        b.math<math::ExpOp>(type, b.sub(type, number(0), b.abs(type, x)));
    return b.add(type, b.max(type, x, number(0)),
                 b.math<math::Log1pOp>(type, power));
  }
  }
  llvm_unreachable("not a recurrent function");
}

namespace {
/// One task of a layer: what the three kinds of cells share.
template <typename Op> class Layer {
public:
  Layer(LoopBuilder &b, Op op, Buffers in, Buffers out)
      : b(b), op(op), x(in[0]), w(op.getW() ? &in[1] : nullptr),
        r(in[w ? 2 : 1]), y(out[0]), yh(out[1]), type(x.getElement()),
        wide(LoopBuilder::getSumType(type)), hidden(op.getHiddenSize()),
        inputs(x.getDim(2)), steps(x.getDim(op.getLayout() ? 1 : 0)),
        batch(x.getDim(op.getLayout() ? 0 : 1)) {
    // Operands that are absent have no place among the buffers.
    size_t next = w ? 3 : 2;
    auto take = [&](Value operand) -> const Buffer * {
      return operand ? &in[next++] : nullptr;
    };
    bias = take(op.getB());
    lens = take(op.getSequenceLens());
    initialH = take(op.getInitialH());
    if constexpr (std::is_same_v<Op, LstmOp>) {
      initialC = take(op.getInitialC());
      peepholes = take(op.getP());
    }
  }

  int64_t getTasks() { return op.getNumDirections() * batch; }

  /// Runs `cell` for each step of a task. It is to make the new hidden state in
  /// `y`.
  void run(Value task, function_ref<void()> start, function_ref<void()> cell) {
    sequence = arith::RemUIOp::create(b, task, b.index(batch));
    Value which = arith::DivUIOp::create(b, task, b.index(batch));
    if (op.getNumDirections() == 1)
      return runDirection(0, start, cell);
    // Functions and order differ: each direction has its own code.
    Value isFirst = b.compare(arith::CmpIPredicate::eq, which, b.index(0));
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    runDirection(0, start, cell);
    b.setInsertionPointToStart(branch.elseBlock());
    runDirection(1, start, cell);
  }

  /// Runs `unit` for every unit of the cell.
  void forUnits(function_ref<void(Value)> unit) {
    b.loop(b.index(0), b.index(hidden), unit);
  }

  void setState(const Buffer *initial, const Buffer &state) {
    forUnits([&](Value j) {
      Value value = initial ? b.load(*initial, stateAt(j)) : b.zero(type);
      b.store(value, state, stateAt(j));
    });
  }

  Values stateAt(Value j) {
    if (op.getLayout())
      return {sequence, direction, j};
    return {direction, sequence, j};
  }
  Values yAt(Value j) {
    if (op.getLayout())
      return {sequence, time, direction, j};
    return {time, direction, sequence, j};
  }
  Value loadState(const Buffer &state, Value j) {
    return b.convert(b.load(state, stateAt(j)), type, wide);
  }
  void storeState(Value value, const Buffer &state, Value j) {
    b.store(b.convert(value, wide, type), state, stateAt(j));
  }
  void storeY(Value value, Value j) {
    b.store(b.convert(value, wide, type), y, yAt(j));
  }

  /// Gate `gate` of unit `j`: its row of `w` times the input, or what `x` has
  /// of it.
  Value timesInput(int64_t gate, Value j) {
    Value row = b.addIndex(j, gate * hidden);
    auto xAt = [&](Value k) {
      return op.getLayout() ? Values{sequence, time, k}
                            : Values{time, sequence, k};
    };
    if (!w) {
      int64_t rows = op.getNumGates() * hidden;
      Value product = b.load(x, xAt(b.addIndex(row, directionNumber * rows)));
      return b.convert(product, type, wide);
    }
    return dot(inputs, [&](Value k) {
      return multiply(b.load(x, xAt(k)), b.load(*w, {direction, row, k}));
    });
  }
  /// Its row of `r` times `state`, by default the last hidden state.
  Value timesState(int64_t gate, Value j,
                   function_ref<Value(Value)> state = nullptr) {
    Value row = b.addIndex(j, gate * hidden);
    return dot(hidden, [&](Value k) {
      Value weight = b.load(r, {direction, row, k});
      if (!state)
        return multiply(b.load(yh, stateAt(k)), weight);
      return b.mul(wide, state(k), b.convert(weight, type, wide));
    });
  }
  /// Element j of the bias of a gate, those of `r` being after those of `w`;
  /// adds nothing where there is none.
  Value addBias(Value value, int64_t gate, Value j) {
    if (!bias)
      return value;
    Value place = b.addIndex(j, gate * hidden);
    return b.add(wide, value,
                 b.convert(b.load(*bias, {direction, place}), type, wide));
  }
  Value addPeephole(Value value, int64_t gate, Value j, Value cell) {
    if (!peepholes)
      return value;
    Value place = b.addIndex(j, gate * hidden);
    Value weight =
        b.convert(b.load(*peepholes, {direction, place}), type, wide);
    return b.add(wide, value, b.mul(wide, weight, cell));
  }
  /// Function `index` of the direction, on a clipped argument.
  Value activate(int64_t index, Value value) {
    if (auto bound = op.getClip()) {
      double limit = bound->convertToDouble();
      value = b.min(wide, value, b.constant(wide, limit));
      value = b.max(wide, value, b.constant(wide, -limit));
    }
    return applyUnclipped(index, value);
  }
  Value applyUnclipped(int64_t index, Value value) {
    return applyFunction(b, wide, op.getFunction(directionNumber, index),
                         value);
  }

  LoopBuilder &b;
  Op op;
  const Buffer &x, *w, &r, &y, &yh;
  const Buffer *bias = nullptr, *lens = nullptr, *initialH = nullptr,
               *initialC = nullptr, *peepholes = nullptr;
  Type type, wide;
  int64_t hidden, inputs, steps, batch;

private:
  Value multiply(Value a, Value c) {
    return b.mul(wide, b.convert(a, type, wide), b.convert(c, type, wide));
  }
  Value dot(int64_t size, function_ref<Value(Value)> term) {
    return b.reduce(
        Span{size, {}, {}}, b.zero(wide),
        [&](Value a, Value c) { return b.add(wide, a, c); },
        [&](ValueRange k) { return term(k[0]); });
  }

  void runDirection(int64_t number, function_ref<void()> start,
                    function_ref<void()> cell) {
    directionNumber = number;
    direction = b.index(number);
    bool isReverse =
        number == 1 || op.getDirection() == RecurrentDirection::Reverse;
    setState(initialH, yh);
    start();
    Value length =
        lens ? b.loadBounded(*lens, sequence, 0, 0, steps) : b.index(steps);
    b.loop(b.index(0), length, [&](Value step) {
      time = step;
      if (isReverse)
        time = b.subIndex(b.addIndex(length, -1), step);
      cell();
      forUnits([&](Value j) { b.store(b.load(y, yAt(j)), yh, stateAt(j)); });
    });
    if (!lens)
      return;
    b.loop(length, b.index(steps), [&](Value step) {
      time = step;
      forUnits([&](Value j) { b.store(b.zero(type), y, yAt(j)); });
    });
  }

  Value sequence, direction, time;
  int64_t directionNumber = 0;
};
} // namespace

/// Sequences times directions.
template <typename Op> static int64_t countSequences(Op op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  return op.getNumDirections() * x.getDimSize(op.getLayout() ? 0 : 1);
}

//===----------------------------------------------------------------------===//
// LstmOp
//===----------------------------------------------------------------------===//

int64_t brisk::getTasks(LstmOp op) { return countSequences(op); }

void brisk::emitTask(LoopBuilder &b, LstmOp op, Buffers in, Buffers out,
                     Value task) {
  Layer<LstmOp> layer(b, op, in, out);
  const Buffer &yc = out[2];
  Type wide = layer.wide;
  enum Gate { Input, Output, Forget, Cell };
  auto getGate = [&](int64_t gate, Value j) {
    Value sum =
        b.add(wide, layer.timesInput(gate, j), layer.timesState(gate, j));
    return layer.addBias(layer.addBias(sum, gate, j), 4 + gate, j);
  };
  layer.run(
      task, [&] { layer.setState(layer.initialC, yc); },
      [&] {
        layer.forUnits([&](Value j) {
          Value last = layer.loadState(yc, j);
          // Peepholes are stacked input, output, forget.
          Value input = layer.activate(
              0, layer.addPeephole(getGate(Input, j), 0, j, last));
          Value forget;
          if (op.getInputForget())
            forget = b.sub(wide, b.constant(wide, 1), input);
          else
            forget = layer.activate(
                0, layer.addPeephole(getGate(Forget, j), 2, j, last));
          Value fresh = layer.activate(1, getGate(Cell, j));
          Value cell =
              b.add(wide, b.mul(wide, forget, last), b.mul(wide, input, fresh));
          layer.storeState(cell, yc, j);
          Value output = layer.activate(
              0, layer.addPeephole(getGate(Output, j), 1, j, cell));
          layer.storeY(b.mul(wide, output, layer.applyUnclipped(2, cell)), j);
        });
      });
}

//===----------------------------------------------------------------------===//
// GruOp
//===----------------------------------------------------------------------===//

int64_t brisk::getTasks(GruOp op) { return countSequences(op); }

bool brisk::hasScratch(GruOp op) {
  constexpr int64_t limit = 16 << 10;
  return op.getLinearBeforeReset() || op.getHiddenSize() * 8 <= limit;
}

void brisk::emitTask(LoopBuilder &b, GruOp op, Buffers in, Buffers out,
                     Value task) {
  Layer<GruOp> layer(b, op, in, out);
  Type wide = layer.wide;
  enum Gate { Update, Reset, Hidden };
  auto getGate = [&](int64_t gate, Value j) {
    Value sum =
        b.add(wide, layer.timesInput(gate, j), layer.timesState(gate, j));
    return layer.activate(
        0, layer.addBias(layer.addBias(sum, gate, j), 3 + gate, j));
  };
  // The hidden state as the reset gates leave it, once for all tasks.
  Value scratch;
  if (!op.getLinearBeforeReset()) {
    OpBuilder::InsertionGuard guard(b);
    Operation *outer = b.getInsertionBlock()->getParentOp();
    if (!outer->hasTrait<OpTrait::AutomaticAllocationScope>())
      outer = outer->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    b.setInsertionPointToStart(&outer->getRegion(0).front());
    scratch =
        memref::AllocaOp::create(b, MemRefType::get({layer.hidden}, wide));
  }
  layer.run(
      task, [] {},
      [&] {
        if (scratch)
          layer.forUnits([&](Value j) {
            Value left =
                b.mul(wide, getGate(Reset, j), layer.loadState(layer.yh, j));
            memref::StoreOp::create(b, left, scratch, j);
          });
        layer.forUnits([&](Value j) {
          Value update = getGate(Update, j);
          Value sum = layer.addBias(layer.timesInput(Hidden, j), Hidden, j);
          Value state;
          if (scratch) {
            state = layer.timesState(Hidden, j, [&](Value k) -> Value {
              return memref::LoadOp::create(b, scratch, k);
            });
            state = layer.addBias(state, 3 + Hidden, j);
          } else {
            state = layer.addBias(layer.timesState(Hidden, j), 3 + Hidden, j);
            state = b.mul(wide, getGate(Reset, j), state);
          }
          Value fresh = layer.activate(1, b.add(wide, sum, state));
          // (1 - update) * fresh + update * last
          Value last = layer.loadState(layer.yh, j);
          Value step = b.mul(wide, update, b.sub(wide, last, fresh));
          layer.storeY(b.add(wide, fresh, step), j);
        });
      });
}

//===----------------------------------------------------------------------===//
// RnnOp
//===----------------------------------------------------------------------===//

int64_t brisk::getTasks(RnnOp op) { return countSequences(op); }

void brisk::emitTask(LoopBuilder &b, RnnOp op, Buffers in, Buffers out,
                     Value task) {
  Layer<RnnOp> layer(b, op, in, out);
  layer.run(
      task, [] {},
      [&] {
        layer.forUnits([&](Value j) {
          Value sum =
              b.add(layer.wide, layer.timesInput(0, j), layer.timesState(0, j));
          sum = layer.addBias(layer.addBias(sum, 0, j), 1, j);
          layer.storeY(layer.activate(0, sum), j);
        });
      });
}
