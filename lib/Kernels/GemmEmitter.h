//===- GemmEmitter.h - The tiles of a product as code -----------*- C++ -*-===//
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

#include "Contraction.h"
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
  /// What a tile's sums start from: the bias in each row, or zeros.
  Values startSums(mlir::Value column, int64_t rows,
                   llvm::ArrayRef<ColumnVector> vectors);
  void emitTile(const GemmTiling::Place &place, int64_t rows,
                llvm::ArrayRef<ColumnVector> vectors);
  /// Adds up products of rows by a panel of weights of few bits.
  Values emitNBitSums(mlir::Value lhsBase, mlir::Value panel, int64_t rows,
                      llvm::ArrayRef<ColumnVector> vectors,
                      mlir::ValueRange sums);
  /// Fetches a part of what the next tile will read after that at
  /// `lhs`, at each step `k` another.
  void prefetchRows(mlir::Value lhs, mlir::Value k);

  KernelBuilder &b;
  const GemmProblem &problem;
  const GemmTiling &tiling;
  Epilogue epilogue;
  FlatBuffer lhs, rhs;
  /// Of weights of few bits.
  std::optional<NBitParameters> parameters;
  mlir::Value bias;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_GEMMEMITTER_H
