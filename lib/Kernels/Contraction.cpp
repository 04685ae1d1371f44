//===- Contraction.cpp - The inner loop of products -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

Multiplier::Multiplier(const Isa &isa, Type lhs, Type rhs, Type sum)
    : product(isa.findProduct(lhs, rhs, sum)), lhs(lhs), rhs(rhs), sum(sum) {
  if (product && (product->m != 1 || product->intrinsic.empty()))
    product = nullptr;
}

Multiplier::Multiplier(const Isa &isa, Operation *op)
    : Multiplier(isa, getElement(op->getOperand(0)),
                 getElement(op->getOperand(1)), getElement(op->getResult(0))) {}

Multiplier Multiplier::oneByOne(Operation *op) { return {Isa(), op}; }

bool Multiplier::fits(Operation *op) {
  Type lhs = getElement(op->getOperand(0)), rhs = getElement(op->getOperand(1));
  return (lhs.isF32() && rhs.isF32()) || (lhs.isInteger(8) && rhs.isInteger(8));
}

/// What the instruction set multiplies and adds up with; null where it takes
/// several instructions.
static const Isa::Product *findInstruction(const Multiplier &multiplier,
                                           const Isa &isa) {
  if (multiplier.product || !llvm::isa<FloatType>(multiplier.sum))
    return multiplier.product;
  return isa.findProduct(multiplier.lhs, multiplier.rhs, multiplier.sum);
}

double Multiplier::getRate(const Isa &isa) const {
  if (const Isa::Product *found = findInstruction(*this, isa))
    return found->getRate();
  // Columns are extended, multiplied and added.
  return isa.getElementsPerCycle(sum) / 3;
}

double Multiplier::getLatency(const Isa &isa) const {
  const Isa::Product *found = findInstruction(*this, isa);
  return found ? found->latency : 1;
}

Value Multiplier::loadRow(KernelBuilder &b, const FlatBuffer &from, Value at,
                          int64_t count) const {
  if (!product)
    return b.convert(from.load(b, at, /*lanes=*/0), lhs, sum);
  auto type = VectorType::get(product->k, getStorageType(lhs));
  Value bytes;
  if (count == product->k) {
    bytes = from.load(b, at, product->k);
  } else {
    // Not one byte more: they may be the memory's last.
    bytes = b.zero(type);
    for (int64_t i = 0; i < count; ++i)
      bytes = vector::InsertOp::create(
          b, from.load(b, b.add(at, i), /*lanes=*/0), bytes, i);
  }
  Value whole = vector::BitCastOp::create(b, VectorType::get(1, sum), bytes);
  return vector::ExtractOp::create(b, whole, ArrayRef<int64_t>{0});
}

Value Multiplier::loadColumns(KernelBuilder &b, const FlatBuffer &from,
                              Value at, int64_t lanes, Value mask) const {
  if (!product)
    return b.convert(from.load(b, at, lanes, mask), rhs, sum);
  return from.load(b, at, lanes * product->k, mask);
}

Value Multiplier::multiplyAdd(KernelBuilder &b, Value row, Value columns,
                              Value sums) const {
  Value rows = b.broadcast(row, sums.getType());
  if (!product)
    return llvm::isa<FloatType>(sum) ? b.fma(rows, columns, sums)
                                     : b.add(sums, b.mul(rows, columns));
  auto type = cast<VectorType>(columns.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  rows = vector::BitCastOp::create(b, type, rows);
  return LLVM::CallIntrinsicOp::create(
             b, sums.getType(),
             b.getStringAttr(product->intrinsic + Twine(bits)),
             ValueRange{sums, rows, columns})
      .getResult(0);
}

void Contraction::emitStep(KernelBuilder &b, const Multiplier &multiplier,
                           Value k, int64_t count,
                           MutableArrayRef<Value> sums) const {
  int64_t step = multiplier.getDepth();
  Value rhsRow = b.add(rhsBase, b.mul(k, rhsStride));
  Values row;
  for (const ColumnVector &column : columns)
    row.push_back(multiplier.loadColumns(b, rhs,
                                         b.add(rhsRow, column.offset * step),
                                         column.lanes, column.mask));
  Value lhsColumn = b.add(lhsBase, b.mul(k, step));
  for (int64_t r = 0; r < rows; ++r) {
    Value element =
        multiplier.loadRow(b, lhs, b.add(lhsColumn, r * rowStride), count);
    for (auto [c, value] : llvm::enumerate(row)) {
      Value &sum = sums[r * row.size() + c];
      sum = multiplier.multiplyAdd(b, element, value, sum);
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
  Multiplier multiplier(b.isa, lhs.getElementType(), rhs.getElementType(),
                        getElementTypeOrSelf(start.front().getType()));
  int64_t elements = multiplier.getDepth(), whole = depth / elements;
  auto step = [&](Value k, int64_t number, int64_t part, Values &sums) {
    size_t first = splitsSums ? number * count : 0;
    emitStep(b, multiplier, k, part, MutableArrayRef(sums).slice(first, count));
  };
  int64_t full = whole / unroll * unroll;
  if (full)
    sums = b.loop(b.index(0), b.index(full), unroll, sums,
                  [&](Value k, ValueRange carried) {
                    Values next(carried);
                    for (int64_t i = 0; i < unroll; ++i)
                      step(b.add(k, i), i, elements, next);
                    return next;
                  });
  for (int64_t k = full; k < whole; ++k)
    step(b.index(k), k - full, elements, sums);
  if (int64_t rest = depth % elements)
    step(b.index(whole), whole - full, rest, sums);
  // By halves, or what comes nearest.
  for (size_t rest = sums.size() / count; rest > 1;
       rest = llvm::divideCeil(rest, 2))
    for (size_t i = 0; i < rest / 2 * count; ++i)
      sums[i] = b.add(sums[i], sums[llvm::divideCeil(rest, 2) * count + i]);
  sums.resize(count);
  return sums;
}
