//===- TilePlan.h - Which tile registers hold what ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a matrix product goes through tile registers: the rows and elements that
// each holds, and the steps over the elements that are summed up. Free of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_TILEPLAN_H
#define BRISK_LIB_KERNELS_TILEPLAN_H

#include "brisk/Target/Isa.h"

namespace brisk {

/// Steps over `depth` elements of a row. All are of one size, as registers are
/// configured for one. Where they do not come out even, the last one begins a
/// few elements early; those are zeros on the left side then, and so are
/// elements that the left side has not got.
struct TileSteps {
  /// Of floats, none begins early: what is not finite on the right side would
  /// not stay without effect.
  TileSteps(const Isa::Product &product, int64_t depth);

  /// Elements of a column side by side; the right side has whole groups.
  int64_t group;
  /// Elements of a step, and how many of those steps there are.
  int64_t elements, count;
  /// Elements of the right side.
  int64_t padded;
  /// Elements at the front of the last step that the one before it has added,
  /// and how many behind them the left side has.
  int64_t repeated, rest;

  /// True if the left side's elements of the last step cannot be loaded as they
  /// lie in memory.
  bool copiesLast() const { return rest != elements; }
  /// Where the last step begins, with repeated elements.
  int64_t getLastStart() const { return padded - elements; }
};

/// A block of `rows` rows by `columnTiles` tiles of columns of sums, each in a
/// register of its own throughout.
struct TilePlan {
  TilePlan(const Isa &isa, const Isa::Product &product, int64_t rows,
           int64_t columnTiles, int64_t depth);

  const Isa::Product &product;
  TileSteps steps;
  int64_t rows, columnTiles;
  /// Tiles of rows, all of `tileRows`; the last one begins where it ends with
  /// the block's rows.
  int64_t rowTiles, tileRows;
  /// Operands of the shorter side stay in registers for a step; those of the
  /// other one take turns in what is left.
  int64_t lhsRegisters, rhsRegisters;

  /// True if there are registers for all that.
  bool fits() const { return lhsRegisters > 0 && rhsRegisters > 0; }
  bool keepsLhs() const { return rowTiles <= columnTiles; }
  int64_t getFirstRow(int64_t rowTile) const;
  int64_t getSumRegister(int64_t rowTile, int64_t columnTile) const {
    return rowTile * columnTiles + columnTile;
  }
  int64_t getLhsRegister(int64_t rowTile) const {
    return rowTiles * columnTiles + rowTile % lhsRegisters;
  }
  int64_t getRhsRegister(int64_t columnTile) const {
    return rowTiles * columnTiles + lhsRegisters + columnTile % rhsRegisters;
  }
  /// What the instruction that configures registers reads, 64 bytes. Source:
  /// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
  /// 18.2.
  llvm::SmallVector<int32_t> getConfiguration() const;
  /// Bytes of the block's sums, and of all memory that a worker needs: behind
  /// the sums are the rows of a last step that is copied.
  int64_t getSumBytes() const;
  int64_t getScratch() const;
  /// A row of any register.
  static constexpr int64_t rowBytes = 64;

  /// Estimated cycles of a step, whose right side comes with `loadBytes` a
  /// cycle, and what copying adds to the last one.
  double getStepCycles(const Isa &isa, double loadBytes) const;
  double getCopyCycles(const Isa &isa) const;
  /// From the last step's sums to vectors: each product waits for the one
  /// before it, and all goes through memory.
  double getDrainCycles() const;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_TILEPLAN_H
