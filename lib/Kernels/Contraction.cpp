//===- Contraction.cpp - The inner loop of products -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Instructions that an elementwise op takes for an element.
static double countInstructions(ComputeOpInterface op, double elements) {
  // Their flops are those of ops that they may be taken apart into.
  constexpr double quantize = 6, dequantize = 3;
  if (isa<QuantizeOp>(op))
    return quantize * elements;
  if (isa<DequantizeOp>(op))
    return dequantize * elements;
  return static_cast<double>(op.countFlops());
}

double brisk::getEpilogueCycles(GroupOp group, Type sum, const Isa &isa) {
  double instructions = 0;
  Operation *anchor = group.getAnchor();
  for (auto op : group.getBlock()->getOps<ComputeOpInterface>())
    if (op != anchor && op->getNumResults() == 1)
      instructions += countInstructions(
          op,
          static_cast<double>(cast<RankedTensorType>(op->getResult(0).getType())
                                  .getNumElements()));
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

void Contraction::emitStep(KernelBuilder &b, Value k, int64_t count,
                           MutableArrayRef<Value> sums) const {
  int64_t step = multiplier.getDepth();
  Values row;
  for (const ColumnVector &column : columns)
    row.push_back(loadColumns(b, k, count, column));
  Value lhsColumn = b.add(lhsBase, b.mul(k, step));
  int64_t atOnce = multiplier.getRows();
  for (int64_t r = 0; r < rows; r += atOnce) {
    Value elements =
        multiplier.loadRows(b, lhs, b.add(lhsColumn, r * rowStride), rowStride,
                            std::min(atOnce, rows - r), count);
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

Values Contraction::emit(KernelBuilder &b, ValueRange start) const {
  size_t count = start.size();
  Values sums(start);
  if (splitsSums)
    for (int64_t i = 1; i < unroll; ++i)
      for (Value sum : start)
        sums.push_back(b.zero(sum.getType()));
  int64_t elements = multiplier.getDepth(), whole = depth / elements;
  auto step = [&](Value k, int64_t number, int64_t part, Values &sums) {
    size_t first = splitsSums ? number * count : 0;
    emitStep(b, k, part, MutableArrayRef(sums).slice(first, count));
  };
  sums = loopUnrolled(b, whole, unroll, sums,
                      [&](Value k, int64_t number, Values &sums) {
                        step(k, number, elements, sums);
                      });
  if (int64_t rest = depth % elements)
    step(b.index(whole), whole % unroll, rest, sums);
  // By halves, or what comes nearest.
  for (size_t rest = sums.size() / count; rest > 1;
       rest = llvm::divideCeil(rest, 2))
    for (size_t i = 0; i < rest / 2 * count; ++i)
      sums[i] = b.add(sums[i], sums[llvm::divideCeil(rest, 2) * count + i]);
  sums.resize(count);
  return sums;
}
