//===- Constants.h - Numbers as ops -----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_CONSTANTS_H
#define BRISK_LIB_QUANTIZATION_CONSTANTS_H

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"

namespace brisk {

/// A constant of `element`, which `T` holds.
template <typename T>
mlir::Value makeConstant(mlir::OpBuilder &b, mlir::Location loc,
                         llvm::ArrayRef<int64_t> shape, mlir::Type element,
                         llvm::ArrayRef<T> elements) {
  auto type = mlir::RankedTensorType::get(shape, element);
  return ConstantOp::create(b, loc, makeElements(type, elements));
}

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_CONSTANTS_H
