//===- GemmEmitter.cpp - The tiles of a product as code -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

GemmEmitter::GemmEmitter(KernelBuilder &b, GroupOp group,
                         const GemmProblem &problem, const GemmTiling &tiling,
                         ValueRange ins, ValueRange outs)
    : b(b), problem(problem), tiling(tiling),
      epilogue(group, problem.anchor, ins, outs),
      lhs(b, ins[problem.lhs], problem.multiplier.lhs),
      rhs(b, ins[problem.rhs],
          problem.narrow ? problem.narrow->integer : problem.multiplier.rhs) {
  if (problem.narrow)
    parameters.emplace(b, *problem.narrow, ins);
  if (problem.bias >= 0)
    bias = ins[problem.bias];
}

SmallVector<ColumnVector> GemmEmitter::getColumns(bool tail) {
  int64_t columns = tail ? tiling.columnTail : tiling.nr;
  int64_t width = tail ? tiling.getTailWidth() : tiling.nr;
  SmallVector<ColumnVector> vectors;
  for (int64_t offset = 0; offset < width;) {
    int64_t lanes = std::min(tiling.lanes, width - offset);
    int64_t used = std::min(lanes, columns - offset);
    vectors.push_back(
        {offset, lanes, used < lanes ? b.mask(lanes, used) : Value()});
    offset += lanes;
  }
  return vectors;
}

void GemmEmitter::prefetchRows(Value lhsBase, Value k) {
  // From where this tile's rows end: they may overlap the next one's.
  int64_t tile = tiling.mr * problem.inner.stride;
  int64_t start =
      tile + std::max<int64_t>(problem.depth - problem.inner.stride, 0);
  int64_t perStep = llvm::divideCeil(tile, problem.getDepthSteps());
  Value at = b.add(b.add(lhsBase, start), b.mul(k, perStep));
  memref::PrefetchOp::create(b, lhs.getMemref(), at, /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

Values GemmEmitter::startSums(Value column, int64_t rows,
                              ArrayRef<ColumnVector> vectors) {
  Type sum = problem.multiplier.sum;
  Values first, sums;
  for (const ColumnVector &vector : vectors) {
    if (!bias) {
      first.push_back(b.zero(VectorType::get(vector.lanes, sum)));
      continue;
    }
    Type element = cast<MemRefType>(bias.getType()).getElementType();
    Value loaded = b.load(element, bias, b.add(column, vector.offset),
                          vector.lanes, vector.mask);
    first.push_back(b.convert(loaded, element, sum));
  }
  for (int64_t r = 0; r < rows; ++r)
    llvm::append_range(sums, first);
  return sums;
}

Values GemmEmitter::emitNBitSums(Value lhsBase, Value panel, int64_t rows,
                                 ArrayRef<ColumnVector> vectors,
                                 ValueRange sums) {
  const NBitWeights &weights = *problem.narrow;
  NBitContraction product{weights,
                          lhs,
                          lhsBase,
                          rows,
                          problem.inner.stride,
                          rhs,
                          *parameters,
                          b.mul(panel, weights.getByteRows() * tiling.nr),
                          b.mul(panel, weights.getBlocks() * tiling.nr),
                          vectors.back().offset + vectors.back().lanes,
                          vectors,
                          tiling.unroll};
  return product.emit(b, sums);
}

void GemmEmitter::emitTile(Value outer, Value rowTile, Value panel,
                           int64_t rows, ArrayRef<ColumnVector> vectors) {
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
    int64_t step = problem.multiplier.getDepth();
    rhsBase = b.mul(panel, problem.getPanelRows() * tiling.nr);
    rhsStride = (vectors.back().offset + vectors.back().lanes) * step;
  } else {
    rhsBase = column;
    for (auto [index, stride] : llvm::zip_equal(at, problem.outerRhs))
      if (stride)
        rhsBase = b.add(rhsBase, b.mul(index, stride));
    rhsStride = problem.rhsStride;
  }

  // What is packed has elements for all lanes.
  SmallVector<ColumnVector> loaded(vectors);
  if (problem.packed)
    for (ColumnVector &vector : loaded)
      vector.mask = {};
  Values sums = startSums(column, rows, vectors);
  // Loops over taps, each with its own place in both operands.
  std::function<Values(size_t, Value, Value, ValueRange)> walk =
      [&](size_t d, Value lhsAt, Value rhsAt, ValueRange carried) {
        if (d == problem.taps.size()) {
          // After the loads: these pair up only where nothing comes between.
          auto prefetch = [&](Value k) { prefetchRows(lhsAt, k); };
          Contraction product{problem.multiplier,
                              lhs,
                              lhsAt,
                              rows,
                              problem.inner.stride,
                              rhs,
                              rhsAt,
                              rhsStride,
                              loaded,
                              problem.depth,
                              tiling.unroll};
          product.packed = problem.packed;
          if (tiling.prefetch && rows == tiling.mr)
            product.afterStep = prefetch;
          return product.emit(b, carried);
        }
        StridedDim tap = problem.taps[d];
        int64_t below = problem.getDepthSteps();
        for (StridedDim inner : ArrayRef(problem.taps).drop_front(d + 1))
          below *= inner.size;
        return b.loop(b.index(0), b.index(tap.size), carried,
                      [&](Value t, ValueRange inner) {
                        return walk(d + 1, b.add(lhsAt, b.mul(t, tap.stride)),
                                    b.add(rhsAt, b.mul(t, below * rhsStride)),
                                    inner);
                      });
      };
  sums = problem.narrow ? emitNBitSums(lhsBase, panel, rows, loaded, sums)
                        : walk(0, lhsBase, rhsBase, sums);

  Value row = b.add(b.mul(outer, problem.inner.size), firstRow);
  Type sum = problem.multiplier.sum;
  Type result = getElementTypeOrSelf(problem.anchor->getResult(0));
  for (int64_t r = 0; r < rows; ++r)
    for (auto [c, vector] : llvm::enumerate(vectors))
      epilogue.emit(b, b.convert(sums[r * vectors.size() + c], sum, result),
                    b.add(row, r), b.add(column, vector.offset), vector.lanes,
                    vector.mask);
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
    b.ifElse(b.isWithin(index, full), first, second);
  };
  auto emitRows = [&](int64_t rows) {
    auto emitPanel = [&](bool tail) {
      emitTile(outer, rowTile, panel, rows, getColumns(tail));
    };
    branch(
        panel, tiling.fullPanels, tiling.panels, [&] { emitPanel(false); },
        [&] { emitPanel(true); });
  };
  branch(
      rowTile, tiling.rowTiles - (tiling.rowTail != 0), tiling.rowTiles,
      [&] { emitRows(tiling.mr); }, [&] { emitRows(tiling.rowTail); });
}
