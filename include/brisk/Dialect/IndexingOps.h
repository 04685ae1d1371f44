//===- IndexingOps.h - Gather, scatter, sort, resize ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_INDEXINGOPS_H
#define BRISK_DIALECT_INDEXINGOPS_H

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Dialect/Resize.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/IndexingOps.h.inc"

#endif // BRISK_DIALECT_INDEXINGOPS_H
