//===- LayoutRules.h - Ops in other layouts --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops compute the same with the dimensions of their operands and results
// in another order, and what they are then.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_LAYOUTRULES_H
#define BRISK_LIB_TRANSFORMS_LAYOUTRULES_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"

namespace brisk {

/// For each dimension of an op, the consecutive dimensions of an operand or
/// result that lie along it.
using DimMap = llvm::SmallVector<llvm::SmallVector<int64_t, 1>>;

/// The dimensions of an op that can be reordered, of which those of its
/// operands and of its one result follow. Operands that are parameters rather
/// than data have an empty map.
struct DimSpace {
  size_t rank = 0;
  llvm::SmallVector<DimMap, 3> operands;
  DimMap result;
};

/// The dimensions of `op`; none if the order of its dimensions is fixed.
std::optional<DimSpace> getDimSpace(mlir::Operation *op);

/// True if `op` can run with its dimensions in the order `permutation`.
bool canPermute(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

/// The shape of a tensor of `shape` when the op's dimensions are in the order
/// `permutation`. With `broadcast`, dimensions that the tensor lacks are ones.
llvm::SmallVector<int64_t> permuteShape(llvm::ArrayRef<int64_t> shape,
                                        const DimMap &dims,
                                        llvm::ArrayRef<int64_t> permutation,
                                        bool broadcast);

/// True if the op's operands broadcast.
bool isBroadcasting(mlir::Operation *op);

/// `op` with its dimensions in the order `permutation`, on `operands`, whose
/// shapes are permuted accordingly.
mlir::Value permuteOp(mlir::OpBuilder &b, mlir::Operation *op,
                      const DimSpace &space, mlir::ValueRange operands,
                      llvm::ArrayRef<int64_t> permutation);

/// Bytes that the op's kernel costs more for the order of its dimensions: where
/// it works along one dimension, that is best the innermost.
int64_t getOrderPenalty(mlir::Operation *op,
                        llvm::ArrayRef<int64_t> permutation);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_LAYOUTRULES_H
