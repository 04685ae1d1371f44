//===- Channels.h - What ops keep apart, and what they scale ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What definitions of ops say by ComputeOpInterface::getKeptDims and
// getScaling, for passes that remove or scale single channels of values.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_CHANNELS_H
#define BRISK_DIALECT_CHANNELS_H

#include "mlir/IR/Operation.h"

namespace brisk {

/// What becomes of an op's result when an operand is multiplied by a positive
/// number, the same for all elements that an element of the result comes from.
enum class Scaling {
  None,     ///< it may be anything
  Alone,    ///< it is multiplied by the number, whatever the others are
  Inverse,  ///< it is divided by the number, whatever the others are
  Together, ///< it is multiplied, if all operands of this kind are
  Unchanged ///< it stays the same, if all operands of this kind are multiplied
};

/// For each dimension of operand `number`, of which the op's result is made by
/// broadcasting, the result's dimension; -1 where the operand is repeated, and
/// for those dimensions of the result that are mixed.
llvm::SmallVector<int64_t>
keepDims(mlir::Operation *op, unsigned number,
         llvm::function_ref<bool(int64_t dim)> isMixed = nullptr);

/// The same of an operand whose first and last dimensions only, of images and
/// of channels, are kept.
llvm::SmallVector<int64_t> keepOuterDims(mlir::Operation *op, unsigned number);

} // namespace brisk

#endif // BRISK_DIALECT_CHANNELS_H
