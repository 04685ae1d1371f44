//===- Buffer.h - Tensors that loops read and write -------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_BUFFER_H
#define BRISK_KERNELS_LOOPS_BUFFER_H

#include "brisk/Kernels/KernelBuilder.h"

#include <functional>

namespace brisk {

/// A tensor in memory or, with a null `memref`, one that is computed element by
/// element or known as a constant.
struct Buffer {
  mlir::Value memref;
  mlir::RankedTensorType type;
  std::function<mlir::Value(KernelBuilder &, mlir::ValueRange)> compute;
  mlir::ElementsAttr constant;

  mlir::Type getElement() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t getDim(int64_t i) const { return type.getDimSize(i); }

  mlir::Value load(KernelBuilder &b, mlir::ValueRange at) const;
  /// The element of a one-element tensor.
  mlir::Value load(KernelBuilder &b) const {
    return load(b, Values(getRank(), b.index(0)));
  }
  void store(KernelBuilder &b, mlir::Value value, mlir::ValueRange at) const {
    b.store(getElement(), value, memref, at);
  }

  /// An element of an integer tensor as an index, clamped to [low, high] before
  /// it loses bits. Negative ones first get `wrap` added.
  mlir::Value loadBounded(KernelBuilder &b, mlir::ValueRange at, int64_t wrap,
                          int64_t low, int64_t high) const {
    return b.boundIndex(load(b, at), wrap, low, high);
  }
  /// An element of an index tensor as an index; negative ones count from the
  /// back of `size` elements, and those out of range are -1 or `size`.
  mlir::Value loadIndex(KernelBuilder &b, mlir::ValueRange at,
                        int64_t size) const {
    return loadBounded(b, at, size, -1, size);
  }
  /// The same, clamped to [0, size).
  mlir::Value loadClampedIndex(KernelBuilder &b, mlir::ValueRange at,
                               int64_t size) const {
    return loadBounded(b, at, size, 0, size - 1);
  }
};

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_BUFFER_H
