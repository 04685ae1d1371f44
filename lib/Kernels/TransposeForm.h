//===- TransposeForm.h - A transpose in its fewest dimensions ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a transpose comes to once dimensions that move together are one.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_TRANSPOSEFORM_H
#define BRISK_LIB_KERNELS_TRANSPOSEFORM_H

#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

namespace brisk {

/// A dimension in the result's order, with what a step along it means in the
/// input, in the result, and in the number of the result's row.
struct TransposeDim {
  int64_t size, in, out, row;
};

/// A transpose in its fewest dimensions.
struct TransposeForm {
  /// All dimensions but those below.
  llvm::SmallVector<TransposeDim> outer;
  /// The input's innermost dimension; size 1 if it is the result's too.
  TransposeDim across{1, 1, 1, 1};
  /// The result's innermost dimension.
  TransposeDim along{1, 1, 1, 0};
  /// No elementwise ops follow.
  bool plain = true;
  /// Neither dimension is consecutive in both.
  bool scattered = false;

  /// Of the view's anchor, whose input is one of the group's.
  static TransposeForm get(const GroupView &view);

  /// Indices of `across` that a task takes, of about `chunk` elements.
  int64_t getSpan(int64_t chunk, int64_t lanes) const {
    int64_t span = chunk / std::max<int64_t>(1, along.size);
    int64_t unit = std::max<int64_t>(lanes, 1);
    return std::max(unit, span / unit * unit);
  }
  int64_t getSpans(int64_t chunk, int64_t lanes) const {
    return llvm::divideCeil(across.size, getSpan(chunk, lanes));
  }
  int64_t getOuterSize() const {
    int64_t size = 1;
    for (const TransposeDim &dim : outer)
      size *= dim.size;
    return size;
  }
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_TRANSPOSEFORM_H
