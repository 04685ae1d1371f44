//===- Ops.h - All ops ------------------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_OPS_H
#define BRISK_DIALECT_OPS_H

#include "brisk/Dialect/ContractionOps.h"
#include "brisk/Dialect/ElementwiseOps.h"
#include "brisk/Dialect/IndexingOps.h"
#include "brisk/Dialect/LogicalOps.h"
#include "brisk/Dialect/MathOps.h"
#include "brisk/Dialect/NormalizationOps.h"
#include "brisk/Dialect/PoolOps.h"
#include "brisk/Dialect/RecurrentOps.h"
#include "brisk/Dialect/ReductionOps.h"
#include "brisk/Dialect/ShapeOps.h"
#include "brisk/Dialect/StructuralOps.h"

#endif // BRISK_DIALECT_OPS_H
