//===- Passes.h - Passes from groups to LLVM --------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_PASSES_H
#define BRISK_LOWERING_PASSES_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace brisk {

#define GEN_PASS_DECL
#include "brisk/Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "brisk/Lowering/Passes.h.inc"

} // namespace brisk

#endif // BRISK_LOWERING_PASSES_H
