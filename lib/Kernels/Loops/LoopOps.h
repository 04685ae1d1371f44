//===- LoopOps.h - The loops of each op -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op either says what an element of its results is (`buildAt`), or emits
// what it does at a place of its outer dimensions (`emitAt`, `getOuter`). Each
// file ends with the rows that enter its ops into the table.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_LOOPOPS_H
#define BRISK_KERNELS_LOOPS_LOOPOPS_H

#include "Buffer.h"
#include "brisk/Dialect/Ops.h"

namespace brisk {

using Buffers = llvm::ArrayRef<Buffer>;
using mlir::Value;
using mlir::ValueRange;

/// How resize samples a dimension: `count` taps for every place of the result.
/// Index -1 in the first tap says that the place lies outside.
struct TapTable {
  int64_t count = 1;
  std::vector<int32_t> indices;
  std::vector<double> weights;
};
TapTable makeTapTable(ResizeOp op, const ResizeAxis &axis);

/// The loops of an op, one way or the other.
struct OpLoops {
  /// Builds the elements of the op's results at the indices `at`; null if the
  /// op has an `emitAt`.
  std::function<Values(KernelBuilder &b, mlir::Operation *op, Buffers in,
                       ValueRange at)>
      buildAt;
  /// Emits what the op has to do at the place `outer` of `getOuter`, a shape of
  /// whose places tasks are made.
  std::function<void(KernelBuilder &b, mlir::Operation *op, Buffers in,
                     Buffers out, ValueRange outer)>
      emitAt;
  std::function<llvm::SmallVector<int64_t>(mlir::Operation *op)> getOuter;
  /// The axis along which each place is a list; null if the op writes to
  /// elements that are next to each other.
  std::function<int64_t(mlir::Operation *op)> axis;
};

/// The loops of all ops.
class LoopTable {
public:
  template <typename OpT>
  OpLoops &on(Values (*buildAt)(KernelBuilder &, OpT, Buffers, ValueRange)) {
    OpLoops &loops = rows[mlir::TypeID::get<OpT>()];
    loops.buildAt = [=](KernelBuilder &b, mlir::Operation *op, Buffers in,
                        ValueRange at) {
      return buildAt(b, mlir::cast<OpT>(op), in, at);
    };
    return loops;
  }
  template <typename OpT>
  OpLoops &on(llvm::SmallVector<int64_t> (*getOuter)(OpT),
              void (*emitAt)(KernelBuilder &, OpT, Buffers, Buffers,
                             ValueRange)) {
    OpLoops &loops = rows[mlir::TypeID::get<OpT>()];
    loops.getOuter = [=](mlir::Operation *op) {
      return getOuter(mlir::cast<OpT>(op));
    };
    loops.emitAt = [=](KernelBuilder &b, mlir::Operation *op, Buffers in,
                       Buffers out, ValueRange outer) {
      emitAt(b, mlir::cast<OpT>(op), in, out, outer);
    };
    return loops;
  }

  /// Null if the op has no loops.
  const OpLoops *find(mlir::Operation *op) const {
    auto row = rows.find(op->getName().getTypeID());
    return row == rows.end() ? nullptr : &row->second;
  }

private:
  llvm::DenseMap<mlir::TypeID, OpLoops> rows;
};

void addShapeLoops(LoopTable &table);
void addGatherLoops(LoopTable &table);
void addScatterLoops(LoopTable &table);
void addTopKLoops(LoopTable &table);
void addResizeLoops(LoopTable &table);
void addFrameLoops(LoopTable &table);
void addSelectionLoops(LoopTable &table);
void addGridSampleLoops(LoopTable &table);
void addPoolLoops(LoopTable &table);
void addConvolutionLoops(LoopTable &table);
void addProductLoops(LoopTable &table);
void addReductionLoops(LoopTable &table);

/// The taps of window dimension `dim` at `place` that lie in the input, all of
/// them known where nothing is padded.
Span getTaps(KernelBuilder &b, const Window &window, size_t dim, Value place);

/// The indices in the input, N x spatial x C, of a tap of the window at `at`.
Values getSource(KernelBuilder &b, const Window &window, ValueRange at,
                 ValueRange tap);

/// The indices `outer`, followed by `inner`.
inline Values join(ValueRange outer, ValueRange inner) {
  Values all = llvm::to_vector(outer);
  llvm::append_range(all, inner);
  return all;
}

/// A shape, or indices, without the one of `axis`: of the lists along it.
inline llvm::SmallVector<int64_t> dropAxis(llvm::ArrayRef<int64_t> shape,
                                           int64_t axis) {
  llvm::SmallVector<int64_t> rest(shape);
  rest.erase(rest.begin() + axis);
  return rest;
}
/// Indices with one more, of `axis`.
inline Values insertAxis(ValueRange at, int64_t axis, Value index) {
  Values all = llvm::to_vector(at);
  all.insert(all.begin() + axis, index);
  return all;
}

/// The indices in `shape`, which broadcasts to the shape that `at` indexes.
Values broadcastIndices(KernelBuilder &b, llvm::ArrayRef<int64_t> shape,
                        ValueRange at);

/// Copies all elements of a tensor to one of the same shape.
void copyAll(KernelBuilder &b, const Buffer &from, const Buffer &to);

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_LOOPOPS_H
