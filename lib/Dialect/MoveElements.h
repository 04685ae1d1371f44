//===- MoveElements.h - Constants with elements moved -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_MOVEELEMENTS_H
#define BRISK_LIB_DIALECT_MOVEELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace brisk {

/// A constant of `type` whose elements are those of `attr` moved: place `i` of
/// dimension `dim` has what `attr` has at `place(dim, i, size)` of the `size`
/// places of that dimension, or `fill` where that is negative. Dimensions that
/// `attr` lacks in front have size 1.
mlir::ElementsAttr moveElements(
    mlir::ElementsAttr attr, mlir::RankedTensorType type,
    llvm::function_ref<int64_t(int64_t dim, int64_t i, int64_t size)> place,
    llvm::ArrayRef<char> fill = {});

} // namespace brisk

#endif // BRISK_LIB_DIALECT_MOVEELEMENTS_H
