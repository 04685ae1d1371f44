//===- Contraction.cpp - The inner loop of products -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Instructions that an elementwise op takes for an element.
static double countInstructions(ComputeOpInterface op, double elements) {
  if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op.getOperation()))
    if (auto instructions = elementwise.getInstructions())
      return static_cast<double>(*instructions) * elements;
  return static_cast<double>(op.countFlops());
}

static double countInstructions(ComputeOpInterface op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return countInstructions(op, static_cast<double>(type.getNumElements()));
}

double brisk::getEpilogueCycles(GroupOp group, Type sum, const Isa &isa) {
  double instructions = 0;
  Operation *anchor = group.getAnchor();
  for (auto op : group.getBlock()->getOps<ComputeOpInterface>())
    if (op != anchor && op->getNumResults() == 1)
      instructions += countInstructions(op);
  return instructions / isa.getElementsPerCycle(sum);
}

double brisk::getPrologueCycles(Value operand, Type sum, const Isa &isa) {
  double instructions = 0;
  llvm::SmallSetVector<Value, 4> values;
  values.insert(operand);
  for (size_t i = 0; i < values.size(); ++i)
    if (auto op = values[i].getDefiningOp<ComputeOpInterface>()) {
      instructions += countInstructions(op);
      values.insert(op->operand_begin(), op->operand_end());
    }
  return instructions / isa.getElementsPerCycle(sum);
}

Values brisk::loopUnrolled(KernelBuilder &b, int64_t count, int64_t unroll,
                           Values carried,
                           function_ref<void(Value, int64_t, Values &)> step) {
  int64_t full = count / unroll * unroll;
  if (full)
    carried = b.loop(b.index(0), b.index(full), unroll, carried,
                     [&](Value at, ValueRange values) {
                       Values next(values);
                       for (int64_t i = 0; i < unroll; ++i)
                         step(b.add(at, i), i, next);
                       return next;
                     });
  for (int64_t at = full; at < count; ++at)
    step(b.index(at), at - full, carried);
  return carried;
}

Value brisk::getStart(KernelBuilder &b, Epilogue &epilogue, Value bias,
                      const Columns &columns, Type sum) {
  if (!bias)
    return b.zero(columns.getType(sum));
  Value start = epilogue.evaluate(b, bias, b.index(0), columns.start,
                                  columns.lanes, columns.mask);
  return b.convert(start, getElement(bias), sum);
}

Value brisk::loadBias(KernelBuilder &b, Value bias, Value column,
                      const ColumnVector &vector, Type sum) {
  if (!bias)
    return b.zero(VectorType::get(vector.lanes, sum));
  Type element = cast<MemRefType>(bias.getType()).getElementType();
  Value loaded = b.load(element, bias, b.add(column, vector.offset),
                        vector.lanes, vector.mask);
  return b.convert(loaded, element, sum);
}

Value Contraction::loadColumns(KernelBuilder &b, Value k, int64_t count,
                               const ColumnVector &column) const {
  int64_t step = multiplier.getDepth();
  if (packed || step == 1) {
    Value at = b.add(rhsBase, b.mul(k, rhsStride));
    return multiplier.loadColumns(b, rhs, b.add(at, column.offset * step),
                                  column.lanes, column.mask);
  }
  Value at = b.add(rhsBase, b.mul(k, rhsStride * step));
  return multiplier.interleaveColumns(b, rhs, b.add(at, column.offset),
                                      rhsStride, count, column.lanes,
                                      column.mask);
}

Value Contraction::loadRow(KernelBuilder &b, Value at, int64_t r,
                           int64_t count) const {
  at = b.add(at, r * rowStride);
  if (!compute)
    return multiplier.loadRows(b, lhs, at, rowStride,
                               std::min(multiplier.getRows(), rows - r), count);
  assert(multiplier.getRows() == 1 && "rows are computed one by one");
  return multiplier.makeRow(b, count, [&](int64_t first, int64_t lanes) {
    return compute(lhs.load(b, b.add(at, first), lanes));
  });
}

void Contraction::emitStep(KernelBuilder &b, Value k, int64_t count,
                           MutableArrayRef<Value> sums,
                           function_ref<Value(int64_t)> loadRow) const {
  Values row;
  for (const ColumnVector &column : columns)
    row.push_back(loadColumns(b, k, count, column));
  int64_t atOnce = multiplier.getRows();
  for (int64_t r = 0; r < rows; r += atOnce) {
    Value elements = loadRow(r);
    for (auto [c, value] : llvm::enumerate(row))
      for (int64_t part = 0; part < atOnce; ++part) {
        Value &sum = sums[(r + part) * row.size() + c];
        sum = multiplier.multiplyAdd(b, elements,
                                     multiplier.getPart(b, value, part), sum);
      }
  }
  if (afterStep)
    afterStep(k);
}

void Contraction::emitSteps(KernelBuilder &b, Value k, int64_t steps,
                            MutableArrayRef<Value> sums) const {
  int64_t depth = multiplier.getDepth();
  Value at = b.add(lhsBase, b.mul(k, depth));
  if (steps == 1)
    return emitStep(b, k, depth, sums,
                    [&](int64_t r) { return loadRow(b, at, r, depth); });
  Values joined;
  for (int64_t r = 0; r < rows; ++r) {
    Value loaded = lhs.load(b, b.add(at, r * rowStride), steps * depth);
    joined.push_back(multiplier.joinSteps(b, compute(loaded)));
  }
  for (int64_t i = 0; i < steps; ++i)
    emitStep(b, b.add(k, i), depth, sums, [&](int64_t r) {
      return vector::ExtractOp::create(b, joined[r], ArrayRef<int64_t>{i});
    });
}

Values Contraction::emit(KernelBuilder &b, ValueRange start) const {
  size_t count = start.size();
  Values sums(start);
  if (splitsSums)
    for (int64_t i = 1; i < unroll; ++i)
      for (Value sum : start)
        sums.push_back(b.zero(sum.getType()));
  int64_t elements = multiplier.getDepth(), whole = depth / elements;
  // What is computed fills vectors.
  int64_t atOnce = compute
                       ? std::max<int64_t>(
                             1, b.isa.getLanes(lhs.getElementType()) / elements)
                       : 1;
  assert((atOnce == 1 || !splitsSums) && "sums of one kind");
  auto pick = [&](int64_t number, Values &sums) {
    return MutableArrayRef(sums).slice(splitsSums ? number * count : 0, count);
  };
  sums =
      loopUnrolled(b, whole / atOnce, llvm::divideCeil(unroll, atOnce), sums,
                   [&](Value k, int64_t number, Values &sums) {
                     emitSteps(b, b.mul(k, atOnce), atOnce, pick(number, sums));
                   });
  for (int64_t k = whole / atOnce * atOnce; k < whole; ++k)
    emitSteps(b, b.index(k), 1, sums);
  if (int64_t rest = depth % elements) {
    Value at = b.add(lhsBase, whole * elements);
    emitStep(b, b.index(whole), rest, pick(whole % unroll, sums),
             [&](int64_t r) { return loadRow(b, at, r, rest); });
  }
  // By halves, or what comes nearest.
  for (size_t rest = sums.size() / count; rest > 1;
       rest = llvm::divideCeil(rest, 2))
    for (size_t i = 0; i < rest / 2 * count; ++i)
      sums[i] = b.add(sums[i], sums[llvm::divideCeil(rest, 2) * count + i]);
  sums.resize(count);
  return sums;
}
