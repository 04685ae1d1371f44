//===- SpmmEmitter.h - The tiles of a sparse product as code ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits tiles of a product with weights that are mostly zeros: the sums of a
// column in registers, carried through a loop over its entries.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_SPMMEMITTER_H
#define BRISK_LIB_KERNELS_SPMMEMITTER_H

#include "Access.h"
#include "SpmmTiling.h"

#include <optional>

namespace brisk {

class SpmmEmitter {
public:
  SpmmEmitter(KernelBuilder &b, GroupOp group, const SpmmProblem &problem,
              const SpmmTiling &tiling, mlir::ValueRange ins,
              mlir::ValueRange outs);
  void emitPiece(mlir::Value piece);

private:
  /// Where a tile is: its first row in the result, and in the left operand.
  struct Place {
    mlir::Value row, lhs;
  };
  void emitTile(const SpmmTile &tile, const Place &place, mlir::Value from,
                mlir::Value to);
  void fillPanel(const SpmmTile &tile, mlir::Value lhsBase);
  /// The elements of a tap, from step `first` of the reduction on.
  void fillTap(const SpmmTile &tile, mlir::Value lhsBase, mlir::Value first);
  /// `count` elements of `rows` rows from `lhsBase` on, which become one vector
  /// each, `width` elements apart, from `to` on.
  void fillSquare(const SpmmTile &tile, mlir::Value lhsBase, int64_t rows,
                  int64_t count, mlir::Value to);
  /// The sums of a column, as the tile holds rows.
  Values sumColumn(const SpmmTile &tile, mlir::Value lhsBase,
                   mlir::Value column);
  /// A vector of columns.
  void emitBlock(const SpmmTile &tile, const Place &place, const Columns &at);
  /// The results of `rows` rows from vector `number` of the tile on.
  void emitSquare(const SpmmTile &tile, const Place &place, const Columns &at,
                  int64_t columns, mlir::Value number, int64_t rows);

  KernelBuilder &b;
  const GemmProblem &product;
  const SpmmTiling &tiling;
  Epilogue epilogue;
  FlatBuffer lhs, values, rows, starts;
  std::optional<FlatBuffer> bias;
  /// The left operand as it is read, and sums by column.
  std::optional<FlatBuffer> panel, block;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_SPMMEMITTER_H
