//===- brisk-opt.cpp - Runs passes on IR ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Ops.h"
#include "brisk/Pipelines.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<brisk::BriskDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  brisk::registerBriskTransformsPasses();
  brisk::registerPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Brisk optimizer driver\n", registry));
}
