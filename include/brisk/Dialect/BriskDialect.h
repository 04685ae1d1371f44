//===- BriskDialect.h - The brisk dialect -----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its interfaces and attributes; Ops.h has the ops.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKDIALECT_H
#define BRISK_DIALECT_BRISKDIALECT_H

#include "brisk/Dialect/Channels.h"
#include "brisk/Dialect/DimSpace.h"
#include "brisk/Dialect/TypeInference.h"
#include "brisk/Dialect/View.h"
#include "brisk/Dialect/Window.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "brisk/Dialect/BriskDialect.h.inc"
#include "brisk/Dialect/BriskEnums.h.inc"
#include "brisk/Dialect/BriskInterfaces.h.inc"
#include "brisk/Dialect/BriskSchedules.h.inc"
#define GET_ATTRDEF_CLASSES
#include "brisk/Dialect/BriskAttrs.h.inc"

#endif // BRISK_DIALECT_BRISKDIALECT_H
