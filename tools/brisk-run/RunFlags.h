//===- RunFlags.h - Flags of brisk-run --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_RUN_RUNFLAGS_H
#define BRISK_TOOLS_BRISK_RUN_RUNFLAGS_H

#include "ModelFlags.h"
#include "RunModel.h"

namespace brisk::tools {

struct RunFlags {
  explicit RunFlags(llvm::cl::OptionCategory &category);

  /// What the flags say, or an error where one is out of range or does not go
  /// with the others.
  llvm::Expected<RunOptions> options(const ModelFlags &flags) const;

  TextFlag outputDir;
  ChoiceFlag<OutputFormat> format;
  llvm::cl::opt<bool> samples;
  TextFlag compare, json;
  llvm::cl::opt<double> minSqnr;
  llvm::cl::opt<unsigned> classAxis;

  /// What --help says behind the flags.
  static const char *const help;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_RUN_RUNFLAGS_H
