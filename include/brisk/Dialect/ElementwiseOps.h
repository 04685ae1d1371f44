//===- ElementwiseOps.h - Elementwise ops -----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTWISEOPS_H
#define BRISK_DIALECT_ELEMENTWISEOPS_H

#include "brisk/Dialect/BriskDialect.h"

namespace brisk {

/// The constant that an elementwise op gives on constant operands (null where
/// one is unknown), or null.
mlir::OpFoldResult foldElementwise(mlir::Operation *op,
                                   llvm::ArrayRef<mlir::Attribute> operands);

} // namespace brisk

#define GET_OP_CLASSES
#include "brisk/Dialect/ElementwiseOps.h.inc"

#endif // BRISK_DIALECT_ELEMENTWISEOPS_H
