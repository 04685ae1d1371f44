//===- Lstm.cpp - Long short-term memory --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LSTM with the usual activations, step by step: a vector of units at a time,
// the four gates' products with the input and the hidden state in registers,
// then the activations. The weights are transposed at compile time, so that the
// units of a gate lie next to each other. A direction of a sequence is a task.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Packing.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/TypeInference.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;

// Units whose states fit the stack.
static constexpr int64_t maxUnits = 1024;

static bool hasUsualFunctions(LstmOp lstm) {
  constexpr RecurrentActivation usual[] = {RecurrentActivation::Sigmoid,
                                           RecurrentActivation::Tanh,
                                           RecurrentActivation::Tanh};
  for (int64_t direction = 0; direction < lstm.getNumDirections(); ++direction)
    for (int64_t i = 0; i < 3; ++i)
      if (lstm.getFunction(direction, i).kind != usual[i])
        return false;
  return true;
}

/// The shape of `weights`, D x rows x columns, when packed: D x columns x rows.
static SmallVector<int64_t> getPackedShape(Value weights) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(weights.getType()).getShape();
  return {shape[0], shape[2], shape[1]};
}

namespace {
class LstmKernel : public Kernel {
public:
  StringRef getName() const override { return "lstm"; }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto lstm = dyn_cast_or_null<LstmOp>(group.getAnchor());
    if (!lstm || !isF32(lstm.getX()) || lstm.getLayout() != 0 ||
        lstm.getSequenceLens() || lstm.getP() || lstm.getClip() ||
        lstm.getInputForget() || lstm.getHiddenSize() > maxUnits ||
        !hasUsualFunctions(lstm) || !isConstantInput(group, lstm.getW()) ||
        !isConstantInput(group, lstm.getR()) || lstm.getW() == lstm.getR())
      return;
    for (Value operand :
         {lstm.getX(), lstm.getB(), lstm.getInitialH(), lstm.getInitialC()})
      if (operand && (!isGroupInput(operand) || operand == lstm.getW() ||
                      operand == lstm.getR()))
        return;
    for (Value yielded : group.getYielded())
      if (yielded.getDefiningOp() != lstm)
        return;
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName()));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    double lanes = isa.getLanes(Float32Type::get(group.getContext()));
    // Every weight is loaded for its one use a step.
    return countFlops(group) / (2 * lanes) / isa.loadsPerCycle +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    auto lstm = cast<LstmOp>(group.getAnchor());
    return std::max<int64_t>(1, lstm.getNumDirections() *
                                    lstm.getX().getType().getShape()[1]);
  }

  void pack(GroupOp group, const Isa &isa,
            RewriterBase &rewriter) const override {
    auto lstm = cast<LstmOp>(group.getAnchor());
    packTransposed(group, lstm.getW(), rewriter);
    packTransposed(group, lstm.getR(), rewriter);
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override;

private:
  static void packTransposed(GroupOp group, Value weights,
                             RewriterBase &rewriter) {
    int64_t number = getInputNumber(weights);
    auto constant = group.getIns()[number].getDefiningOp<ConstantOp>();
    SmallVector<int64_t> shape = getPackedShape(weights);
    int64_t columns = shape[1], rows = shape[2];
    AsmResourceBlob blob =
        allocateBlob(llvm::product_of(shape) * sizeof(float));
    auto *to = reinterpret_cast<float *>(blob.getMutableData().data());
    ElementBytes bytes(constant.getValue());
    const float *from = bytes.as<float>().data();
    for (int64_t d = 0; d < shape[0]; ++d, from += rows * columns)
      for (int64_t column = 0; column < columns; ++column)
        for (int64_t row = 0; row < rows; ++row)
          *to++ = from[row * columns + column];
    setPacked(group, number, shape, std::move(blob), rewriter);
  }
};

/// Emits the sequences of one LSTM.
class Emitter {
public:
  Emitter(KernelBuilder &b, GroupOp group, ValueRange ins, ValueRange outs)
      : b(b), lstm(cast<LstmOp>(group.getAnchor())), f32(b.getF32Type()),
        units(lstm.getHiddenSize()), hidden(b, units), cell(b, units),
        fresh(b, units) {
    auto getInput = [&](Value operand) {
      std::optional<FlatBuffer> buffer;
      if (!operand)
        return buffer;
      buffer.emplace(b, ins[getInputNumber(operand)], f32);
      return buffer;
    };
    x = getInput(lstm.getX());
    w = getInput(lstm.getW());
    r = getInput(lstm.getR());
    bias = getInput(lstm.getB());
    initialH = getInput(lstm.getInitialH());
    initialC = getInput(lstm.getInitialC());
    for (auto [yielded, out] : llvm::zip_equal(group.getYielded(), outs))
      results[cast<OpResult>(yielded).getResultNumber()].emplace(b, out, f32);
    lanes = getColumnLanes(b.isa, f32, units);
  }

  /// A direction of a sequence.
  void emit(Value direction, Value sequence) {
    forUnits([&](Columns at) {
      for (auto [state, initial] :
           {std::pair(&hidden, &initialH), std::pair(&cell, &initialC)}) {
        Value value = b.constant(at.getType(f32), 0);
        if (*initial)
          value = (*initial)->load(
              b, getPlace(**initial, {direction, sequence}, at.start), at.lanes,
              at.mask);
        state->store(b, value, at);
      }
    });
    int64_t steps = x->getShape()[0];
    b.loop(b.index(0), b.index(steps), 1, [&](Value step) {
      Value time = getTime(step, direction, steps);
      // The new hidden state waits until all units have read the old one.
      forUnits([&](Columns at) { emitUnits(direction, sequence, time, at); });
      forUnits([&](Columns at) {
        Value value = fresh.load(b, at);
        hidden.store(b, value, at);
        if (results[0])
          results[0]->store(
              b, value,
              getPlace(*results[0], {time, direction, sequence}, at.start),
              at.mask);
      });
    });
    forUnits([&](Columns at) {
      for (auto [number, state] : {std::pair(1, &hidden), std::pair(2, &cell)})
        if (results[number])
          results[number]->store(
              b, state->load(b, at),
              getPlace(*results[number], {direction, sequence}, at.start),
              at.mask);
    });
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

  Value getTime(Value step, Value direction, int64_t steps) {
    if (lstm.getDirection() == RecurrentDirection::Forward)
      return step;
    Value reversed =
        arith::SubIOp::create(b, b.index(steps - 1), step).getResult();
    if (lstm.getDirection() == RecurrentDirection::Reverse)
      return reversed;
    Value forward = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          direction, b.index(0));
    return arith::SelectOp::create(b, forward, step, reversed);
  }

  /// Adds to the gates of units `at` the products with `count` elements.
  SmallVector<Value> addProducts(SmallVector<Value> gates,
                                 const FlatBuffer &weights, Value direction,
                                 int64_t count, Columns at,
                                 function_ref<Value(Value)> getElement) {
    // Two sums a gate, so that additions overlap.
    auto addOne = [&](Value k, MutableArrayRef<Value> sums) {
      Value element = b.broadcast(getElement(k), at.getType(f32));
      Value place = getPlace(weights, {direction, k}, at.start);
      for (int64_t gate = 0; gate < 4; ++gate)
        sums[gate] = b.fma(
            element,
            weights.load(b, b.add(place, gate * units), at.lanes, at.mask),
            sums[gate]);
    };
    int64_t full = count / 2 * 2;
    gates = b.loop(b.index(0), b.index(full), 2, gates,
                   [&](Value k, ValueRange carried) {
                     SmallVector<Value> sums(carried);
                     addOne(k, MutableArrayRef(sums).take_front(4));
                     addOne(b.add(k, 1), MutableArrayRef(sums).drop_front(4));
                     return sums;
                   });
    if (full < count)
      addOne(b.index(full), MutableArrayRef(gates).take_front(4));
    return gates;
  }

  Value sigmoid(Value x) {
    Value one = b.constant(x.getType(), 1);
    Value power = math::ExpOp::create(b, arith::NegFOp::create(b, x));
    return arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, power));
  }

  void emitUnits(Value direction, Value sequence, Value time, Columns at) {
    SmallVector<Value> gates(8, b.constant(at.getType(f32), 0));
    if (bias)
      for (int64_t i = 0; i < 8; ++i)
        gates[i] = bias->load(
            b, getPlace(*bias, {direction}, b.add(at.start, i * units)),
            at.lanes, at.mask);
    Value input = getPlace(*x, {time, sequence}, b.index(0));
    gates =
        addProducts(gates, *w, direction, x->getShape()[2], at,
                    [&](Value k) { return x->load(b, b.add(input, k), 0); });
    gates = addProducts(gates, *r, direction, units, at,
                        [&](Value k) { return hidden.load(b, {k, 0, {}}); });
    for (int64_t gate = 0; gate < 4; ++gate)
      gates[gate] =
          arith::AddFOp::create(b, gates[gate], gates[gate + 4]).getResult();
    // In the order input, output, forget, cell.
    Value candidate = math::TanhOp::create(b, gates[3]);
    Value added = arith::MulFOp::create(b, sigmoid(gates[0]), candidate);
    Value state = b.fma(sigmoid(gates[2]), cell.load(b, at), added);
    cell.store(b, state, at);
    Value output = arith::MulFOp::create(b, sigmoid(gates[1]),
                                         math::TanhOp::create(b, state));
    fresh.store(b, output, at);
  }

  KernelBuilder &b;
  LstmOp lstm;
  Type f32;
  int64_t units, lanes;
  RowBuffer hidden, cell, fresh;
  std::optional<FlatBuffer> x, w, r, bias, initialH, initialC;
  std::optional<FlatBuffer> results[3];
};
} // namespace

LogicalResult LstmKernel::emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                               ValueRange outs, Value begin, Value end) const {
  auto lstm = cast<LstmOp>(group.getAnchor());
  for (Value weights : {lstm.getW(), lstm.getR()})
    if (failed(verifyPacked(group, weights, getPackedShape(weights))))
      return failure();
  int64_t directions = lstm.getNumDirections();
  int64_t sequences = lstm.getX().getType().getShape()[1];
  if (sequences == 0)
    return success();
  Emitter emitter(b, group, ins, outs);
  b.loop(begin, end, 1, [&](Value task) {
    SmallVector<Value> at = delinearize(b, task, {directions, sequences});
    emitter.emit(at[0], at[1]);
  });
  return success();
}

const Kernel &brisk::getLstmKernel() {
  static const LstmKernel kernel;
  return kernel;
}
