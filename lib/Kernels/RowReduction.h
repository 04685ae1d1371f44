//===- RowReduction.h - Reductions along a row ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reducing consecutive elements in vectors, with several accumulators so that
// the operations overlap. The order of operations follows from the number of
// elements alone.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_ROWREDUCTION_H
#define BRISK_LIB_KERNELS_ROWREDUCTION_H

#include "Access.h"
#include "brisk/Dialect/Ops.h"

namespace brisk {

/// How many of `count` terms in a row are summed by themselves: the error of a
/// sum of n terms grows with the root of n (Higham, "The accuracy of floating
/// point summation", 1993). Fewer than two blocks are one.
int64_t getSumBlock(int64_t count);

class RowReduction {
public:
  /// Of rows of `count` elements of `type` in vectors of `lanes` (0: scalars).
  RowReduction(KernelBuilder &b, ReduceKind kind, mlir::Type type,
               int64_t count, int64_t lanes);

  using Load = llvm::function_ref<mlir::Value(Columns)>;

  /// The accumulators before anything is reduced.
  llvm::SmallVector<mlir::Value> start();
  /// Adds one more row, whose elements `load` gives.
  llvm::SmallVector<mlir::Value> accumulate(mlir::ValueRange accumulators,
                                            Load load);
  /// The scalar that the accumulators amount to.
  mlir::Value finish(mlir::ValueRange accumulators);
  /// All of that for one row.
  mlir::Value reduce(Load load) { return finish(accumulate(start(), load)); }

private:
  KernelBuilder &b;
  ReduceKind kind;
  mlir::Type type;
  int64_t count, lanes, vectors;
  /// Columns that need an accumulator of their own, narrower than `lanes`.
  bool hasScalarTail;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_ROWREDUCTION_H
