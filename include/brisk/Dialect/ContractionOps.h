//===- ContractionOps.h - Convolution, matrix products ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_CONTRACTIONOPS_H
#define BRISK_DIALECT_CONTRACTIONOPS_H

#include "brisk/Dialect/BriskDialect.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/ContractionOps.h.inc"

#endif // BRISK_DIALECT_CONTRACTIONOPS_H
