//===- MovedElements.h - Dequantized constants, moved -*- C++ -*-----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_MOVEDELEMENTS_H
#define BRISK_LIB_TRANSFORMS_MOVEDELEMENTS_H

#include "brisk/Dialect/Ops.h"

namespace brisk {

/// A value made of a dequantized one by moving its elements: for each dimension
/// the parts that it consists of, the last one fastest, and how many of their
/// elements there are.
struct MovedElements {
  /// Part of a dimension: `size` places, `stride` apart, of a dimension of the
  /// quantized tensor. All parts of that dimension together take all of it.
  struct Part {
    int64_t dim, size, stride = 1;
  };
  struct Dim {
    llvm::SmallVector<Part, 2> parts;
    int64_t size;
    bool isWhole() const {
      int64_t all = 1;
      for (Part part : parts)
        all *= part.size;
      return all == size;
    }
    /// Takes parts from the front of `rest`, of the last one maybe but the
    /// slower part of it, until it is whole; false where it cannot be.
    bool fill(llvm::MutableArrayRef<Part> &rest);
  };
  DequantizeOp source;
  llvm::SmallVector<Dim, 4> dims;

  static std::optional<MovedElements> get(mlir::Value value);
  /// The dimensions as one. None if elements are cut from another than the
  /// first one, but for dimensions of which one element is left.
  static std::optional<Dim> join(llvm::ArrayRef<Dim> dims);

private:
  bool reshape(llvm::ArrayRef<int64_t> shape);
  bool cut(SliceOp op);
};

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_MOVEDELEMENTS_H
