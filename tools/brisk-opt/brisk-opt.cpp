//===- brisk-opt.cpp - Runs passes on IR ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/Registration.h"
#include "brisk/Driver/Version.h"
#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

/// Calls `change` with the flags that came since `known`.
static void changeNew(DenseSet<cl::Option *> &known,
                      function_ref<void(cl::Option &)> change) {
  for (auto &entry : cl::getRegisteredOptions())
    if (known.insert(entry.second).second)
      change(*entry.second);
}

/// Makes --help begin with Brisk's passes and go on with the flags of mlir-opt.
/// What else the libraries bring along shows with --help-hidden.
static void arrangeHelp(mlir::DialectRegistry &registry) {
  DenseSet<cl::Option *> known;
  changeNew(known, [](cl::Option &option) {
    if (option.Categories.front()->getName() != "Generic Options")
      option.setHiddenFlag(cl::Hidden);
  });
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  mlir::tracing::DebugCounter::registerCLOptions();
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  static cl::OptionCategory upstream("MLIR's options");
  // The list of passes is one flag, known by each of their names.
  known.insert(cl::getRegisteredOptions().lookup("brisk-graph"));
  changeNew(known, [](cl::Option &option) { option.addCategory(upstream); });
}

int main(int argc, char **argv) {
  cl::SetVersionPrinter(brisk::printVersion);
  cl::extrahelp more("\nAll of upstream's passes and flags: --help-hidden.\n");
  mlir::DialectRegistry registry;
  brisk::registerAll(registry);
  brisk::registerPasses();
  auto isHelp = [](StringRef flag) { return flag == "--help" || flag == "-h"; };
  if (none_of(ArrayRef(argv, argc), isHelp))
    brisk::registerUpstreamPasses();
  arrangeHelp(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Runs passes and stages of Brisk on IR.\n", registry));
}
