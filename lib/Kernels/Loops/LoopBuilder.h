//===- LoopBuilder.h - Emitting loops over elements --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the loops of all ops share: element access, loop nests, reductions and
// constant tables.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_LOOPBUILDER_H
#define BRISK_KERNELS_LOOPS_LOOPBUILDER_H

#include "ArithmeticBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace brisk {

using Values = llvm::SmallVector<mlir::Value>;

/// A tensor in memory or, with a null `memref`, one that is computed element by
/// element or known as a constant.
struct Buffer {
  mlir::Value memref;
  mlir::RankedTensorType type;
  std::function<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> compute;
  mlir::ElementsAttr constant;

  mlir::Type getElement() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t getDim(int64_t i) const { return type.getDimSize(i); }
};

/// The places [begin, end) of a loop; `size` is their number where that is
/// known, else -1. Null bounds stand for 0 and `size`.
struct Span {
  int64_t size = -1;
  mlir::Value begin, end;
};

class LoopBuilder : public ArithmeticBuilder {
public:
  using ArithmeticBuilder::ArithmeticBuilder;

  //===--------------------------------------------------------------------===//
  // Elements of tensors
  //===--------------------------------------------------------------------===//

  /// An element of an index tensor as an index; negative ones count from the
  /// back of `size` elements, and those out of range are -1 or `size`.
  mlir::Value loadIndex(const Buffer &buffer, mlir::ValueRange at,
                        int64_t size) {
    return loadBounded(buffer, at, size, -1, size);
  }
  /// The same, clamped to [0, size).
  mlir::Value loadClampedIndex(const Buffer &buffer, mlir::ValueRange at,
                               int64_t size) {
    return loadBounded(buffer, at, size, 0, size - 1);
  }
  /// An element of an integer tensor as an index, clamped to [low, high] before
  /// it loses bits. Negative ones first get `wrap` added.
  mlir::Value loadBounded(const Buffer &buffer, mlir::ValueRange at,
                          int64_t wrap, int64_t low, int64_t high);

  mlir::Value load(const Buffer &buffer, mlir::ValueRange at);
  /// The element of a constant, which all have.
  mlir::Value splat(mlir::ElementsAttr constant);
  void store(mlir::Value value, const Buffer &buffer, mlir::ValueRange at);
  /// The element of a one-element tensor.
  mlir::Value loadScalar(const Buffer &buffer);

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  /// `for i in [begin, end)`: the body gets the index and the carried values
  /// and returns the next ones.
  Values loop(mlir::Value begin, mlir::Value end, mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body,
              int64_t step = 1);
  void loop(mlir::Value begin, mlir::Value end,
            llvm::function_ref<void(mlir::Value)> body);
  /// Nested loops over a shape, the last dimension innermost.
  void nest(llvm::ArrayRef<int64_t> shape,
            llvm::function_ref<void(mlir::ValueRange)> body);
  /// A task of the loops over a shape (see countTasks).
  void taskNest(llvm::ArrayRef<int64_t> shape, mlir::Value task,
                llvm::function_ref<void(mlir::ValueRange)> body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> then);
  Values ifElse(mlir::Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);

  /// Nested loops over `spans` that carry values on.
  Values
  nest(llvm::ArrayRef<Span> spans, mlir::ValueRange carried,
       llvm::function_ref<Values(mlir::ValueRange, mlir::ValueRange)> body);

  /// Combines `term` at all places of `spans`, one after the other; `neutral`
  /// is the combination's neutral element. Long sums are taken in parts, so
  /// that rounding errors stay small.
  mlir::Value
  reduce(llvm::ArrayRef<Span> spans, mlir::Value neutral,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine,
         llvm::function_ref<mlir::Value(mlir::ValueRange)> term);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// A constant table in the module, one-dimensional. Integers are i32, floats
  /// of `element`: f32 or f64.
  mlir::Value table(llvm::ArrayRef<double> values, mlir::Type element);
  mlir::Value table(llvm::ArrayRef<int32_t> values);
  /// A constant as a memref.
  mlir::Value table(mlir::ElementsAttr values);

private:
  /// The element of a buffer as it lies in memory.
  mlir::Value loadStored(const Buffer &buffer, mlir::ValueRange at);
};

/// Tasks that loops over a result of this shape divide into.
int64_t countTasks(llvm::ArrayRef<int64_t> shape);

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_LOOPBUILDER_H
