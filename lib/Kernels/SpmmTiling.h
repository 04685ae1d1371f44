//===- SpmmTiling.h - How a sparse product is cut into tiles ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product with constant weights that are mostly zeros, the tiles of it, and
// what they cost.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_SPMMTILING_H
#define BRISK_LIB_KERNELS_SPMMTILING_H

#include "GemmProblem.h"

namespace brisk {

struct SpmmProblem {
  GemmProblem product;
  /// Weights that are multiplied by: those that are not zero, and a few that
  /// fill columns up.
  int64_t entries;
};

/// Neighbouring rows of the result that are computed at a time.
struct SpmmTile {
  int64_t rows;
  /// They are held in `values` vectors of so many lanes, the last of which may
  /// have lanes to spare, or scalars (0).
  int64_t lanes, values;

  /// Elements that a row of the panel takes.
  int64_t getWidth() const { return lanes ? values * lanes : values; }
};

struct SpmmTiling {
  SpmmTiling(const SpmmProblem &problem, SpmmScheduleAttr schedule,
             const Isa &isa);

  /// True if a tile's rows of the left operand are brought into the order in
  /// which they are read: all of a step of the reduction side by side.
  bool hasPanel(const SpmmTile &tile) const { return tile.lanes || hasTaps; }
  int64_t getPanelBytes(const SpmmTile &tile) const;
  /// The same of any tile.
  int64_t getPanelBytes() const {
    return std::max(getPanelBytes(whole), getPanelBytes(tail));
  }
  /// Of the results of a vector of columns.
  int64_t getBlockBytes() const;

  bool hasTaps;
  int64_t reduction;
  /// Those of `rows` rows, and what is left: without rows if nothing is.
  SpmmTile whole, tail;
  int64_t rowTiles;
  /// Of a piece.
  int64_t columns;
  /// Pieces that the columns are divided into.
  int64_t columnBlocks;
  /// Lanes of vectors of columns; 0: scalars.
  int64_t columnLanes;
  int64_t pieces;
};

/// Fails, and says so, unless rows and columns fill vectors.
llvm::LogicalResult verifySpmmSchedule(const SpmmProblem &problem,
                                       SpmmScheduleAttr schedule,
                                       const Isa &isa);

/// Adds schedules of the problem, at least one.
void getSpmmSchedules(const SpmmProblem &problem, const Isa &isa,
                      llvm::SmallVectorImpl<ScheduleAttr> &schedules);

/// Estimated cycles of one run on one core.
double getSpmmCycles(const SpmmProblem &problem, SpmmScheduleAttr schedule,
                     const Isa &isa);

/// Bytes of a panel that a worker can have: those that stay near where there
/// are caches, else what takes little memory.
int64_t getLargestPanel(const Isa &isa);

} // namespace brisk

#endif // BRISK_LIB_KERNELS_SPMMTILING_H
