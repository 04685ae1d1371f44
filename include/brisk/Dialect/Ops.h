//===- Ops.h - All ops ------------------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes of all ops, which CMakeLists.txt lists by family, and what they
// speak of.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_OPS_H
#define BRISK_DIALECT_OPS_H

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Dialect/Resize.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace brisk {

/// The constant that an elementwise op gives on constant operands (null where
/// one is unknown), or null.
mlir::OpFoldResult foldElementwise(mlir::Operation *op,
                                   llvm::ArrayRef<mlir::Attribute> operands);

/// What a slice takes of one dimension: `size` elements from `start` on, `step`
/// (never 0) apart.
struct SliceRange {
  int64_t start, size, step;
};

/// The slice of a dimension of `dim` elements that ONNX gives for `start`,
/// `end` and `step` (not 0). One back from before the first takes the first.
SliceRange makeSliceRange(int64_t dim, int64_t start, int64_t end,
                          int64_t step);

/// What pads leave of a dimension of `dim` elements: negative ones remove some
/// before the others add any.
SliceRange makeCropRange(int64_t dim, int64_t before, int64_t after);

/// The operand of a reshape-like op where that has the result's type, a
/// constant's elements in another shape.
mlir::OpFoldResult foldReshape(mlir::Operation *op, mlir::Attribute constant);

/// Makes a reshape-like op with a static result a reshape to a constant shape
/// of what other reshapes start from.
llvm::LogicalResult canonicalizeReshape(mlir::Operation *op,
                                        mlir::PatternRewriter &rewriter);

/// A cell's function with its parameters.
struct RecurrentFunction {
  RecurrentActivation kind;
  float alpha, beta;
};

/// ONNX's values for the parameters that a function takes.
std::pair<std::optional<float>, std::optional<float>>
getDefaultParameters(RecurrentActivation function);

} // namespace brisk

#include "brisk/Dialect/OpClasses.h.inc"

#endif // BRISK_DIALECT_OPS_H
