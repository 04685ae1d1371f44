//===- StructuralOps.h - Constants, groups and control flow -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_STRUCTURALOPS_H
#define BRISK_DIALECT_STRUCTURALOPS_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/StructuralOps.h.inc"

#endif // BRISK_DIALECT_STRUCTURALOPS_H
