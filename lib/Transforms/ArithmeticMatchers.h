//===- ArithmeticMatchers.h - Arithmetic as exporters spell it --*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_ARITHMETICMATCHERS_H
#define BRISK_LIB_TRANSFORMS_ARITHMETICMATCHERS_H

#include "brisk/Dialect/Ops.h"

namespace brisk {

/// The number that a float constant holds in every element.
std::optional<double> getNumber(mlir::Value value);

/// True if `number` is `expected`, which no float is, as exporters round it: to
/// six digits, where ONNX Runtime, too, takes 1.41421 for the root of 2.
bool isNear(std::optional<double> number, double expected);

/// `value` without reshapes that add or remove ones.
mlir::Value lookThroughOnes(mlir::Value value);

/// A product as a number times values, in no order.
struct Product {
  double number = 1;
  llvm::SmallVector<mlir::Value> values;
};

/// `value` taken apart as far as its factors are used nowhere else.
Product getProduct(mlir::Value value);

/// x of `1 + x`.
mlir::Value matchOnePlus(mlir::Value value);

/// x of `number * x`.
mlir::Value matchScaled(mlir::Value value, double number);

/// x of `x * x` or `x ^ 2`.
mlir::Value matchSquare(mlir::Value value);

/// x of `sqrt(x)` or `x ^ 0.5`.
mlir::Value matchSqrt(mlir::Value value);

/// Numerator and denominator of `x / y` or `x * (1 / y)`.
llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>
matchQuotient(mlir::Operation *op);

/// A reduction that keeps its dimensions, or gets them back by a reshape.
struct Reduction {
  mlir::Value input;
  llvm::SmallVector<int64_t> axes;
};

std::optional<Reduction> matchReduction(mlir::Value value, ReduceKind kind);

/// `sqrt(mean + epsilon)`, the mean over the last dimensions of its input: what
/// divides a normalization.
struct RootMean {
  Reduction mean;
  float epsilon;
};

std::optional<RootMean> matchRootMean(mlir::Value value);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_ARITHMETICMATCHERS_H
