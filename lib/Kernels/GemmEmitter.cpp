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
      lhs(b, ins[problem.lhs], problem.getLhsElement()),
      rhs(b, ins[problem.rhs],
          problem.narrow ? problem.narrow->integer : problem.multiplier.rhs) {
  if (problem.narrow)
    parameters.emplace(b, *problem.narrow, ins);
  if (problem.bias >= 0)
    bias = ins[problem.bias];
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
  Values first, sums;
  for (const ColumnVector &vector : vectors)
    first.push_back(loadBias(b, bias, column, vector, problem.multiplier.sum));
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

void GemmEmitter::emitTile(const GemmTiling::Place &place, int64_t rows,
                           ArrayRef<ColumnVector> vectors) {
  auto [outer, rowTile, panel] = place;
  Value column = b.mul(panel, tiling.nr);
  Value firstRow = b.mul(rowTile, tiling.mr);
  // Where the tile's operands begin.
  Values at = problem.getOuterIndices(b, outer);
  Value lhsBase = problem.getLhsPlace(b, at, firstRow);
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
          auto compute = [&](Value loaded) {
            return epilogue.evaluateFrom(b, problem.anchor->getOperand(0),
                                         problem.lhsInput, loaded);
          };
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
          if (problem.computesLhs())
            product.compute = compute;
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
  const Multiplier &multiplier = problem.multiplier;
  auto width = static_cast<int64_t>(vectors.size());
  sums = problem.narrow
             ? emitNBitSums(lhsBase, panel, rows, loaded, sums)
             : multiplier.regroup(b,
                                  walk(0, lhsBase, rhsBase,
                                       multiplier.regroup(b, sums, width)),
                                  width);

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
  GemmTiling::Place at = tiling.getPlace(b, tile);
  tiling.forRows(b, at.rowTile, [&](int64_t rows) {
    tiling.forPanel(b, at.panel, [&](bool tail) {
      emitTile(at, rows, tiling.getColumns(b, tail));
    });
  });
}
