//===- NormalizationOps.h - Normalizations ----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_NORMALIZATIONOPS_H
#define BRISK_DIALECT_NORMALIZATIONOPS_H

#include "brisk/Dialect/BriskDialect.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/NormalizationOps.h.inc"

#endif // BRISK_DIALECT_NORMALIZATIONOPS_H
