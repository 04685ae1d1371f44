//===- GemmTiling.cpp - How a product is cut into tiles --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmTiling.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace brisk;

static constexpr double lineBytes = 64, l2BytesPerCycle = 32;

/// Lanes of the narrowest vector for the last `count` columns: a wider one
/// costs more where it is made of two passes through a unit half as wide.
static int64_t getTailLanes(int64_t count, int64_t lanes) {
  constexpr int64_t narrowest = 4;
  while (lanes / 2 >= std::max(count, narrowest))
    lanes /= 2;
  return lanes;
}

GemmTiling::GemmTiling(const GemmProblem &problem, ScheduleAttr schedule,
                       const Isa &isa)
    : lanes(isa.getLanes(Float32Type::get(schedule.getContext()))),
      mr(schedule.getInt("mr")), nr(schedule.getInt("nv") * lanes),
      rowTiles(llvm::divideCeil(problem.inner.size, mr)),
      rowTail(problem.inner.size % mr), fullPanels(problem.columns / nr),
      columnTail(problem.columns % nr),
      tailVectors(llvm::divideCeil(columnTail, lanes)),
      tailLanes(getTailLanes(columnTail - (tailVectors - 1) * lanes, lanes)),
      panels(fullPanels + (columnTail != 0)),
      tasks(problem.getOuterSize() * rowTiles * panels),
      unroll(schedule.getInt("unroll")),
      panelsOuter(schedule.getInt("panels_outer")),
      prefetch(schedule.getInt("prefetch")) {}

void brisk::getGemmSchedules(GroupOp group, const GemmProblem &problem,
                             const Isa &isa,
                             SmallVectorImpl<ScheduleAttr> &schedules) {
  int64_t lanes = isa.getLanes(Float32Type::get(group.getContext()));
  int64_t wanted = llvm::divideCeil(problem.columns, lanes);
  int64_t rhsBytes = problem.getReduction() * problem.columns * 4;
  bool panelsOuter =
      isa.l2Bytes && rhsBytes > static_cast<int64_t>(isa.l2Bytes / 2);
  // Rows that come from beyond the second-level cache, one tile after the
  // other, come too late for the processor to find out by itself.
  auto lhs = cast<ShapedType>(group.getIns()[problem.lhs].getType());
  bool prefetch = isa.l2Bytes && !panelsOuter &&
                  lhs.getNumElements() * 4 > static_cast<int64_t>(isa.l2Bytes);
  for (int64_t nv = 1; nv <= std::min<int64_t>(wanted, 8); ++nv) {
    // Sums, a row of the right operand, and an element of the left one.
    int64_t most = (isa.registers - nv - 1) / nv;
    for (int64_t mr = 1; mr <= std::min<int64_t>(most, 14); ++mr) {
      if (mr > problem.inner.size)
        break;
      int64_t unroll = mr * nv >= 16 ? 1 : mr * nv >= 8 ? 2 : 4;
      schedules.push_back(ScheduleAttr::make(group.getContext(), "gemm",
                                             {{"mr", mr},
                                              {"nv", nv},
                                              {"unroll", unroll},
                                              {"panels_outer", panelsOuter},
                                              {"prefetch", prefetch}}));
    }
  }
}

/// True if the cache lines that `rows` rows of the left operand are read from
/// displace each other in the first-level cache. Addresses a page apart share
/// a set in it, and a set has as many ways as the cache has pages.
static bool thrashes(const GemmProblem &problem, int64_t rows, const Isa &isa) {
  constexpr int64_t pageBytes = 4096;
  int64_t ways = isa.l1Bytes / pageBytes;
  int64_t sets = pageBytes / std::gcd(pageBytes, problem.inner.stride * 4);
  // The right operand takes a way too.
  return ways && (rows + sets - 1) / sets >= ways;
}

/// Cycles for one step of the reduction of a tile.
static double getStepCost(const GemmProblem &problem, int64_t rows,
                          int64_t vectors, double loadBytes, const Isa &isa) {
  double fmas = rows * vectors / isa.fmaPerCycle;
  double loads = (rows + vectors) / isa.loadsPerCycle;
  double latency = isa.fmaLatency;
  double traffic = vectors * isa.vectorBits / 8.0 / loadBytes;
  if (thrashes(problem, rows, isa))
    traffic += rows * lineBytes / l2BytesPerCycle;
  if (isa.singleIssue) {
    // Rows out of a load's reach take an addition each; a step ends in a jump.
    int64_t rowBytes = std::max<int64_t>(problem.inner.stride * 4, 1);
    int64_t reached = isa.loadOffset ? 1 + isa.loadOffset / rowBytes : rows;
    return fmas + loads + std::max<int64_t>(rows - reached, 0) + 4;
  }
  return std::max({fmas, loads, latency, traffic});
}

double brisk::getGemmCost(const GemmProblem &problem, ScheduleAttr schedule,
                          const Isa &isa) {
  GemmTiling tiling(problem, schedule, isa);
  int64_t nv = schedule.getInt("nv");
  double depth = problem.getReduction();
  // The panel comes from the cache that holds it while the rows go by.
  double panelBytes = depth * tiling.nr * 4;
  double loadBytes = isa.vectorBits ? isa.vectorBits / 8.0 * 2 : 8;
  double reused = tiling.panelsOuter ? panelBytes : depth * problem.columns * 4;
  if (isa.l1Bytes && reused > isa.l1Bytes / 2)
    loadBytes = l2BytesPerCycle;
  if (isa.l2Bytes && reused > isa.l2Bytes)
    loadBytes = isa.memoryBytesPerCycle;
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
