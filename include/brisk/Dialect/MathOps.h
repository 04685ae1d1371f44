//===- MathOps.h - Functions of one float -----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_MATHOPS_H
#define BRISK_DIALECT_MATHOPS_H

#include "brisk/Dialect/ElementwiseOps.h"

#define GET_OP_CLASSES
#include "brisk/Dialect/MathOps.h.inc"

#endif // BRISK_DIALECT_MATHOPS_H
