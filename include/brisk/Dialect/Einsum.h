//===- Einsum.h - Einstein's notation ---------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_EINSUM_H
#define BRISK_DIALECT_EINSUM_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace brisk {

/// An equation with its dimensions numbered: labels of the result first, in
/// order, then those summed over. Ellipses are expanded to labels,
/// right-aligned.
struct EinsumSpec {
  llvm::SmallVector<llvm::SmallVector<int64_t>> inputs;
  llvm::SmallVector<int64_t> output;
  int64_t numLabels = 0;
  /// Whether a label stands for a dimension of an ellipsis, which broadcasts.
  llvm::SmallVector<bool> isBroadcast;
};

/// Parses an equation for inputs of these ranks. Reports what is wrong with it
/// at `loc` and fails.
mlir::FailureOr<EinsumSpec> parseEinsum(std::optional<mlir::Location> loc,
                                        llvm::StringRef equation,
                                        llvm::ArrayRef<int64_t> ranks);

} // namespace brisk

#endif // BRISK_DIALECT_EINSUM_H
