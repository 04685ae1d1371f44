//===- View.h - Ops that need no kernel -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_VIEW_H
#define BRISK_DIALECT_VIEW_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace brisk {

/// What becomes of an op that says where tensors lie and not what they hold
/// (see ComputeOpInterface::getView).
struct View {
  enum Kind {
    /// The result lies where the first operand lies, which has the same
    /// elements in the same order.
    Reshape,
    /// The result lies within the first operand, from `offsets` on.
    Part,
    /// The operands that are data lie within the result, from `offsets` on, and
    /// those who compute them write them there.
    Whole
  };
  Kind kind;
  /// For each operand that is data, a place in each dimension.
  llvm::SmallVector<llvm::SmallVector<int64_t>, 1> offsets;
  /// The one element that a `Whole` holds all around its only operand; null if
  /// the operands fill it.
  mlir::ElementsAttr margin;
};

/// What becomes of `op`, which may be null; none if that is no view.
std::optional<View> findView(mlir::Operation *op);

/// True if a kernel runs the op, as opposed to ops that become views, constants
/// and control flow.
bool needsKernel(mlir::Operation *op);

} // namespace brisk

#endif // BRISK_DIALECT_VIEW_H
