//===- GemmEmitter.h - The tiles of a product as code --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits tiles of a matrix product: sums in registers, carried through loops
// over the reduction.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_GEMMEMITTER_H
#define BRISK_LIB_KERNELS_GEMMEMITTER_H

#include "GemmTiling.h"

namespace brisk {

/// Emits tiles.
class GemmEmitter {
public:
  GemmEmitter(KernelBuilder &b, GroupOp group, const GemmProblem &problem,
              const GemmTiling &tiling, mlir::ValueRange ins,
              mlir::ValueRange outs);
  /// Tile number `tile`.
  void emitTile(mlir::Value tile);

private:
  /// A vector of a tile's columns.
  struct Part {
    int64_t offset;
    mlir::VectorType type;
    mlir::Value mask; ///< Null: all lanes are columns.
  };

  mlir::Value flatten(mlir::Value memref);
  llvm::SmallVector<Part> getParts(bool tail);
  void emitTile(mlir::Value outer, mlir::Value rowTile, mlir::Value panel,
                int64_t rows, llvm::ArrayRef<Part> parts);
  llvm::SmallVector<mlir::Value> initialize(mlir::Value column, int64_t rows,
                                            llvm::ArrayRef<Part> parts);
  /// Sums `depth` elements from `lhs` and rows of `rhs` on.
  llvm::SmallVector<mlir::Value> reduce(mlir::Value lhs, mlir::Value rhs,
                                        mlir::ValueRange sums, int64_t rows,
                                        llvm::ArrayRef<Part> parts,
                                        int64_t rhsStride);
  /// Fetches a part of what `reduce` at `lhs` will read in the next tile, at
  /// each step `k` another.
  void prefetchRows(mlir::Value lhs, mlir::Value k);

  KernelBuilder &b;
  const GemmProblem &problem;
  const GemmTiling &tiling;
  Epilogue epilogue;
  mlir::Value lhs, rhs, bias;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_GEMMEMITTER_H
