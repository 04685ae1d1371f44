//===- Access.h - Buffers and columns as kernels walk them --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What families that walk buffers by their strides share: a memref as one
// row of memory, and a dimension cut into vectors.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_ACCESS_H
#define BRISK_LIB_KERNELS_ACCESS_H

#include "brisk/Kernels/KernelBuilder.h"

namespace brisk {

/// A memref of static strides seen as one row of memory, so that places in it
/// are sums of products of indices and constants.
class FlatBuffer {
public:
  FlatBuffer(KernelBuilder &b, mlir::Value memref, mlir::Type elementType);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }

  mlir::Value load(KernelBuilder &b, mlir::Value offset, int64_t lanes,
                   mlir::Value mask = {}) const {
    return b.load(elementType, flat, offset, lanes, mask);
  }
  void store(KernelBuilder &b, mlir::Value value, mlir::Value offset,
             mlir::Value mask = {}) const {
    b.store(elementType, value, flat, offset, mask);
  }

private:
  mlir::Value flat;
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape, strides;
};

/// A tensor as rows of its innermost dimension.
struct RowsAndColumns {
  int64_t rows, columns;
};
RowsAndColumns getRowsAndColumns(mlir::Value value);

/// A vector's worth of a dimension: `lanes` elements (0: a scalar) from
/// `start`, those under `mask` if there is one.
struct Columns {
  mlir::Value start;
  int64_t lanes;
  mlir::Value mask;

  /// The type of a value with these lanes.
  mlir::Type getType(mlir::Type element) const {
    return lanes ? mlir::Type(mlir::VectorType::get(lanes, element)) : element;
  }
};

/// Emits `body` for all of [0, count) in vectors of `lanes` (0: scalars). The
/// rest that fills no vector goes under a mask where the instruction set has
/// them; else, if `mayRepeat` allows for some columns to be computed twice, as
/// the last `lanes` columns; else in narrower vectors and scalars.
void forColumns(KernelBuilder &b, int64_t count, int64_t lanes, bool mayRepeat,
                llvm::function_ref<void(Columns)> body);

/// A row of f32 on the stack; false, and not to be used, where rows are too
/// long for that.
class RowBuffer {
public:
  /// To be made outside of loops.
  RowBuffer(KernelBuilder &b, int64_t columns);
  operator bool() const { return static_cast<bool>(row); }
  mlir::Value load(KernelBuilder &b, const Columns &at) const {
    return b.load(b.getF32Type(), row, at.start, at.lanes, at.mask);
  }
  void store(KernelBuilder &b, mlir::Value value, const Columns &at) const {
    b.store(b.getF32Type(), value, row, at.start, at.mask);
  }

private:
  mlir::Value row;
};

/// Lanes of a vector of `type` for `count` columns; 0 for scalars.
int64_t getColumnLanes(const Isa &isa, mlir::Type type, int64_t count);

/// The vector whose lane `l` is lane `lanes[l].second` of
/// `vectors[lanes[l].first]`.
mlir::Value pickLanes(KernelBuilder &b, llvm::ArrayRef<mlir::Value> vectors,
                      llvm::ArrayRef<std::pair<int64_t, int64_t>> lanes);

/// True if `value` is an argument of its block: an operand of an anchor that
/// comes as it lies in memory.
inline bool isGroupInput(mlir::Value value) {
  return llvm::isa<mlir::BlockArgument>(value);
}

/// The buffer in `ins` of a group input.
inline mlir::Value getBuffer(mlir::ValueRange ins, mlir::Value input) {
  return ins[llvm::cast<mlir::BlockArgument>(input).getArgNumber()];
}

/// The larger or smaller of two floats; NaN if one is.
mlir::Value buildMaximum(KernelBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value buildMinimum(KernelBuilder &b, mlir::Value x, mlir::Value y);

/// True if `value` is a tensor of f32.
inline bool isF32(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getElementType().isF32();
}

} // namespace brisk

#endif // BRISK_LIB_KERNELS_ACCESS_H
