//===- TileEmitter.h - A tile of a matrix product in tiles ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the tiles of a GemmProblem with a product of tile registers: sums stay
// in registers over all steps, go to the worker's memory once, and from there
// row by row through what follows the product.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_TILEEMITTER_H
#define BRISK_LIB_KERNELS_TILEEMITTER_H

#include "GemmTiling.h"

namespace brisk {

class TileEmitter {
public:
  /// Emits what comes before all tiles.
  TileEmitter(KernelBuilder &b, GroupOp group, const GemmProblem &problem,
              const GemmTiling &tiling, mlir::ValueRange ins,
              mlir::ValueRange outs);
  /// Tile number `tile`.
  void emitTile(mlir::Value tile);
  /// Emits what comes after all tiles.
  void finish();

private:
  void emitTile(const GemmTiling::Place &at, bool tail);
  /// Adds up all taps from the `d`th dimension on: the left side's first row
  /// begins with element `lhsAt`, the right side's first group at `rhsByte`.
  void emitTaps(size_t d, mlir::Value lhsAt, mlir::Value rhsByte);
  /// Adds up the elements of a tap.
  void emitSteps(mlir::Value lhsAt, mlir::Value rhsByte);
  /// Adds the products of one step, for which the left side's rows begin at
  /// `byte` from `address`, `rowBytes` apart.
  void emitStep(mlir::Value address, mlir::Value byte, int64_t rowBytes,
                mlir::Value rhsByte);
  /// What the last step multiplies, where it cannot be loaded as it lies in
  /// memory: rows in the worker's memory, zeros around what is copied.
  FlatBuffer getCopies() const;
  void clearCopies();
  void copyRest(mlir::Value lhsAt);
  /// Hands on the block's sums, the first row of which is `row` of the result,
  /// but for those of the first `skipped` rows.
  void emitResults(mlir::Value row, mlir::Value skipped, mlir::Value column,
                   llvm::ArrayRef<ColumnVector> vectors);

  /// An intrinsic on registers and, perhaps, a matrix in memory.
  void call(llvm::StringRef intrinsic, llvm::ArrayRef<int64_t> registers,
            mlir::ValueRange memory = {});
  /// The matrix that begins at `byte` from `address`.
  Values getMatrix(mlir::Value address, mlir::Value byte, int64_t rowBytes);
  /// Bytes of a row's elements, and of those of all the panel's columns.
  int64_t getLhsBytes(int64_t elements) const;
  int64_t getRhsBytes(int64_t elements) const;

  KernelBuilder &b;
  const GemmProblem &problem;
  const GemmTiling &tiling;
  const TilePlan &plan;
  Epilogue epilogue;
  FlatBuffer lhs, sums;
  mlir::Value bias, lhsAddress, rhsAddress, scratchAddress;
  /// Those of the panel that is emitted.
  int64_t columnTiles = 0;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_TILEEMITTER_H
