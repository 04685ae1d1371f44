//===- RecurrentOps.h - Recurrent layers ------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_RECURRENTOPS_H
#define BRISK_DIALECT_RECURRENTOPS_H

#include "brisk/Dialect/BriskDialect.h"

namespace brisk {

/// A cell's function with its parameters.
struct RecurrentFunction {
  RecurrentActivation kind;
  float alpha, beta;
};

} // namespace brisk

#define GET_OP_CLASSES
#include "brisk/Dialect/RecurrentOps.h.inc"

#endif // BRISK_DIALECT_RECURRENTOPS_H
