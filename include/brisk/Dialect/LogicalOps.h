//===- LogicalOps.h - Logic, comparisons, bits and conversions --*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_LOGICALOPS_H
#define BRISK_DIALECT_LOGICALOPS_H

#include "brisk/Dialect/ElementwiseOps.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/LogicalOps.h.inc"

#endif // BRISK_DIALECT_LOGICALOPS_H
