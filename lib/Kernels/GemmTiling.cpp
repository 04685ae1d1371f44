//===- GemmTiling.cpp - How a product is cut into tiles -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmTiling.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace brisk;

/// Lanes of the narrowest vector for the last `count` columns: a wider one
/// costs more where it is made of two passes through a unit half as wide.
static int64_t getTailLanes(int64_t count, int64_t lanes) {
  constexpr int64_t narrowest = 4;
  while (lanes / 2 >= std::max(count, narrowest))
    lanes /= 2;
  return lanes;
}

GemmTiling::GemmTiling(const GemmProblem &problem, GemmScheduleAttr schedule,
                       const Isa &isa)
    : lanes(isa.getLanes(problem.multiplier.sum)), mr(schedule.getMr()),
      nr(schedule.getNv() * lanes),
      rowTiles(llvm::divideCeil(problem.inner.size, mr)),
      rowTail(problem.inner.size % mr), fullPanels(problem.columns / nr),
      columnTail(problem.columns % nr),
      tailVectors(llvm::divideCeil(columnTail, lanes)),
      tailLanes(
          schedule.getInTiles()
              ? lanes
              : getTailLanes(columnTail - (tailVectors - 1) * lanes, lanes)),
      panels(fullPanels + (columnTail != 0)), outerSize(problem.getOuterSize()),
      tiles(outerSize * rowTiles * panels), unroll(schedule.getUnroll()),
      panelsOuter(schedule.getPanelsOuter()), prefetch(schedule.getPrefetch()) {
  if (schedule.getInTiles())
    tilePlan.emplace(isa, *problem.tileProduct, mr, schedule.getNv(),
                     problem.depth);
}

GemmTiling::Place GemmTiling::getPlace(KernelBuilder &b, Value tile) const {
  SmallVector<Value> at =
      panelsOuter ? delinearize(b, tile, {panels, outerSize, rowTiles})
                  : delinearize(b, tile, {outerSize, rowTiles, panels});
  return panelsOuter ? Place{at[1], at[2], at[0]} : Place{at[0], at[1], at[2]};
}

SmallVector<ColumnVector> GemmTiling::getColumns(KernelBuilder &b,
                                                 bool tail) const {
  int64_t columns = tail ? columnTail : nr;
  int64_t width = tail ? getTailWidth() : nr;
  SmallVector<ColumnVector> vectors;
  for (int64_t offset = 0; offset < width;) {
    int64_t most = std::min(lanes, width - offset);
    int64_t used = std::min(most, columns - offset);
    vectors.push_back(
        {offset, most, used < most ? b.mask(most, used) : Value()});
    offset += most;
  }
  return vectors;
}

/// `first` where `index` is below `full` of `count`, else `second`.
static void branch(KernelBuilder &b, Value index, int64_t full, int64_t count,
                   function_ref<void()> first, function_ref<void()> second) {
  if (full == count)
    return first();
  if (full == 0)
    return second();
  b.ifElse(b.isWithin(index, full), first, second);
}

void GemmTiling::forPanel(KernelBuilder &b, Value panel,
                          function_ref<void(bool)> emit) const {
  branch(
      b, panel, fullPanels, panels, [&] { emit(false); }, [&] { emit(true); });
}

void GemmTiling::forRows(KernelBuilder &b, Value rowTile,
                         function_ref<void(int64_t)> emit) const {
  branch(
      b, rowTile, rowTiles - (rowTail != 0), rowTiles, [&] { emit(mr); },
      [&] { emit(rowTail); });
}

/// Adds a schedule and, if the search wants them, all others of its tile.
static void addSchedules(GemmScheduleAttr usual, Search search,
                         SmallVectorImpl<ScheduleAttr> &schedules) {
  schedules.push_back(usual);
  if (search == Search::Default)
    return;
  for (int64_t steps : getNumbers(search, usual.getUnroll(), /*greatest=*/8))
    for (bool outer : {false, true})
      for (bool fetches : {false, true}) {
        auto schedule = GemmScheduleAttr::get(
            usual.getContext(), usual.getMr(), usual.getNv(), steps, outer,
            fetches && !usual.getInTiles(), usual.getInTiles());
        if (!llvm::is_contained(schedules, schedule))
          schedules.push_back(schedule);
      }
}

/// Tiles of one to four registers of sums, of about as many rows each.
static void addTileSchedules(const GemmProblem &problem, bool panelsOuter,
                             const Isa &isa, Search search,
                             SmallVectorImpl<ScheduleAttr> &schedules) {
  const Isa::Product &product = *problem.tileProduct;
  int64_t wanted = llvm::divideCeil(problem.columns, product.n);
  // More sums than that do not hide more of a product's latency.
  constexpr int64_t most = 4;
  for (int64_t nv = 1; nv <= std::min(wanted, most); ++nv)
    for (int64_t rowTiles = 1; rowTiles * nv <= most; ++rowTiles) {
      int64_t blocks =
          llvm::divideCeil(problem.inner.size, rowTiles * product.m);
      int64_t mr = llvm::divideCeil(problem.inner.size, blocks);
      TilePlan plan(isa, product, mr, nv, problem.depth);
      if (plan.rowTiles == rowTiles && plan.fits())
        addSchedules(GemmScheduleAttr::get(problem.anchor->getContext(), mr, nv,
                                           /*unroll=*/1, panelsOuter,
                                           /*prefetch=*/false,
                                           /*inTiles=*/true),
                     search, schedules);
    }
}

/// Steps of an iteration of a tile, which take loop and addresses together. No
/// more than there are registers for what they read, where that is read ahead
/// into registers of its own.
static int64_t getUnroll(int64_t rows, int64_t vectors, const Isa &isa) {
  int64_t sums = rows * vectors;
  int64_t usual = sums >= 16 ? 1 : sums >= 8 ? 2 : 4;
  if (!isa.vectors.takesScalars)
    return usual;
  auto left = static_cast<int64_t>(isa.vectors.count) - sums;
  return std::clamp<int64_t>(left / vectors, 1, usual);
}

void brisk::getGemmSchedules(const GemmProblem &problem, int64_t lhsBytes,
                             const Isa &isa, Search search,
                             SmallVectorImpl<ScheduleAttr> &schedules) {
  MLIRContext *context = problem.anchor->getContext();
  int64_t lanes = isa.getLanes(problem.multiplier.sum);
  int64_t wanted = llvm::divideCeil(problem.columns, lanes);
  double rhsBytes = static_cast<double>(problem.getSteps() * problem.columns) *
                    problem.getColumnBytes();
  const Isa::Cache *l2 = isa.findCache(2);
  bool panelsOuter = l2 && rhsBytes > static_cast<double>(l2->bytes) / 2;
  // Rows that come from beyond the second-level cache, one tile after the
  // other, come too late for the processor to find out by itself.
  bool prefetch = l2 && !problem.narrow && !panelsOuter && lhsBytes > l2->bytes;
  auto [maxRows, maxVectors] = isa.largestTile;
  for (int64_t nv = 1; nv <= std::min(wanted, maxVectors); ++nv) {
    int64_t most =
        std::min({problem.getMostRows(isa, nv), maxRows, problem.inner.size});
    for (int64_t mr = 1; mr <= most; ++mr) {
      addSchedules(GemmScheduleAttr::get(context, mr, nv,
                                         getUnroll(mr, nv, isa), panelsOuter,
                                         prefetch, /*inTiles=*/false),
                   search, schedules);
    }
  }
  if (problem.tileProduct)
    addTileSchedules(problem, panelsOuter, isa, search, schedules);
}

/// Bytes from one row of the left operand to the next.
static int64_t getRowBytes(const GemmProblem &problem) {
  return problem.inner.stride * getElementBytes(problem.getLhsElement());
}

/// True if the cache lines that `rows` rows of the left operand are read from
/// displace each other in the first-level cache, in which addresses share a set
/// that are a way's size apart.
static bool thrashes(const GemmProblem &problem, int64_t rows, const Isa &isa) {
  const Isa::Cache *cache = isa.findCache(1);
  if (!cache)
    return false;
  int64_t wayBytes = cache->bytes / cache->ways;
  int64_t sets = wayBytes / std::gcd(wayBytes, getRowBytes(problem));
  // The right operand takes a way too.
  return (rows + sets - 1) / sets >= cache->ways;
}

/// Cycles for one step of the reduction of a tile.
static double getStepCost(const GemmProblem &problem, int64_t rows,
                          int64_t vectors, double loadBytes, const Isa &isa) {
  const Multiplier &multiplier = problem.multiplier;
  double lanes = isa.getLanes(multiplier.sum);
  double multiplyAdds =
      static_cast<double>(llvm::alignTo(rows, multiplier.getRows())) * vectors *
      lanes * multiplier.getDepth() / multiplier.getRate(isa);
  Multiplier::Preparation preparation = problem.getPreparation(isa);
  multiplyAdds += static_cast<double>(rows * preparation.row +
                                      vectors * preparation.column) /
                  isa.operationsPerCycle;
  // What is not packed is shifted and joined.
  if (!problem.packed)
    multiplyAdds +=
        2.0 * vectors * (multiplier.getDepth() - 1) / isa.operationsPerCycle;
  double loads = static_cast<double>(rows + vectors * multiplier.getRows()) /
                 isa.loadsPerCycle;
  double latency = multiplier.getLatency(isa);
  double traffic = vectors * lanes * problem.getColumnBytes() / loadBytes;
  if (thrashes(problem, rows, isa))
    traffic += rows * isa.caches.front().lineBytes / isa.getRefillRate();
  if (isa.singleIssue) {
    // Rows out of a load's reach take an addition each; a step ends in a jump.
    int64_t rowBytes = std::max<int64_t>(getRowBytes(problem), 1);
    int64_t reached = isa.loadOffset ? 1 + isa.loadOffset / rowBytes : rows;
    return multiplyAdds + loads + std::max<int64_t>(rows - reached, 0) + 4;
  }
  return std::max({multiplyAdds, loads, latency, traffic});
}

/// Those of a schedule in tile registers. Blocks of rows are whole ones, and
/// so are tiles of columns.
static double getTileCycles(const GemmProblem &problem,
                            const GemmTiling &tiling, const Isa &isa) {
  const TileSteps &steps = tiling.tilePlan->steps;
  // Configuring registers, and releasing them.
  constexpr double perRun = 300;
  double width = tiling.panelsOuter ? tiling.nr : problem.columns;
  double loadBytes =
      isa.getReuseRate(static_cast<double>(problem.getTaps() * steps.padded) *
                       width * getElementBytes(problem.multiplier.rhs));
  auto blockCost = [&](int64_t columnTiles) {
    TilePlan plan(isa, *problem.tileProduct, tiling.mr, columnTiles,
                  problem.depth);
    constexpr double perBlock = 20;
    return problem.getTaps() *
               (steps.count * plan.getStepCycles(isa, loadBytes) +
                plan.getCopyCycles(isa)) +
           plan.getDrainCycles() + perBlock;
  };
  double panels = tiling.fullPanels * blockCost(tiling.tilePlan->columnTiles);
  if (tiling.columnTail)
    panels += blockCost(tiling.tailVectors);
  return panels * tiling.rowTiles * tiling.outerSize + perRun;
}

double brisk::getGemmCycles(const GemmProblem &problem,
                            GemmScheduleAttr schedule, const Isa &isa) {
  GemmTiling tiling(problem, schedule, isa);
  if (tiling.tilePlan)
    return getTileCycles(problem, tiling, isa);
  int64_t nv = schedule.getNv();
  double depth = problem.getSteps();
  // The panel comes from the cache that holds it while the rows go by.
  double panelBytes = depth * tiling.nr * problem.getColumnBytes();
  double reused = tiling.panelsOuter
                      ? panelBytes
                      : depth * problem.columns * problem.getColumnBytes();
  double loadBytes = isa.getReuseRate(reused);
  auto tileCost = [&](int64_t rows, int64_t vectors) {
    constexpr double perTile = 20, perVector = 2.5;
    return depth * getStepCost(problem, rows, vectors, loadBytes, isa) +
           perTile + rows * vectors * perVector;
  };
  int64_t fullRows = problem.inner.size / tiling.mr;
  double cost = 0;
  for (auto [count, vectors] :
       {std::pair(tiling.fullPanels, nv),
        std::pair<int64_t, int64_t>(tiling.columnTail != 0,
                                    tiling.tailVectors)}) {
    if (!count)
      continue;
    cost += count * fullRows * tileCost(tiling.mr, vectors);
    if (tiling.rowTail)
      cost += count * tileCost(tiling.rowTail, vectors);
  }
  return cost * tiling.outerSize;
}
