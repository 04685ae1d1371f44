//===- WeightScaling.h - Scales and offsets of weights ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants per output channel, and how they go into the weights and the bias
// of convolutions and matrix products.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_WEIGHTSCALING_H
#define BRISK_LIB_TRANSFORMS_WEIGHTSCALING_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace brisk {

/// True for tensors of f32 and f64. 16-bit floats are rounded by every op:
/// algebra would change results by more than their models were made for.
bool isFoldable(mlir::Type type);

/// One value for all channels, or one for each.
using PerChannel = std::vector<double>;

/// A constant operand seen from the result of an op: its values, and the
/// result's dimension along which they vary, if any.
struct Factor {
  PerChannel values;
  std::optional<int64_t> dim;
};

/// `constant` as a factor of a result of `shape`, if it varies along at most
/// one dimension.
std::optional<Factor> getFactor(mlir::Value constant,
                                llvm::ArrayRef<int64_t> shape);

/// Replaces a constant operand by one with element i as `update(i, element)`.
void updateConstant(
    mlir::OpOperand &operand, mlir::PatternRewriter &rewriter,
    llvm::function_ref<double(size_t i, double element)> update);

/// True if offsets are so large beside the weights of `op`, or these are not
/// known, that a sum of the products is rounded by what is added to it: where
/// it is added shows then, as in `x + 12582912 - 12582912`, which rounds x.
bool isLargeOffset(mlir::Operation *op, const PerChannel &values);

/// True if `op` is a conv or a matrix product whose result can be scaled by way
/// of its weights and bias.
bool canScale(mlir::Operation *op, const PerChannel &values);
void scale(mlir::Operation *op, const PerChannel &values,
           mlir::PatternRewriter &rewriter);

/// True if `op` is a conv to whose result these offsets can be added by way of
/// its bias.
bool canOffset(mlir::Operation *op, const PerChannel &values);
void offset(mlir::Operation *op, const PerChannel &values,
            mlir::PatternRewriter &rewriter);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_WEIGHTSCALING_H
