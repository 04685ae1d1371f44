//===- SpmmEmitter.cpp - The tiles of a sparse product as code ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmmEmitter.h"
#include "brisk/Dialect/NonZeros.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

/// The buffer of an operand of the weights' `brisk.assemble`.
static FlatBuffer getEntries(KernelBuilder &b, const GemmProblem &product,
                             ValueRange ins, unsigned operand) {
  auto assemble = product.anchor->getOperand(1).getDefiningOp<AssembleOp>();
  Value input = assemble->getOperand(operand);
  return {b, getBuffer(ins, input), getElementTypeOrSelf(input)};
}

/// An unsigned integer from memory as an index.
static Value loadIndex(KernelBuilder &b, const FlatBuffer &from, Value at) {
  return arith::IndexCastUIOp::create(b, b.getIndexType(),
                                      from.load(b, at, /*lanes=*/0));
}

SpmmEmitter::SpmmEmitter(KernelBuilder &b, GroupOp group,
                         const SpmmProblem &problem, const SpmmTiling &tiling,
                         ValueRange ins, ValueRange outs)
    : b(b), product(problem.product), tiling(tiling),
      epilogue(group, product.anchor, ins, outs),
      lhs(b, ins[product.lhs], product.multiplier.lhs),
      values(getEntries(b, product, ins, 0)),
      rows(getEntries(b, product, ins, 1)),
      starts(getEntries(b, product, ins, 2)) {
  Type sum = product.multiplier.sum;
  if (product.bias >= 0)
    bias.emplace(b, ins[product.bias], sum);
  int64_t panelBytes = tiling.getPanelBytes();
  int64_t blockBytes = tiling.getBlockBytes();
  auto elements = [](int64_t bytes) {
    return bytes / static_cast<int64_t>(sizeof(float));
  };
  if (panelBytes)
    panel = RowBuffer(b, elements(panelBytes), sum).getRow();
  if (blockBytes)
    block = RowBuffer(b, elements(blockBytes), sum, panelBytes).getRow();
}

void SpmmEmitter::fillSquare(const SpmmTile &tile, Value lhsBase,
                             int64_t tileRows, int64_t count, Value to) {
  Value mask = count < tile.lanes ? b.mask(tile.lanes, count) : Value();
  Values square;
  // Lanes to spare repeat the last row.
  for (int64_t r = 0; r < tile.lanes; ++r)
    square.push_back(r < tileRows
                         ? lhs.load(b, b.add(lhsBase, r * product.inner.stride),
                                    tile.lanes, mask)
                         : square.back());
  transposeRegisters(b, square);
  for (int64_t k = 0; k < count; ++k)
    panel->store(b, square[k], b.add(to, k * tile.getWidth()));
}

void SpmmEmitter::fillTap(const SpmmTile &tile, Value lhsBase, Value first) {
  int64_t depth = product.depth, width = tile.getWidth();
  Value start = b.mul(first, width);
  // Element by element: `count` values of the panel from the one at `offset`,
  // which `tileRows` rows have.
  auto fillElements = [&](Value base, Value to, int64_t count,
                          int64_t tileRows) {
    b.loop(b.index(0), b.index(depth), [&](Value k) {
      for (int64_t r = 0; r < count; ++r) {
        int64_t row = std::min(r, tileRows - 1);
        Value x = lhs.load(b, b.add(b.add(base, k), row * product.inner.stride),
                           /*lanes=*/0);
        panel->store(b, x, b.add(b.add(to, b.mul(k, width)), r));
      }
    });
  };
  if (!tile.lanes)
    return fillElements(lhsBase, start, tile.values, tile.rows);
  auto fillVector = [&](Value number, int64_t tileRows) {
    Value base =
        b.add(lhsBase, b.mul(number, tile.lanes * product.inner.stride));
    Value to = b.add(start, b.mul(number, tile.lanes));
    auto fill = [&](Value k, int64_t count) {
      fillSquare(tile, b.add(base, k), tileRows, count,
                 b.add(to, b.mul(k, width)));
    };
    forSteps(
        b, depth, tile.lanes, b.index(0), b.index(depth),
        [&](Value k) { fill(k, tile.lanes); },
        [&](int64_t full) {
          if (b.isa.hasMasks())
            fill(b.index(full), depth - full);
          else if (full)
            fill(b.index(depth - tile.lanes), tile.lanes);
          else
            fillElements(base, to, tile.lanes, tileRows);
        });
  };
  int64_t full = tile.rows / tile.lanes;
  b.loop(b.index(0), b.index(full),
         [&](Value number) { fillVector(number, tile.lanes); });
  if (int64_t rest = tile.rows % tile.lanes)
    fillVector(b.index(full), rest);
}

void SpmmEmitter::fillPanel(const SpmmTile &tile, Value lhsBase) {
  SmallVector<int64_t> shape;
  for (StridedDim tap : product.taps)
    shape.push_back(tap.size);
  b.nest(shape, [&](ValueRange at) {
    Value place = lhsBase, number = b.index(0);
    for (auto [index, tap] : llvm::zip_equal(at, product.taps)) {
      place = b.add(place, b.mul(index, tap.stride));
      number = b.add(b.mul(number, tap.size), index);
    }
    fillTap(tile, place, b.mul(number, product.depth));
  });
}

Values SpmmEmitter::sumColumn(const SpmmTile &tile, Value lhsBase,
                              Value column) {
  Type sum = product.multiplier.sum;
  Type type = Columns{{}, tile.lanes, {}}.getType(sum);
  // Sums of their own for some of the entries, so that these overlap.
  int64_t splits = std::max<int64_t>(NonZeros::step / tile.values, 1);
  Value first = bias ? b.broadcast(bias->load(b, column, /*lanes=*/0), type)
                     : b.zero(type);
  Values sums(tile.values, first);
  sums.append((splits - 1) * tile.values, b.zero(type));
  bool hasPanel = tiling.hasPanel(tile);
  auto loadRows = [&](Value k, int64_t number) {
    if (hasPanel)
      return panel->load(b,
                         b.add(b.mul(k, tile.getWidth()),
                               number * std::max<int64_t>(tile.lanes, 1)),
                         tile.lanes);
    return lhs.load(b, b.add(b.add(lhsBase, k), number * product.inner.stride),
                    /*lanes=*/0);
  };
  sums = b.loop(
      loadIndex(b, starts, column), loadIndex(b, starts, b.add(column, 1)),
      NonZeros::step, sums, [&](Value entry, ValueRange carried) {
        Values next(carried);
        for (int64_t i = 0; i < NonZeros::step; ++i) {
          Value at = b.add(entry, i);
          Value k = loadIndex(b, rows, at);
          Value weight = b.broadcast(values.load(b, at, /*lanes=*/0), type);
          for (int64_t v = 0; v < tile.values; ++v) {
            Value &sum = next[i % splits * tile.values + v];
            sum = b.fma(loadRows(k, v), weight, sum);
          }
        }
        return next;
      });
  for (; splits > 1; splits /= 2)
    for (int64_t i = 0; i < splits / 2 * tile.values; ++i)
      sums[i] = b.add(sums[i], sums[splits / 2 * tile.values + i]);
  sums.resize(tile.values);
  return sums;
}

void SpmmEmitter::emitSquare(const SpmmTile &tile, const Place &place,
                             const Columns &at, int64_t columns, Value number,
                             int64_t tileRows) {
  Values square;
  Value from = b.mul(number, tile.lanes);
  for (int64_t c = 0; c < tile.lanes; ++c)
    square.push_back(
        c < columns
            ? block->load(b, b.add(from, c * tile.getWidth()), tile.lanes)
            : square.front());
  transposeRegisters(b, square);
  for (int64_t r = 0; r < tileRows; ++r)
    epilogue.emit(b, square[r], b.add(b.add(place.row, from), r), at.start,
                  at.lanes, at.mask);
}

void SpmmEmitter::emitBlock(const SpmmTile &tile, const Place &place,
                            const Columns &at) {
  // The sums of each row, one after the other.
  auto takeRows = [&](ValueRange sums) {
    if (!tile.lanes)
      return Values(sums);
    Values taken;
    for (int64_t r = 0; r < tile.rows; ++r)
      taken.push_back(
          vector::ExtractOp::create(b, sums[r / tile.lanes], r % tile.lanes));
    return taken;
  };
  if (!at.lanes) {
    Values sums = takeRows(sumColumn(tile, place.lhs, at.start));
    for (auto [r, sum] : llvm::enumerate(sums))
      epilogue.emit(b, sum, b.add(place.row, static_cast<int64_t>(r)), at.start,
                    /*lanes=*/0);
    return;
  }
  int64_t columns = at.mask ? product.columns % at.lanes : at.lanes;
  bool squares = tile.lanes == at.lanes;
  b.loop(b.index(0), b.index(columns), [&](Value c) {
    Values sums = sumColumn(tile, place.lhs, b.add(at.start, c));
    if (!squares)
      sums = takeRows(sums);
    for (auto [i, sum] : llvm::enumerate(sums)) {
      auto number = static_cast<int64_t>(i);
      block->store(b, sum,
                   squares
                       ? b.add(b.mul(c, tile.getWidth()), number * tile.lanes)
                       : b.add(c, number * at.lanes));
    }
  });
  if (!squares) {
    b.loop(b.index(0), b.index(tile.rows), [&](Value r) {
      epilogue.emit(b, block->load(b, b.mul(r, at.lanes), at.lanes, at.mask),
                    b.add(place.row, r), at.start, at.lanes, at.mask);
    });
    return;
  }
  int64_t full = tile.rows / tile.lanes;
  b.loop(b.index(0), b.index(full), [&](Value number) {
    emitSquare(tile, place, at, columns, number, tile.lanes);
  });
  if (int64_t rest = tile.rows % tile.lanes)
    emitSquare(tile, place, at, columns, b.index(full), rest);
}

void SpmmEmitter::emitTile(const SpmmTile &tile, const Place &place, Value from,
                           Value to) {
  if (tiling.hasPanel(tile))
    fillPanel(tile, place.lhs);
  forColumns(b, product.columns, tiling.columnLanes, /*mayRepeat=*/false, from,
             to, [&](const Columns &at) { emitBlock(tile, place, at); });
}

void SpmmEmitter::emitPiece(Value piece) {
  SmallVector<Value> at = delinearize(
      b, piece, {product.getOuterSize(), tiling.rowTiles, tiling.columnBlocks});
  Value outer = at[0], rowTile = at[1];
  Value from = b.mul(at[2], tiling.columns), to = b.index(product.columns);
  if (tiling.columnBlocks > 1)
    to = b.createOrFold<arith::MinUIOp>(b.add(from, tiling.columns), to);
  else
    from = b.index(0);
  Value first = b.mul(rowTile, tiling.whole.rows);
  Value lhsBase =
      product.getLhsPlace(b, product.getOuterIndices(b, outer), first);
  Place place{b.add(b.mul(outer, product.inner.size), first), lhsBase};
  auto emit = [&](const SpmmTile &tile) { emitTile(tile, place, from, to); };
  if (!tiling.tail.rows)
    return emit(tiling.whole);
  if (tiling.rowTiles == 1)
    return emit(tiling.tail);
  b.ifElse(
      b.isWithin(rowTile, tiling.rowTiles - 1), [&] { emit(tiling.whole); },
      [&] { emit(tiling.tail); });
}
