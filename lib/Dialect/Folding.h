//===- Folding.h - What folders ask before they fold ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_FOLDING_H
#define BRISK_LIB_DIALECT_FOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace brisk {

/// Folding serves shape arithmetic: a constant of more elements than this, and
/// than those that it is made of, would only grow the model.
inline constexpr int64_t maxFoldedElements = 1 << 16;

/// The result's type if it is static, and so can be a constant's, else null.
inline mlir::RankedTensorType getStaticType(mlir::Value result) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
  return type && type.hasStaticShape() ? type : nullptr;
}

/// The same if it has few enough elements, too.
inline mlir::RankedTensorType getFoldable(mlir::Value result) {
  mlir::RankedTensorType type = getStaticType(result);
  return type && type.getNumElements() <= maxFoldedElements ? type : nullptr;
}

/// A constant of `type` whose elements are those of `attr` moved: place `i` of
/// dimension `dim` has what `attr` has at `place(dim, i, size)` of the `size`
/// places of that dimension, or `fill` where that is negative. Dimensions that
/// `attr` lacks in front have size 1.
mlir::ElementsAttr moveElements(
    mlir::ElementsAttr attr, mlir::RankedTensorType type,
    llvm::function_ref<int64_t(int64_t dim, int64_t i, int64_t size)> place,
    llvm::ArrayRef<char> fill = {});

} // namespace brisk

#endif // BRISK_LIB_DIALECT_FOLDING_H
