//===- Contraction.h - The inner loop of products ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matrix products, convolutions and recurrent layers have in common: a
// block of sums in registers, to each of which every step of the reduction adds
// an element of the left operand times one of the right.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_CONTRACTION_H
#define BRISK_LIB_KERNELS_CONTRACTION_H

#include "Access.h"

namespace brisk {

/// A vector (or, with 0 lanes, a scalar) of a block's columns, which begins
/// `offset` columns into it. Lanes off in `mask` are not loaded.
struct ColumnVector {
  int64_t offset, lanes;
  mlir::Value mask;
};

struct Contraction {
  /// Row r and step k are at `lhsBase` + k + r * `rowStride`.
  const FlatBuffer &lhs;
  mlir::Value lhsBase;
  int64_t rows, rowStride;
  /// Column c and step k are at `rhsBase` + k * `rhsStride` + c.
  const FlatBuffer &rhs;
  mlir::Value rhsBase;
  int64_t rhsStride;
  llvm::ArrayRef<ColumnVector> columns;
  /// Steps, and how many of them an iteration takes.
  int64_t depth, unroll = 1;
  /// The steps of an iteration add to sums of their own, so that they overlap;
  /// these are added up at the end.
  bool splitsSums = false;
  /// Called after each step's loads.
  llvm::function_ref<void(mlir::Value k)> afterStep = nullptr;

  /// Adds all steps to `sums`: for each row those of the columns.
  Values emit(KernelBuilder &b, mlir::ValueRange sums) const;

private:
  /// Adds one step.
  void emitStep(KernelBuilder &b, mlir::Value k,
                llvm::MutableArrayRef<mlir::Value> sums) const;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_CONTRACTION_H
