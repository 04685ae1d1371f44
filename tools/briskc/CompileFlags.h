//===- CompileFlags.h - Flags of briskc -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISKC_COMPILEFLAGS_H
#define BRISK_TOOLS_BRISKC_COMPILEFLAGS_H

#include "brisk/Driver/Compile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace brisk::tools {

struct CompileFlags {
  explicit CompileFlags(llvm::cl::OptionCategory &category);

  /// Fills `options`; an error if a flag is malformed.
  llvm::Error resolve(CompileOptions &options) const;

  llvm::cl::opt<std::string> model, output, target, name, stopAfter, report;
  llvm::cl::opt<Emit> emit;
  llvm::cl::list<std::string> shapes, dims;
  llvm::cl::opt<bool> profile, quiet;
  llvm::cl::opt<std::string> ramBudget, flashBudget;
  llvm::cl::extrahelp help;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISKC_COMPILEFLAGS_H
