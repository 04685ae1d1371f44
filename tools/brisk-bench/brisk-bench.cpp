//===- brisk-bench.cpp - Measure a model's latency ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BenchFlags.h"

using namespace llvm;
using namespace brisk::tools;

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::OptionCategory category("brisk-bench options");
  ModelFlags flags(category);
  BenchFlags bench(category);
  cl::extrahelp examples(BenchFlags::help);
  tool.parseCommandLine(category, "Measures a model's latency.\n");
  auto options = bench.options(flags);
  if (!options)
    return exitCode(options.takeError(), "brisk-bench");
  return exitCode(benchmark(*options), "brisk-bench");
}
