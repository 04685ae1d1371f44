//===- ShapeOps.h - Ops that move elements ----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_SHAPEOPS_H
#define BRISK_DIALECT_SHAPEOPS_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace brisk {

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

} // namespace brisk

#define GET_OP_CLASSES
#include "brisk/Dialect/ShapeOps.h.inc"

#endif // BRISK_DIALECT_SHAPEOPS_H
