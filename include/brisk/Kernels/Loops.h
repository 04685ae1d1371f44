//===- Loops.h - Ops as plain loops -----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of every op that no family of vector kernels covers: loops over
// elements, left to LLVM to vectorize.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_H
#define BRISK_KERNELS_LOOPS_H

#include "brisk/Kernels/KernelBuilder.h"

#include <functional>

namespace brisk {

/// True if `emitLoops` knows the op and its types are static.
bool hasLoops(mlir::Operation *op);

/// Pieces that the op's work divides into, which may run in any order and on
/// any thread. At least 1.
int64_t getLoopTasks(mlir::Operation *op);

/// True if each task writes as many elements, those of task i right before
/// those of task i + 1 in row-major order.
bool writesInOrder(mlir::Operation *op);

/// True if the op gives each element of its results at once, as a function of
/// its indices, so that what follows it can be computed in passing.
bool isElementByElement(mlir::Operation *op);

/// Computations fused with an op's loops.
struct LoopFusion {
  /// Builds the element at these indices of an operand that has no buffer.
  /// Values are signless, booleans `i1`.
  std::function<mlir::Value(KernelBuilder &, unsigned operand,
                            mlir::ValueRange at)>
      load;
  /// Takes the elements of the results at these indices, instead of their being
  /// stored; only for ops that work element by element.
  std::function<void(KernelBuilder &, mlir::ValueRange values,
                     mlir::ValueRange at)>
      store;
};

/// Emits a task of the op's computation, which `hasLoops`, at the builder's
/// insertion point: reads the operands' buffers and writes the results'.
/// Buffers are memrefs of static shape and innermost stride 1, with signless
/// elements; booleans are `i8` that hold 0 or 1. The Value of an operand that
/// is a constant may be null; that of one computed by `fusion.load` is.
/// Constant tables are added to the enclosing module as globals.
void emitLoops(KernelBuilder &b, mlir::Operation *op, mlir::ValueRange inputs,
               mlir::ValueRange outputs, mlir::Value task,
               const LoopFusion &fusion);

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_H
