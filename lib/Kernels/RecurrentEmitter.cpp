//===- RecurrentEmitter.cpp - The steps of recurrent layers ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrentEmitter.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// Operands and states
//===----------------------------------------------------------------------===//

static std::optional<FlatBuffer> getOperand(KernelBuilder &b, Value operand,
                                            ValueRange ins) {
  if (!operand)
    return std::nullopt;
  return FlatBuffer(b, ins[getInputNumber(operand)],
                    getElementTypeOrSelf(operand.getType()));
}

RecurrentEmitter::RecurrentEmitter(KernelBuilder &b, GroupOp group,
                                   const RecurrentLayer &layer, bool packed,
                                   ValueRange ins, ValueRange outs)
    : b(b), layer(layer), type(layer.getElement()), wide(getSumType(type)),
      packed(packed), lanes(packed || layer.isNarrow()
                                ? getColumnLanes(b.isa, type, layer.units)
                                : 0),
      x(getOperand(b, layer.x, ins)), w(getOperand(b, layer.w, ins)),
      r(getOperand(b, layer.r, ins)), bias(getOperand(b, layer.bias, ins)),
      lens(getOperand(b, layer.lens, ins)),
      initialH(getOperand(b, layer.initialH, ins)),
      initialC(getOperand(b, layer.initialC, ins)),
      peepholes(getOperand(b, layer.peepholes, ins)) {
  for (auto [yielded, out] : llvm::zip_equal(group.getYielded(), outs))
    results[cast<OpResult>(yielded).getResultNumber()].emplace(b, out, type);
  int64_t used = 0; // of the scratch memory
  auto take = [&](std::optional<RowBuffer> &row, Type element) {
    row.emplace(b, layer.units, element, used);
    used += RowBuffer::getBytes(layer.units, element);
  };
  for (unsigned i = 0; i < layer.op->getNumResults(); ++i)
    if (!results[i])
      take(locals[i], type);
  if (layer.resetsState()) {
    take(reset, wide);
    take(updates, wide);
  }
  if (layer.isNarrow())
    narrow.emplace(b, layer, ins, used);
}

/// The place of `column` where `indices` are those of the other dimensions.
static Value getPlace(KernelBuilder &b, const FlatBuffer &buffer,
                      ArrayRef<Value> indices, Value column) {
  for (auto [index, stride] : llvm::zip_first(indices, buffer.getStrides()))
    column = b.add(column, b.mul(index, stride));
  return column;
}

Value RecurrentEmitter::load(const FlatBuffer &operand, ArrayRef<Value> indices,
                             Value column, Columns at) {
  Value value =
      operand.load(b, getPlace(b, operand, indices, column), at.lanes, at.mask);
  return b.convert(value, type, wide);
}

Value RecurrentEmitter::load(const State &state, Columns at) {
  Value value =
      state.buffer->load(b, b.add(state.start, at.start), at.lanes, at.mask);
  return b.convert(value, type, wide);
}

void RecurrentEmitter::store(Value value, const State &state, Columns at) {
  state.buffer->store(b, b.convert(value, wide, type),
                      b.add(state.start, at.start), at.mask);
}

Values RecurrentEmitter::getStateAt() const {
  return layer.batchFirst ? Values{sequence, direction}
                          : Values{direction, sequence};
}

RecurrentEmitter::State RecurrentEmitter::getState(unsigned result) {
  if (!results[result])
    return {&locals[result]->getRow(), b.index(0)};
  Values at = getStateAt();
  if (result == 0) // y has a row of units for each step.
    at.insert(at.begin() + (layer.batchFirst ? 1 : 0), time);
  return {&*results[result], getPlace(b, *results[result], at, b.index(0))};
}

void RecurrentEmitter::setState(const State &state,
                                const std::optional<FlatBuffer> &initial) {
  forUnits([&](Columns at) {
    Value value = initial ? load(*initial, getStateAt(), at.start, at)
                          : b.zero(at.getType(wide));
    store(value, state, at);
  });
}

//===----------------------------------------------------------------------===//
// Around the steps
//===----------------------------------------------------------------------===//

void RecurrentEmitter::emit(Value direction, Value sequence) {
  this->direction = direction;
  this->sequence = sequence;
  hidden = getState(1);
  setState(hidden, initialH);
  if (isa<LstmOp>(layer.op)) {
    cell = getState(2);
    setState(cell, initialC);
  }
  Value length = getLength();
  if (layer.isUniform())
    emitSteps(length, 0);
  else
    b.ifElse(
        b.compare(arith::CmpIPredicate::eq, direction, b.index(0)),
        [&] { emitSteps(length, 0); }, [&] { emitSteps(length, 1); });
  if (!lens || !results[0])
    return;
  b.loop(length, b.index(layer.getSteps()), [&](Value step) {
    time = step;
    State rest = getState(0);
    forUnits([&](Columns at) { store(b.zero(at.getType(wide)), rest, at); });
  });
}

/// The steps of the sequence, which end before the tensor's may.
Value RecurrentEmitter::getLength() {
  int64_t steps = layer.getSteps();
  if (!lens)
    return b.index(steps);
  Value length = lens->load(b, getPlace(b, *lens, sequence, b.index(0)),
                            /*lanes=*/0);
  return b.boundIndex(length, 0, 0, steps);
}

Value RecurrentEmitter::getTime(Value step, Value length) {
  if (layer.direction == RecurrentDirection::Forward)
    return step;
  Value reversed = b.sub(b.sub(length, b.index(1)), step);
  if (layer.direction == RecurrentDirection::Reverse)
    return reversed;
  Value forward = b.compare(arith::CmpIPredicate::eq, direction, b.index(0));
  return b.select(forward, step, reversed);
}

void RecurrentEmitter::emitSteps(Value length, unsigned functions) {
  this->functions = functions;
  b.loop(b.index(0), length, [&](Value step) {
    time = getTime(step, length);
    fresh = getState(0);
    emitStep();
    // The new hidden state waits until all units have read the old one.
    forUnits([&](Columns at) { store(load(fresh, at), hidden, at); });
  });
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

void RecurrentEmitter::emitStep() {
  if (!layer.resetsState())
    multiply(0, layer.gates, hidden);
  if (isa<LstmOp>(layer.op))
    forUnits([&](Columns at) { emitLstm(at); });
  else if (isa<RnnOp>(layer.op))
    forUnits([&](Columns at) {
      store(activate(0, getGates(at, 0, 1, hidden)[0]), fresh, at);
    });
  else if (layer.linearBeforeReset)
    forUnits([&](Columns at) { emitGru(at); });
  else
    emitGruWithReset();
}

void RecurrentEmitter::emitLstm(Columns at) {
  enum Gate { Input, Output, Forget, Cell };
  Values sums = getGates(at, 0, 4, hidden);
  Value last = load(cell, at);
  // Peepholes are stacked input, output, forget.
  Value input = activate(0, addPeephole(sums[Input], at, 0, last));
  Value forget = layer.coupled
                     ? b.sub(b.constant(input, 1), input)
                     : activate(0, addPeephole(sums[Forget], at, 2, last));
  Value added = b.mul(input, activate(1, sums[Cell]));
  Value state = b.fma(forget, last, added);
  store(state, cell, at);
  Value output = activate(0, addPeephole(sums[Output], at, 1, state));
  store(b.mul(output, apply(2, state)), fresh, at);
}

namespace {
enum GruGate { Update, Reset, Hidden };
} // namespace

/// `linear_before_reset`: the reset gate multiplies a product.
void RecurrentEmitter::emitGru(Columns at) {
  Values sums = getSums(at, 0, 3, hidden);
  for (int64_t gate = 0; gate < 3; ++gate)
    sums[gate] = addBias(sums[gate], at, gate);
  Value update = activate(0, b.add(sums[Update], getInput(at, Update)));
  Value resets = activate(0, b.add(sums[Reset], getInput(at, Reset)));
  Value argument = b.fma(resets, sums[Hidden], getInput(at, Hidden));
  storeGru(at, update, activate(1, argument));
}

/// The reset gate multiplies the hidden state, of which all must be known for
/// the hidden gate.
void RecurrentEmitter::emitGruWithReset() {
  multiply(Update, 2, hidden);
  forUnits([&](Columns at) {
    Values sums = getGates(at, 0, 2, hidden);
    updates->store(b, activate(0, sums[Update]), at);
    reset->store(b, b.mul(activate(0, sums[Reset]), load(hidden, at)), at);
  });
  State left{&reset->getRow(), b.index(0)};
  multiply(Hidden, 1, left);
  forUnits([&](Columns at) {
    Value sum = getGates(at, Hidden, 1, left)[0];
    storeGru(at, updates->load(b, at), activate(1, sum));
  });
}

/// (1 - update) * candidate + update * last
void RecurrentEmitter::storeGru(Columns at, Value update, Value candidate) {
  Value change = b.sub(load(hidden, at), candidate);
  store(b.fma(update, change, candidate), fresh, at);
}

void RecurrentEmitter::multiply(int64_t first, int64_t count,
                                const State &state) {
  if (narrow)
    narrow->emit(direction, *state.buffer, state.start, first, count);
}

Values RecurrentEmitter::getSums(Columns at, int64_t first, int64_t count,
                                 const State &state) {
  int64_t units = layer.units;
  if (narrow) {
    Values sums;
    for (int64_t gate = first; gate < first + count; ++gate)
      sums.push_back(narrow->load(gate, at));
    return sums;
  }
  if (!packed) {
    Values sums;
    for (int64_t gate = first; gate < first + count; ++gate) {
      Value row = b.add(at.start, gate * units);
      sums.push_back(b.sum(Span{units, {}, {}}, wide, [&](ValueRange k) {
        Columns place{k[0], 0, {}};
        return b.mul(load(state, place),
                     load(*r, {direction, row}, k[0], place));
      }));
    }
    return sums;
  }
  int64_t width = at.mask ? units % lanes : std::max<int64_t>(1, at.lanes);
  Value block = b.add(b.mul(direction, layer.gates * units * units),
                      b.mul(at.start, layer.gates * units));
  SmallVector<ColumnVector> columns;
  for (int64_t gate = first; gate < first + count; ++gate)
    columns.push_back({gate * width, at.lanes, at.mask});
  // As many sums as additions can overlap.
  constexpr int64_t chains = 8;
  int64_t unroll = llvm::divideCeil(chains, count);
  // Weights lie by gates, not by elements of a step.
  const Multiplier multiplier(Isa(), state.buffer->getElementType(),
                              r->getElementType(), wide);
  Contraction product{multiplier,
                      *state.buffer,
                      state.start,
                      /*rows=*/1,
                      /*rowStride=*/0,
                      *r,
                      block,
                      layer.gates * width,
                      columns,
                      units,
                      unroll,
                      /*splitsSums=*/true};
  return product.emit(b, Values(count, b.zero(at.getType(wide))));
}

Values RecurrentEmitter::getGates(Columns at, int64_t first, int64_t count,
                                  const State &state) {
  Values sums = getSums(at, first, count, state);
  for (int64_t i = 0; i < count; ++i)
    sums[i] = b.add(addBias(sums[i], at, first + i), getInput(at, first + i));
  return sums;
}

Value RecurrentEmitter::getInput(Columns at, int64_t gate) {
  int64_t units = layer.units;
  Values step =
      layer.batchFirst ? Values{sequence, time} : Values{time, sequence};
  Value row = b.add(at.start, gate * units), value;
  int64_t inputs = w ? w->getShape().back() : 0;
  if (w)
    value = b.sum(Span{inputs, {}, {}}, wide, [&](ValueRange k) {
      Columns place{k[0], 0, {}};
      return b.mul(load(*x, step, k[0], place),
                   load(*w, {direction, row}, k[0], place));
    });
  else
    value =
        load(*x, step, b.add(row, b.mul(direction, layer.gates * units)), at);
  return bias ? b.add(value, load(*bias, direction, row, at)) : value;
}

Value RecurrentEmitter::addBias(Value sum, Columns at, int64_t gate) {
  if (!bias)
    return sum;
  Value row = b.add(at.start, (layer.gates + gate) * layer.units);
  return b.add(sum, load(*bias, direction, row, at));
}

Value RecurrentEmitter::addPeephole(Value sum, Columns at, int64_t number,
                                    Value state) {
  if (!peepholes)
    return sum;
  Value row = b.add(at.start, number * layer.units);
  return b.fma(load(*peepholes, direction, row, at), state, sum);
}

Value RecurrentEmitter::activate(int64_t index, Value value) {
  if (layer.clip) {
    value = b.min(wide, value, b.constant(value, *layer.clip));
    value = b.max(wide, value, b.constant(value, -*layer.clip));
  }
  return apply(index, value);
}

Value RecurrentEmitter::apply(int64_t index, Value value) {
  const RecurrentFunction &f = layer.functions[functions][index];
  Value x = value;
  auto number = [&](double number) { return b.constant(x, number); };
  auto isBelow = [&](double number) {
    return b.compare(arith::CmpFPredicate::OLT, x, b.constant(x, number));
  };
  switch (f.kind) {
  case RecurrentActivation::Sigmoid:
    return b.sigmoid(x);
  case RecurrentActivation::Tanh:
    return b.make<math::TanhOp>(x);
  case RecurrentActivation::Relu:
    return b.max(wide, x, number(0));
  case RecurrentActivation::Affine:
    return b.add(b.mul(number(f.alpha), x), number(f.beta));
  case RecurrentActivation::LeakyRelu:
    return b.select(isBelow(0), b.mul(number(f.alpha), x), x);
  case RecurrentActivation::ThresholdedRelu:
    return b.select(isBelow(f.alpha), number(0), x);
  case RecurrentActivation::ScaledTanh:
    return b.mul(number(f.alpha),
                 b.make<math::TanhOp>(b.mul(number(f.beta), x)));
  case RecurrentActivation::HardSigmoid: {
    Value line = b.add(b.mul(number(f.alpha), x), number(f.beta));
    return b.max(wide, b.min(wide, line, number(1)), number(0));
  }
  case RecurrentActivation::Elu: {
    Value power = b.sub(b.make<math::ExpOp>(x), number(1));
    return b.select(isBelow(0), b.mul(number(f.alpha), power), x);
  }
  case RecurrentActivation::Softsign:
    return b.div(x, b.add(number(1), b.make<math::AbsFOp>(x)));
  case RecurrentActivation::Softplus:
    return b.softplus(x);
  }
  llvm_unreachable("not a recurrent function");
}
