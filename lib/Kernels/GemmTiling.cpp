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
      tailLanes(getTailLanes(columnTail - (tailVectors - 1) * lanes, lanes)),
      panels(fullPanels + (columnTail != 0)),
      tiles(problem.getOuterSize() * rowTiles * panels),
      unroll(schedule.getUnroll()), panelsOuter(schedule.getPanelsOuter()),
      prefetch(schedule.getPrefetch()) {}

/// Adds a schedule and, if the search wants them, all others of its tile.
static void addSchedules(GemmScheduleAttr usual, Search search,
                         SmallVectorImpl<ScheduleAttr> &schedules) {
  schedules.push_back(usual);
  if (search == Search::Default)
    return;
  for (int64_t steps : getNumbers(search, usual.getUnroll(), /*greatest=*/8))
    for (bool outer : {false, true})
      for (bool fetches : {false, true}) {
        auto schedule =
            GemmScheduleAttr::get(usual.getContext(), usual.getMr(),
                                  usual.getNv(), steps, outer, fetches);
        if (schedule != usual)
          schedules.push_back(schedule);
      }
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
      int64_t unroll = mr * nv >= 16 ? 1 : mr * nv >= 8 ? 2 : 4;
      addSchedules(
          GemmScheduleAttr::get(context, mr, nv, unroll, panelsOuter, prefetch),
          search, schedules);
    }
  }
}

/// Bytes from one row of the left operand to the next.
static int64_t getRowBytes(const GemmProblem &problem) {
  return problem.inner.stride * getElementBytes(problem.multiplier.lhs);
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
      rows * vectors * lanes * multiplier.getDepth() / multiplier.getRate(isa);
  Multiplier::Preparation preparation = problem.getPreparation(isa);
  multiplyAdds += static_cast<double>(rows * preparation.row +
                                      vectors * preparation.column) /
                  isa.operationsPerCycle;
  // What is not packed is shifted and joined.
  if (!problem.packed)
    multiplyAdds +=
        2.0 * vectors * (multiplier.getDepth() - 1) / isa.operationsPerCycle;
  double loads = (rows + vectors) / isa.loadsPerCycle;
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

double brisk::getGemmCycles(const GemmProblem &problem,
                            GemmScheduleAttr schedule, const Isa &isa) {
  GemmTiling tiling(problem, schedule, isa);
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
  return cost * problem.getOuterSize();
}
