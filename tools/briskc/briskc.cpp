//===- briskc.cpp - Compile a model ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompileFlags.h"

using namespace llvm;
using namespace brisk::tools;

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::OptionCategory category("briskc options");
  CompileFlags flags(category);
  tool.parseCommandLine(category, "Compiles an ONNX model to native code.\n");
  brisk::CompileOptions options;
  if (Error error = flags.resolve(options))
    return exitCode(std::move(error), "briskc");
  return failed(brisk::compile(options));
}
