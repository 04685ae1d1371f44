//===- GemmTiling.h - How a product is cut into tiles -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of a matrix product, which of them are worth trying, and what they
// cost.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_GEMMTILING_H
#define BRISK_LIB_KERNELS_GEMMTILING_H

#include "GemmProblem.h"
#include "TilePlan.h"

namespace brisk {

/// How the result is cut into tiles of `mr` rows by `nr` columns, and how these
/// are computed.
struct GemmTiling {
  GemmTiling(const GemmProblem &problem, GemmScheduleAttr schedule,
             const Isa &isa);

  /// A tile by its indices.
  struct Place {
    mlir::Value outer, rowTile, panel;
  };
  Place getPlace(KernelBuilder &b, mlir::Value tile) const;
  /// The vectors of a panel's columns, or of those of the last one.
  llvm::SmallVector<ColumnVector> getColumns(KernelBuilder &b, bool tail) const;
  /// Emits for a panel, whether it is whole or the last one, or for a tile of
  /// rows; only what can happen is emitted.
  void forPanel(KernelBuilder &b, mlir::Value panel,
                llvm::function_ref<void(bool tail)> emit) const;
  void forRows(KernelBuilder &b, mlir::Value rowTile,
               llvm::function_ref<void(int64_t rows)> emit) const;

  /// Columns that the last panel takes up, packed or in registers.
  int64_t getTailWidth() const { return (tailVectors - 1) * lanes + tailLanes; }

  int64_t lanes, mr, nr;
  int64_t rowTiles, rowTail;
  /// The last panel has `columnTail` columns, in `tailVectors` vectors; the
  /// last of these is of `tailLanes`.
  int64_t fullPanels, columnTail, tailVectors, tailLanes, panels;
  int64_t outerSize, tiles;
  /// The multiplier's steps in one iteration.
  int64_t unroll;
  /// All rows are computed for a panel before the next one.
  bool panelsOuter;
  /// A tile fetches the left operand's rows of the next one.
  bool prefetch;
  /// Of a schedule in tile registers.
  std::optional<TilePlan> tilePlan;
};

/// Adds schedules of the problem, whose left operand takes `lhsBytes`.
void getGemmSchedules(const GemmProblem &problem, int64_t lhsBytes,
                      const Isa &isa, Search search,
                      llvm::SmallVectorImpl<ScheduleAttr> &schedules);

/// Estimated cycles of one run on one core.
double getGemmCycles(const GemmProblem &problem, GemmScheduleAttr schedule,
                     const Isa &isa);

} // namespace brisk

#endif // BRISK_LIB_KERNELS_GEMMTILING_H
