//===- TileEmitter.cpp - A tile of a matrix product in tiles ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

/// A memref's first byte, as tile intrinsics take it.
static Value getAddress(KernelBuilder &b, Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  address = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  address);
}

/// The block of sums in the worker's memory, row by row.
static FlatBuffer getSums(KernelBuilder &b, const TilePlan &plan, Type sum) {
  auto type = MemRefType::get({plan.getSumBytes() / getElementBytes(sum)}, sum);
  return {b,
          memref::ViewOp::create(b, type, b.scratch, b.index(0), ValueRange()),
          sum};
}

TileEmitter::TileEmitter(KernelBuilder &b, GroupOp group,
                         const GemmProblem &problem, const GemmTiling &tiling,
                         ValueRange ins, ValueRange outs)
    : b(b), problem(problem), tiling(tiling), plan(*tiling.tilePlan),
      epilogue(group, problem.anchor, ins, outs),
      lhs(b, ins[problem.lhs], problem.multiplier.lhs),
      sums(getSums(b, plan, problem.multiplier.sum)),
      lhsAddress(getAddress(b, ins[problem.lhs])),
      rhsAddress(getAddress(b, ins[problem.rhs])),
      scratchAddress(getAddress(b, b.scratch)) {
  if (problem.bias >= 0)
    bias = ins[problem.bias];
  if (plan.steps.copiesLast())
    clearCopies();
  Value table = b.table(ArrayRef<int32_t>(plan.getConfiguration()));
  call(b.isa.tiles.configure, {}, {getAddress(b, table)});
}

void TileEmitter::finish() { call(b.isa.tiles.release, {}); }

void TileEmitter::call(StringRef intrinsic, ArrayRef<int64_t> registers,
                       ValueRange memory) {
  Values operands;
  for (int64_t number : registers)
    operands.push_back(
        arith::ConstantOp::create(b, b.getI8IntegerAttr(number)));
  llvm::append_range(operands, memory);
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(intrinsic), operands);
}

Values TileEmitter::getMatrix(Value address, Value byte, int64_t rowBytes) {
  Value offset = arith::IndexCastOp::create(b, b.getI64Type(), byte);
  return {LLVM::GEPOp::create(b, address.getType(), b.getI8Type(), address,
                              ArrayRef<LLVM::GEPArg>{offset}),
          arith::ConstantOp::create(b, b.getI64IntegerAttr(rowBytes))};
}

int64_t TileEmitter::getLhsBytes(int64_t elements) const {
  return elements * getElementBytes(problem.multiplier.lhs);
}

int64_t TileEmitter::getRhsBytes(int64_t elements) const {
  return elements * columnTiles * plan.product.n *
         getElementBytes(problem.multiplier.rhs);
}

FlatBuffer TileEmitter::getCopies() const {
  Type element = getStorageType(problem.multiplier.lhs);
  auto type = MemRefType::get(
      {plan.rows * TilePlan::rowBytes / getElementBytes(element)}, element);
  return {b,
          memref::ViewOp::create(b, type, b.scratch,
                                 b.index(plan.getSumBytes()), ValueRange()),
          problem.multiplier.lhs};
}

void TileEmitter::clearCopies() {
  FlatBuffer copies = getCopies();
  int64_t perRow = TilePlan::rowBytes / getLhsBytes(1);
  auto type = VectorType::get(perRow, getStorageType(problem.multiplier.lhs));
  b.loop(b.index(0), b.index(plan.rows),
         [&](Value row) { copies.store(b, b.zero(type), b.mul(row, perRow)); });
}

void TileEmitter::copyRest(Value lhsAt) {
  const TileSteps &steps = plan.steps;
  FlatBuffer copies = getCopies();
  int64_t perRow = TilePlan::rowBytes / getLhsBytes(1);
  int64_t lanes = llvm::PowerOf2Ceil(steps.rest);
  Value mask = lanes == steps.rest ? Value() : b.mask(lanes, steps.rest);
  Value from = b.add(lhsAt, steps.getLastStart() + steps.repeated);
  b.loop(b.index(0), b.index(plan.rows), [&](Value row) {
    Value rest =
        lhs.load(b, b.add(from, b.mul(row, problem.inner.stride)), lanes, mask);
    copies.store(b, rest, b.add(b.mul(row, perRow), steps.repeated), mask);
  });
}

void TileEmitter::emitStep(Value address, Value byte, int64_t rowBytes,
                           Value rhsByte) {
  auto loadLhs = [&](int64_t r) {
    Value at = b.add(byte, plan.getFirstRow(r) * rowBytes);
    call(b.isa.tiles.load, {plan.getLhsRegister(r)},
         getMatrix(address, at, rowBytes));
  };
  auto loadRhs = [&](int64_t c) {
    Value at = b.add(rhsByte, c * TilePlan::rowBytes);
    call(b.isa.tiles.load, {plan.getRhsRegister(c)},
         getMatrix(rhsAddress, at, getRhsBytes(plan.steps.group)));
  };
  auto multiply = [&](int64_t r, int64_t c) {
    call(plan.product.intrinsics.front(),
         {plan.getSumRegister(r, c), plan.getLhsRegister(r),
          plan.getRhsRegister(c)});
  };
  if (plan.keepsLhs()) {
    for (int64_t r = 0; r < plan.rowTiles; ++r)
      loadLhs(r);
    for (int64_t c = 0; c < columnTiles; ++c) {
      loadRhs(c);
      for (int64_t r = 0; r < plan.rowTiles; ++r)
        multiply(r, c);
    }
    return;
  }
  for (int64_t c = 0; c < columnTiles; ++c)
    loadRhs(c);
  for (int64_t r = 0; r < plan.rowTiles; ++r) {
    loadLhs(r);
    for (int64_t c = 0; c < columnTiles; ++c)
      multiply(r, c);
  }
}

void TileEmitter::emitSteps(Value lhsAt, Value rhsByte) {
  const TileSteps &steps = plan.steps;
  Value lhsByte = b.mul(lhsAt, getLhsBytes(1));
  int64_t direct = steps.count - (steps.copiesLast() ? 1 : 0);
  auto emitDirect = [&](Value step) {
    emitStep(lhsAddress,
             b.add(lhsByte, b.mul(step, getLhsBytes(steps.elements))),
             getLhsBytes(problem.inner.stride),
             b.add(rhsByte, b.mul(step, getRhsBytes(steps.elements))));
  };
  loopUnrolled(b, direct, tiling.unroll, {},
               [&](Value step, int64_t, Values &) { emitDirect(step); });
  if (!steps.copiesLast())
    return;
  copyRest(lhsAt);
  emitStep(scratchAddress, b.index(plan.getSumBytes()), TilePlan::rowBytes,
           b.add(rhsByte, getRhsBytes(steps.getLastStart())));
}

void TileEmitter::emitTaps(size_t d, Value lhsAt, Value rhsByte) {
  if (d == problem.taps.size())
    return emitSteps(lhsAt, rhsByte);
  StridedDim tap = problem.taps[d];
  int64_t below = plan.steps.padded;
  for (StridedDim inner : ArrayRef(problem.taps).drop_front(d + 1))
    below *= inner.size;
  b.loop(b.index(0), b.index(tap.size), [&](Value t) {
    emitTaps(d + 1, b.add(lhsAt, b.mul(t, tap.stride)),
             b.add(rhsByte, b.mul(t, getRhsBytes(below))));
  });
}

void TileEmitter::emitResults(Value row, Value skipped, Value column,
                              ArrayRef<ColumnVector> vectors) {
  Type sum = problem.multiplier.sum;
  Type result = getElementTypeOrSelf(problem.anchor->getResult(0));
  Values start;
  for (const ColumnVector &vector : vectors)
    start.push_back(loadBias(b, bias, column, vector, sum));
  b.loop(skipped, b.index(plan.rows), [&](Value r) {
    for (auto [vector, first] : llvm::zip_equal(vectors, start)) {
      Value at = b.add(b.mul(r, tiling.nr), vector.offset);
      Value value = sums.load(b, at, vector.lanes);
      if (bias)
        value = b.add(value, first);
      epilogue.emit(b, b.convert(value, sum, result), b.add(row, r),
                    b.add(column, vector.offset), vector.lanes, vector.mask);
    }
  });
}

void TileEmitter::emitTile(const GemmTiling::Place &at, bool tail) {
  SmallVector<ColumnVector> vectors = tiling.getColumns(b, tail);
  columnTiles = static_cast<int64_t>(vectors.size());
  // Where the last rows are no whole block, it begins early, and what others
  // have written is not written again.
  Value first = b.mul(at.rowTile, tiling.mr), skipped = b.index(0);
  if (tiling.rowTail) {
    Value wanted = first;
    first = b.minIndex(wanted, b.index(problem.inner.size - tiling.mr));
    skipped = b.sub(wanted, first);
  }
  for (int64_t r = 0; r < plan.rowTiles; ++r)
    for (int64_t c = 0; c < columnTiles; ++c)
      call(b.isa.tiles.zero, {plan.getSumRegister(r, c)});
  int64_t panelBytes = problem.getTaps() * plan.steps.padded * tiling.nr *
                       getElementBytes(problem.multiplier.rhs);
  SmallVector<Value> outer = problem.getOuterIndices(b, at.outer);
  emitTaps(0, problem.getLhsPlace(b, outer, first),
           b.mul(at.panel, panelBytes));
  for (int64_t r = 0; r < plan.rowTiles; ++r)
    for (int64_t c = 0; c < columnTiles; ++c) {
      int64_t byte = plan.getFirstRow(r) * tiling.nr + c * tiling.lanes;
      byte *= getElementBytes(problem.multiplier.sum);
      int64_t rowBytes = plan.columnTiles * TilePlan::rowBytes;
      call(b.isa.tiles.store, {plan.getSumRegister(r, c)},
           getMatrix(scratchAddress, b.index(byte), rowBytes));
    }
  Value row = b.add(b.mul(at.outer, problem.inner.size), first);
  emitResults(row, skipped, b.mul(at.panel, tiling.nr), vectors);
}

void TileEmitter::emitTile(Value tile) {
  GemmTiling::Place at = tiling.getPlace(b, tile);
  tiling.forPanel(b, at.panel, [&](bool tail) { emitTile(at, tail); });
}
