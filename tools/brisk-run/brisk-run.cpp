//===- brisk-run.cpp - Run a model on files -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunFlags.h"

using namespace llvm;
using namespace brisk::tools;

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::OptionCategory category("brisk-run options");
  ModelFlags flags(category);
  RunFlags run(category);
  cl::extrahelp examples(RunFlags::help);
  tool.parseCommandLine(category, "Runs a model, once or on many samples.\n");
  auto options = run.options(flags);
  if (!options)
    return exitCode(options.takeError(), "brisk-run");
  return exitCode(runModel(*options), "brisk-run");
}
