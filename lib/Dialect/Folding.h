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

/// Calls `function` with a value of the C++ type that elements have; null for
/// element types that C++ lacks.
template <typename Function>
mlir::ElementsAttr dispatch(mlir::Type element, Function &&function) {
  if (element.isF32())
    return function(float());
  if (element.isF64())
    return function(double());
  if (!mlir::isa<mlir::IntegerType>(element))
    return {};
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return function(uint8_t());
  case 8:
    return isUnsigned ? function(uint8_t()) : function(int8_t());
  case 16:
    return isUnsigned ? function(uint16_t()) : function(int16_t());
  case 32:
    return isUnsigned ? function(uint32_t()) : function(int32_t());
  default:
    return isUnsigned ? function(uint64_t()) : function(int64_t());
  }
}

} // namespace brisk

#endif // BRISK_LIB_DIALECT_FOLDING_H
