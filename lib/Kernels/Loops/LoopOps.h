//===- LoopOps.h - The loops of each op --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op either says what an element of its results is (`buildAt`), or emits
// its loops itself (`emitTask`, with the number of tasks from `getTasks`).
// Loops.cpp has the list of both.
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

/// Builds the elements of the op's results at the indices `at`.
#define BRISK_LOOPS_BUILD_AT(OP)                                               \
  Values buildAt(KernelBuilder &b, OP op, Buffers in, ValueRange at);
/// Emits one of the tasks of `getTasks`.
#define BRISK_LOOPS_EMIT_TASKS(OP)                                             \
  int64_t getTasks(OP op);                                                     \
  void emitTask(KernelBuilder &b, OP op, Buffers in, Buffers out, Value task);

// Shapes.cpp
BRISK_LOOPS_BUILD_AT(ExpandOp)
BRISK_LOOPS_BUILD_AT(FillOp)
BRISK_LOOPS_BUILD_AT(PadOp)
BRISK_LOOPS_BUILD_AT(RangeOp)
BRISK_LOOPS_BUILD_AT(SliceOp)
BRISK_LOOPS_BUILD_AT(TileOp)
BRISK_LOOPS_BUILD_AT(TransposeOp)
BRISK_LOOPS_EMIT_TASKS(ConcatOp)
// Gather.cpp
BRISK_LOOPS_EMIT_TASKS(GatherOp)
BRISK_LOOPS_EMIT_TASKS(GatherNdOp)
BRISK_LOOPS_BUILD_AT(GatherElementsOp)
BRISK_LOOPS_BUILD_AT(OneHotOp)
BRISK_LOOPS_BUILD_AT(ReverseSequenceOp)
BRISK_LOOPS_BUILD_AT(TriluOp)
// Scatter.cpp
BRISK_LOOPS_EMIT_TASKS(ScatterElementsOp)
BRISK_LOOPS_EMIT_TASKS(ScatterNdOp)
// TopK.cpp
BRISK_LOOPS_EMIT_TASKS(TopKOp)
// Resize.cpp
BRISK_LOOPS_BUILD_AT(ResizeOp)
// Pool.cpp
BRISK_LOOPS_BUILD_AT(MaxPoolOp)
BRISK_LOOPS_BUILD_AT(AveragePoolOp)
BRISK_LOOPS_BUILD_AT(LpPoolOp)
BRISK_LOOPS_BUILD_AT(MaxPoolWithIndicesOp)
// Convolution.cpp
BRISK_LOOPS_EMIT_TASKS(ConvOp)
BRISK_LOOPS_EMIT_TASKS(ConvTransposeOp)
// Products.cpp
BRISK_LOOPS_EMIT_TASKS(MatmulOp)
BRISK_LOOPS_BUILD_AT(EinsumOp)
// Reduce.cpp
BRISK_LOOPS_BUILD_AT(ReduceOp)
BRISK_LOOPS_BUILD_AT(ArgReduceOp)
BRISK_LOOPS_EMIT_TASKS(CumsumOp)
BRISK_LOOPS_BUILD_AT(LrnOp)

#undef BRISK_LOOPS_BUILD_AT
#undef BRISK_LOOPS_EMIT_TASKS

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
