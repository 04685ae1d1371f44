//===- Passes.h - Passes of processing --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_PROCESSING_PASSES_H
#define BRISK_PROCESSING_PASSES_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace brisk {

#define GEN_PASS_DECL
#include "brisk/Processing/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "brisk/Processing/Passes.h.inc"

} // namespace brisk

#endif // BRISK_PROCESSING_PASSES_H
