//===- Passes.h - Passes on the brisk dialect -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Passes.td defines: a constructor and an options struct for every pass,
// and their registration.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_PASSES_H
#define BRISK_TRANSFORMS_PASSES_H

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Transforms/ProductType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace brisk {

#define GEN_PASS_DECL
#include "brisk/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "brisk/Transforms/Passes.h.inc"

} // namespace brisk

#endif // BRISK_TRANSFORMS_PASSES_H
