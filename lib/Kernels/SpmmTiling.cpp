//===- SpmmTiling.cpp - How a sparse product is cut into tiles ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmmTiling.h"
#include "Access.h"
#include "brisk/Dialect/NonZeros.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

/// Vectors, or scalars, of rows that have registers for their sums.
static constexpr int64_t mostValues = 4;

/// Lanes of a vector of rows; 1 where there are no vectors.
static int64_t getLanes(const SpmmProblem &problem, const Isa &isa) {
  return isa.getLanes(problem.product.multiplier.sum);
}

static bool fillsVectors(int64_t rows, int64_t lanes) {
  return lanes > 1 && rows % lanes == 0;
}

/// `rows` in the narrowest vectors that hold them.
static SpmmTile getTile(int64_t rows, int64_t lanes, bool vectors) {
  if (rows <= 1 || !vectors)
    return {rows, 0, rows};
  constexpr int64_t narrowest = 4;
  while (lanes / 2 >= std::max(rows, narrowest))
    lanes /= 2;
  return {rows, lanes, static_cast<int64_t>(llvm::divideCeil(rows, lanes))};
}

SpmmTiling::SpmmTiling(const SpmmProblem &problem, SpmmScheduleAttr schedule,
                       const Isa &isa)
    : hasTaps(!problem.product.taps.empty()),
      reduction(problem.product.getReduction()),
      columns(std::min(schedule.getColumns(), problem.product.columns)),
      columnBlocks(llvm::divideCeil(problem.product.columns, columns)),
      columnLanes(getColumnLanes(isa, problem.product.multiplier.sum,
                                 problem.product.columns)) {
  int64_t rows = schedule.getRows(), lanes = getLanes(problem, isa);
  int64_t all = problem.product.inner.size;
  bool vectors = fillsVectors(rows, lanes);
  whole = getTile(rows, lanes, vectors);
  tail = getTile(all % rows, lanes, vectors);
  rowTiles = llvm::divideCeil(all, rows);
  pieces = problem.product.getOuterSize() * rowTiles * columnBlocks;
}

int64_t SpmmTiling::getPanelBytes(const SpmmTile &tile) const {
  return hasPanel(tile)
             ? llvm::alignTo<64>(reduction * tile.getWidth() * sizeof(float))
             : 0;
}

int64_t SpmmTiling::getBlockBytes() const {
  int64_t width = std::max(whole.getWidth(), tail.getWidth());
  return llvm::alignTo<64>(columnLanes * width * sizeof(float));
}

LogicalResult brisk::verifySpmmSchedule(const SpmmProblem &problem,
                                        SpmmScheduleAttr schedule,
                                        const Isa &isa) {
  const GemmProblem &product = problem.product;
  int64_t lanes = getLanes(problem, isa), rows = schedule.getRows();
  if (rows > mostValues &&
      (!fillsVectors(rows, lanes) || rows > mostValues * lanes))
    return product.anchor->emitOpError("cannot be computed by ")
           << rows << " rows: expected at most " << mostValues
           << ", or as many vectors of " << lanes;
  int64_t unit = std::max<int64_t>(
      getColumnLanes(isa, product.multiplier.sum, product.columns), 1);
  if (schedule.getColumns() < product.columns && schedule.getColumns() % unit)
    return product.anchor->emitOpError("cannot be computed by ")
           << schedule.getColumns() << " columns: expected a multiple of "
           << unit;
  return success();
}

int64_t brisk::getLargestPanel(const Isa &isa) {
  constexpr int64_t little = 4 << 10;
  return isa.caches.empty() ? little : isa.caches.back().bytes / 2;
}

/// Cycles that an element takes on its way into a panel, or out of a block.
static double getMoveCycles(const SpmmTile &tile, const Isa &isa) {
  constexpr double perVector = 6, perElement = 0.3;
  return tile.lanes ? perVector / static_cast<double>(tile.lanes) + perElement
                    : 2 / isa.loadsPerCycle;
}

/// Cycles of an entry of the weights, for all rows of a tile.
static double getEntryCycles(const SpmmProblem &problem,
                             const SpmmTiling &tiling, const SpmmTile &tile,
                             const Isa &isa) {
  const Multiplier &multiplier = problem.product.multiplier;
  auto values = static_cast<double>(tile.values);
  double perCycle = multiplier.getRate(isa) / getLanes(problem, isa);
  // The weight and its row are loaded, too; the latter, an integer, partly
  // beside the others.
  constexpr double perEntry = 1.5;
  double loads = (values + perEntry) / isa.loadsPerCycle;
  double products = values / perCycle;
  if (isa.singleIssue) {
    constexpr double addressAndLoop = 3;
    return loads + products + addressAndLoop;
  }
  // A vector is loaded at the rate of products; so is a weight in all lanes.
  double vectors = tile.lanes ? (values + 1) / perCycle : 0;
  double splits = std::max<double>(NonZeros::step / values, 1);
  double panel = static_cast<double>(tiling.getPanelBytes(tile));
  double read = tile.lanes ? static_cast<double>(tile.getWidth()) *
                                 sizeof(float) / isa.getReuseRate(panel)
                           : 0;
  return std::max(
      {loads, products, vectors, read, multiplier.getLatency(isa) / splits});
}

/// Cycles of some rows by all columns.
static double getTileCycles(const SpmmProblem &problem,
                            const SpmmTiling &tiling, const SpmmTile &tile,
                            const Isa &isa) {
  if (tile.rows == 0)
    return 0;
  const GemmProblem &product = problem.product;
  auto width = static_cast<double>(tile.getWidth());
  double move = getMoveCycles(tile, isa);
  double panel = tiling.hasPanel(tile)
                     ? tiling.columnBlocks * tiling.reduction * width * move
                     : 0;
  auto entries = static_cast<double>(problem.entries);
  constexpr double entryBytes = sizeof(float) + sizeof(uint16_t);
  double entry = getEntryCycles(problem, tiling, tile, isa) +
                 entryBytes / isa.getReuseRate(entries * entryBytes);
  constexpr double perColumn = 12;
  return panel + entries * entry +
         static_cast<double>(product.columns) * (perColumn + width * move);
}

double brisk::getSpmmCycles(const SpmmProblem &problem,
                            SpmmScheduleAttr schedule, const Isa &isa) {
  SpmmTiling tiling(problem, schedule, isa);
  const GemmProblem &product = problem.product;
  auto wholes = static_cast<double>(product.inner.size / schedule.getRows());
  return static_cast<double>(product.getOuterSize()) *
         ((wholes ? wholes * getTileCycles(problem, tiling, tiling.whole, isa)
                  : 0) +
          getTileCycles(problem, tiling, tiling.tail, isa));
}

/// Columns of a piece: all of them where there are enough rows for several
/// threads; else as many as make the panel's part small, which each piece fills
/// anew.
static int64_t getColumns(const SpmmProblem &problem, int64_t rows,
                          const Isa &isa) {
  const GemmProblem &product = problem.product;
  constexpr int64_t enough = 8;
  auto all = SpmmScheduleAttr::get(product.anchor->getContext(), rows,
                                   std::min<int64_t>(product.columns, 1 << 16));
  SpmmTiling tiling(problem, all, isa);
  int64_t parts = llvm::divideCeil(enough, tiling.pieces);
  const SpmmTile &tile =
      tiling.rowTiles == 1 && tiling.tail.rows ? tiling.tail : tiling.whole;
  if (tiling.hasPanel(tile)) {
    double panel = static_cast<double>(tiling.reduction * tile.getWidth()) *
                   getMoveCycles(tile, isa);
    double cycles = getTileCycles(problem, tiling, tile, isa);
    parts = std::min<int64_t>(parts, cycles / panel / enough);
  }
  int64_t unit = std::max<int64_t>(tiling.columnLanes, 1);
  int64_t columns = llvm::alignTo(
      llvm::divideCeil(product.columns, std::max<int64_t>(parts, 1)), unit);
  return std::clamp<int64_t>(columns, unit, (1 << 16) / unit * unit);
}

void brisk::getSpmmSchedules(const SpmmProblem &problem, const Isa &isa,
                             SmallVectorImpl<ScheduleAttr> &schedules) {
  const GemmProblem &product = problem.product;
  int64_t lanes = getLanes(problem, isa);
  auto add = [&](int64_t rows) {
    auto schedule = SpmmScheduleAttr::get(product.anchor->getContext(), rows,
                                          getColumns(problem, rows, isa));
    SpmmTiling tiling(problem, schedule, isa);
    if (rows == 1 || tiling.getPanelBytes(tiling.whole) <= getLargestPanel(isa))
      schedules.push_back(schedule);
  };
  for (int64_t values = 1; values <= mostValues; values *= 2) {
    if (values <= product.inner.size && !fillsVectors(values, lanes))
      add(values);
    if (lanes > 1 && product.inner.size > values / 2 * lanes &&
        product.inner.size > 1)
      add(values * lanes);
  }
}
