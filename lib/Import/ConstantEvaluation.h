//===- ConstantEvaluation.h - Values that are known at import ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding of shape arithmetic while it is imported.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_CONSTANTEVALUATION_H
#define BRISK_LIB_IMPORT_CONSTANTEVALUATION_H

#include "mlir/IR/Builders.h"

namespace brisk::onnximport {

/// A constant in place of `value`'s op, which has no uses yet, if that gives
/// integers as few as a shape has and they are known: the types of what they
/// are parameters of depend on it. Else `value`.
mlir::Value foldSmall(mlir::OpBuilder &builder, mlir::Value value);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_CONSTANTEVALUATION_H
