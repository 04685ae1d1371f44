//===- CompositeOps.h - Ops made of others ----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that are there until the pass `decompose`: those who compile what it
// gives need not know them.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_COMPOSITEOPS_H
#define BRISK_DIALECT_COMPOSITEOPS_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"

#include "brisk/Dialect/CompositeOpInterface.h.inc"
#define GET_OP_CLASSES
#include "brisk/Dialect/AttentionOps.h.inc"
#define GET_OP_CLASSES
#include "brisk/Dialect/QuantizationOps.h.inc"

#endif // BRISK_DIALECT_COMPOSITEOPS_H
