//===- GemmEmitter.cpp - The tiles of a product as code --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

GemmEmitter::GemmEmitter(KernelBuilder &b, GroupOp group,
                         const GemmProblem &problem, const GemmTiling &tiling,
                         ValueRange ins, ValueRange outs)
    : b(b), problem(problem), tiling(tiling),
      epilogue(group, problem.anchor, ins, outs) {
  lhs = flatten(ins[problem.lhs]);
  rhs = problem.packed ? ins[problem.rhs] : flatten(ins[problem.rhs]);
  if (problem.bias >= 0)
    bias = ins[problem.bias];
}

/// All elements that `memref` spans, as one dimension.
Value GemmEmitter::flatten(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] LogicalResult known =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(known) && "buffers have static strides");
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    span += (size - 1) * stride;
  auto flat = MemRefType::get({span}, type.getElementType());
  return memref::ReinterpretCastOp::create(
      b, flat, memref, offset, ArrayRef<int64_t>{span}, ArrayRef<int64_t>{1});
}

SmallVector<GemmEmitter::Part> GemmEmitter::getParts(bool tail) {
  int64_t columns = tail ? tiling.columnTail : tiling.nr;
  int64_t width = tail ? tiling.getTailWidth() : tiling.nr;
  SmallVector<Part> parts;
  for (int64_t offset = 0; offset < width;) {
    int64_t lanes = std::min(tiling.lanes, width - offset);
    int64_t used = std::min(lanes, columns - offset);
    parts.push_back({offset, VectorType::get(lanes, b.getF32Type()),
                     used < lanes ? b.mask(lanes, used) : Value()});
    offset += lanes;
  }
  return parts;
}

SmallVector<Value> GemmEmitter::initialize(Value column, int64_t rows,
                                           ArrayRef<Part> parts) {
  SmallVector<Value> first;
  for (const Part &part : parts)
    first.push_back(bias ? b.load(b.getF32Type(), bias,
                                  b.add(column, part.offset),
                                  part.type.getNumElements(), part.mask)
                         : b.constant(part.type, 0));
  SmallVector<Value> sums;
  for (int64_t r = 0; r < rows; ++r)
    llvm::append_range(sums, first);
  return sums;
}

SmallVector<Value> GemmEmitter::reduce(Value lhsBase, Value rhsBase,
                                       ValueRange sums, int64_t rows,
                                       ArrayRef<Part> parts,
                                       int64_t rhsStride) {
  auto step = [&](Value k, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value rhsRow = b.add(rhsBase, b.mul(k, rhsStride));
    SmallVector<Value> row;
    for (const Part &part : parts)
      row.push_back(b.load(b.getF32Type(), rhs, b.add(rhsRow, part.offset),
                           part.type.getNumElements(),
                           problem.packed ? Value() : part.mask));
    Value lhsRow = b.add(lhsBase, k);
    for (int64_t r = 0; r < rows; ++r) {
      Value element = memref::LoadOp::create(
          b, lhs, ValueRange(b.add(lhsRow, r * problem.inner.stride)));
      for (auto [p, part] : llvm::enumerate(parts)) {
        Value &sum = next[r * parts.size() + p];
        sum = b.fma(b.broadcast(element, part.type), row[p], sum);
      }
    }
    // After the loads: these pair up only where nothing comes between.
    if (tiling.prefetch && rows == tiling.mr)
      prefetchRows(lhsBase, k);
    return next;
  };
  int64_t unroll = tiling.unroll;
  int64_t full = problem.depth / unroll * unroll;
  SmallVector<Value> result(sums);
  if (full)
    result = b.loop(b.index(0), b.index(full), unroll, sums,
                    [&](Value k, ValueRange carried) {
                      SmallVector<Value> next(carried);
                      for (int64_t u = 0; u < unroll; ++u)
                        next = step(b.add(k, u), next);
                      return next;
                    });
  for (int64_t k = full; k < problem.depth; ++k)
    result = step(b.index(k), result);
  return result;
}

void GemmEmitter::prefetchRows(Value lhsBase, Value k) {
  // From where this tile's rows end: they may overlap the next one's.
  int64_t tile = tiling.mr * problem.inner.stride;
  int64_t start =
      tile + std::max<int64_t>(problem.depth - problem.inner.stride, 0);
  int64_t perStep = llvm::divideCeil(tile, problem.depth);
  Value at = b.add(b.add(lhsBase, start), b.mul(k, perStep));
  memref::PrefetchOp::create(b, lhs, at, /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

void GemmEmitter::emitTile(Value outer, Value rowTile, Value panel,
                           int64_t rows, ArrayRef<Part> parts) {
  Value column = b.mul(panel, tiling.nr);
  Value firstRow = b.mul(rowTile, tiling.mr);
  // Where the tile's operands begin.
  SmallVector<int64_t> outerShape;
  for (StridedDim dim : problem.outer)
    outerShape.push_back(dim.size);
  SmallVector<Value> at = delinearize(b, outer, outerShape);
  Value lhsBase = b.mul(firstRow, problem.inner.stride);
  for (auto [index, dim] : llvm::zip_equal(at, problem.outer))
    lhsBase = b.add(lhsBase, b.mul(index, dim.stride));
  Value rhsBase;
  int64_t rhsStride;
  if (problem.packed) {
    rhsBase = b.mul(panel, problem.getReduction() * tiling.nr);
    rhsStride = parts.back().offset + parts.back().type.getNumElements();
  } else {
    rhsBase = column;
    for (auto [index, stride] : llvm::zip_equal(at, problem.outerRhs))
      if (stride)
        rhsBase = b.add(rhsBase, b.mul(index, stride));
    rhsStride = problem.rhsStride;
  }

  SmallVector<Value> sums = initialize(column, rows, parts);
  // Loops over taps, each with its own place in both operands.
  std::function<SmallVector<Value>(size_t, Value, Value, ValueRange)> walk =
      [&](size_t d, Value lhsAt, Value rhsAt, ValueRange carried) {
        if (d == problem.taps.size())
          return reduce(lhsAt, rhsAt, carried, rows, parts, rhsStride);
        StridedDim tap = problem.taps[d];
        int64_t below = problem.depth;
        for (StridedDim inner : ArrayRef(problem.taps).drop_front(d + 1))
          below *= inner.size;
        return b.loop(b.index(0), b.index(tap.size), 1, carried,
                      [&](Value t, ValueRange inner) {
                        return walk(d + 1, b.add(lhsAt, b.mul(t, tap.stride)),
                                    b.add(rhsAt, b.mul(t, below * rhsStride)),
                                    inner);
                      });
      };
  sums = walk(0, lhsBase, rhsBase, sums);

  Value row = b.add(b.mul(outer, problem.inner.size), firstRow);
  for (int64_t r = 0; r < rows; ++r)
    for (auto [p, part] : llvm::enumerate(parts))
      epilogue.emit(b, sums[r * parts.size() + p], b.add(row, r),
                    b.add(column, part.offset), part.type.getNumElements(),
                    part.mask);
}

void GemmEmitter::emitTile(Value tile) {
  int64_t outerSize = problem.getOuterSize();
  SmallVector<Value> at =
      tiling.panelsOuter
          ? delinearize(b, tile, {tiling.panels, outerSize, tiling.rowTiles})
          : delinearize(b, tile, {outerSize, tiling.rowTiles, tiling.panels});
  Value panel = at[tiling.panelsOuter ? 0 : 2];
  Value outer = at[tiling.panelsOuter ? 1 : 0];
  Value rowTile = at[tiling.panelsOuter ? 2 : 1];

  // `first` where `index` is below `full` of `count`, else `second`; only what
  // can happen is emitted.
  auto branch = [&](Value index, int64_t full, int64_t count,
                    function_ref<void()> first, function_ref<void()> second) {
    if (full == count)
      return first();
    if (full == 0)
      return second();
    Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                        b.index(full));
    auto op = scf::IfOp::create(b, below, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.thenBlock());
    first();
    b.setInsertionPointToStart(op.elseBlock());
    second();
  };
  auto emitRows = [&](int64_t rows) {
    auto emitPanel = [&](bool tail) {
      emitTile(outer, rowTile, panel, rows, getParts(tail));
    };
    branch(
        panel, tiling.fullPanels, tiling.panels, [&] { emitPanel(false); },
        [&] { emitPanel(true); });
  };
  branch(
      rowTile, tiling.rowTiles - (tiling.rowTail != 0), tiling.rowTiles,
      [&] { emitRows(tiling.mr); }, [&] { emitRows(tiling.rowTail); });
}
