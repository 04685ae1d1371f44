//===- Access.h - Buffers and columns as kernels walk them ------*- C++ -*-===//
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
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace brisk {

/// A memref of static strides seen as one row of memory, so that places in it
/// are sums of products of indices and constants.
class FlatBuffer {
public:
  FlatBuffer(KernelBuilder &b, mlir::Value memref, mlir::Type elementType);

  mlir::Value getMemref() const { return flat; }
  mlir::Type getElementType() const { return elementType; }
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

/// Emits `whole` for every `step` of [0, count) in [from, to), and `rest` where
/// that has the places from `full` on, which fill no step.
void forSteps(KernelBuilder &b, int64_t count, int64_t step, mlir::Value from,
              mlir::Value to, llvm::function_ref<void(mlir::Value)> whole,
              llvm::function_ref<void(int64_t full)> rest);

/// Emits `body` for the places [full, count) that fill no vector of `lanes`:
/// under a mask where the instruction set has them; else, if `mayRepeat` allows
/// for some columns to be computed twice, as the last `lanes` columns; else in
/// narrower vectors and scalars.
void forTail(KernelBuilder &b, int64_t count, int64_t full, int64_t lanes,
             bool mayRepeat, llvm::function_ref<void(Columns)> body);

/// Emits `body` for all of [0, count), or what of it is in [from, to), in
/// vectors of `lanes` (0: scalars) and a tail.
void forColumns(KernelBuilder &b, int64_t count, int64_t lanes, bool mayRepeat,
                mlir::Value from, mlir::Value to,
                llvm::function_ref<void(Columns)> body);
inline void forColumns(KernelBuilder &b, int64_t count, int64_t lanes,
                       bool mayRepeat, llvm::function_ref<void(Columns)> body) {
  forColumns(b, count, lanes, mayRepeat, b.index(0), b.index(count), body);
}

/// A row of elements in the worker's scratch memory; false, and not to be used,
/// in a kernel that asked for none.
class RowBuffer {
public:
  /// From `offset` bytes on. To be made outside of loops.
  RowBuffer(KernelBuilder &b, int64_t columns, mlir::Type element,
            int64_t offset = 0);
  /// The bytes that it takes.
  static int64_t getBytes(int64_t columns, mlir::Type element) {
    return llvm::alignTo<64>(columns * element.getIntOrFloatBitWidth() / 8);
  }
  /// True for rows that are nearer than what they are computed from.
  static bool isNear(int64_t columns, mlir::Type element) {
    return getBytes(columns, element) <= 16 << 10;
  }
  operator bool() const { return row.has_value(); }
  const FlatBuffer &getRow() const { return *row; }
  mlir::Value load(KernelBuilder &b, const Columns &at) const {
    return row->load(b, at.start, at.lanes, at.mask);
  }
  void store(KernelBuilder &b, mlir::Value value, const Columns &at) const {
    row->store(b, value, at.start, at.mask);
  }

private:
  std::optional<FlatBuffer> row;
};

/// Lanes of a vector of `type` (as it lies in memory) for `count` columns; 0
/// for scalars.
int64_t getColumnLanes(const Isa &isa, mlir::Type type, int64_t count);

/// The vector whose lane `l` is lane `lanes[l].second` of
/// `vectors[lanes[l].first]`.
mlir::Value pickLanes(KernelBuilder &b, llvm::ArrayRef<mlir::Value> vectors,
                      llvm::ArrayRef<std::pair<int64_t, int64_t>> lanes);

/// Transposes `rows`, as many vectors as each has lanes, in place: blocks off
/// the diagonal change sides, in halves, quarters and so on.
void transposeRegisters(KernelBuilder &b,
                        llvm::MutableArrayRef<mlir::Value> rows);

/// True if `value` is an argument of its block: an operand of an anchor that
/// comes as it lies in memory.
inline bool isGroupInput(mlir::Value value) {
  return llvm::isa<mlir::BlockArgument>(value);
}

/// The buffer in `ins` of a group input.
inline mlir::Value getBuffer(mlir::ValueRange ins, mlir::Value input) {
  return ins[llvm::cast<mlir::BlockArgument>(input).getArgNumber()];
}

/// True if `value` is a tensor of f32.
inline bool isF32(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getElementType().isF32();
}

} // namespace brisk

#endif // BRISK_LIB_KERNELS_ACCESS_H
