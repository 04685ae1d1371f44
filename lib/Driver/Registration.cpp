//===- Registration.cpp - Dialects and passes that the tools know ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/Registration.h"
#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Pipelines.h"
#include "brisk/Processing/Passes.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

void brisk::registerAll(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registry.insert<BriskDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

void brisk::registerPasses() {
  registerBriskTransformsPasses();
  registerBriskLoweringPasses();
  registerBriskProcessingPasses();
  registerPipelines();
}

void brisk::registerUpstreamPasses() { mlir::registerAllPasses(); }
