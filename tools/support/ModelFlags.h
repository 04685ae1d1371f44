//===- ModelFlags.h - Flags that tools which run models share ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_MODELFLAGS_H
#define BRISK_TOOLS_SUPPORT_MODELFLAGS_H

#include "LoadedModel.h"
#include "llvm/Support/CommandLine.h"

namespace brisk::tools {

/// Unregisters the flags that the libraries of LLVM bring along, --threads
/// among them, but for --help and --version. To be called before others
/// register.
void forgetLibraryFlags();

/// Registers MODEL, --shape, --dim, --input and --threads in a category.
struct ModelFlags {
  explicit ModelFlags(llvm::cl::OptionCategory &category);

  ModelRequest request(bool profile = false) const;
  /// An error where a value is out of range.
  llvm::Error check() const;

  llvm::cl::opt<std::string> model;
  llvm::cl::list<std::string> shapes, dims, inputs;
  llvm::cl::opt<unsigned> threads;
};

/// Parses the command line: errors, and --help with only the flags of the
/// category, end the program.
void parseCommandLine(int argc, char **argv, llvm::cl::OptionCategory &category,
                      llvm::StringRef overview);

/// Prints an error as "TOOL: error: …" and returns the exit code: 0 for none,
/// else 1.
int exitCode(llvm::Error error, llvm::StringRef tool);

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_MODELFLAGS_H
