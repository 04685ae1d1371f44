//===- DimSpace.h - The dimensions that an op works in ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_DIMSPACE_H
#define BRISK_DIALECT_DIMSPACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace brisk {

/// Dimensions [fromBegin, fromEnd) of a reshape's operand that hold the same
/// elements as [toBegin, toEnd) of its result.
struct DimGroup {
  size_t fromBegin, fromEnd, toBegin, toEnd;
};

/// For each dimension of an op, the consecutive dimensions of an operand or
/// result that lie along it.
using DimMap = llvm::SmallVector<llvm::SmallVector<int64_t, 1>>;

/// The dimensions of an op that can be reordered, of which those of its
/// operands and of its one result follow (see PermutableOpInterface).
struct DimSpace {
  size_t rank = 0;
  /// Operands that are parameters rather than data have an empty map.
  llvm::SmallVector<DimMap, 3> operands;
  DimMap result;
  /// True if dimensions that an operand lacks stand for ones.
  bool broadcasts = false;

  /// The map of an operand or, -1, of the result.
  const DimMap &getMap(int operand) const {
    return operand < 0 ? result : operands[operand];
  }
  /// The shape of a result of `shape`, or of operand `i`, when the op's
  /// dimensions are in the order `permutation`.
  llvm::SmallVector<int64_t>
  permuteResult(llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<int64_t> permutation) const;
  llvm::SmallVector<int64_t>
  permuteOperand(unsigned i, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> permutation) const;
};

/// The space of the result's dimensions, to which the operands that are data
/// broadcast; none while a parameter that the op depends on is unknown.
std::optional<DimSpace> getBroadcastSpace(mlir::Operation *op);

/// The space of the first operand's dimensions, of which the result has each
/// without those of `axes`, which stay as ones with `keepDims`.
DimSpace getReducedSpace(mlir::Operation *op, llvm::ArrayRef<int64_t> axes,
                         bool keepDims);

/// The place of dimension `dim` in the order `permutation`.
int64_t findDim(llvm::ArrayRef<int64_t> permutation, int64_t dim);

/// `op` with other operands and another type for its one result, in which an
/// attribute `axis` names the dimension that it did before the permutation.
mlir::Value permuteClone(mlir::OpBuilder &b, mlir::Operation *op,
                         mlir::RankedTensorType type, mlir::ValueRange operands,
                         llvm::ArrayRef<int64_t> permutation);

} // namespace brisk

#endif // BRISK_DIALECT_DIMSPACE_H
