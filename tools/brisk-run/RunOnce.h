//===- RunOnce.h - One run of a model ---------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_RUN_RUNONCE_H
#define BRISK_TOOLS_BRISK_RUN_RUNONCE_H

#include "LoadedModel.h"

namespace brisk::tools {

enum class OutputFormat { Npy, Pb };

struct RunOptions {
  ModelRequest model;
  std::vector<std::string> inputs; ///< NAME=FILE
  unsigned threads = 1;
  std::string outputDir;
  OutputFormat format = OutputFormat::Npy;
};

/// Runs a model once and writes its outputs and outputs.json into the output
/// directory: all of them, or on an error none.
llvm::Error runOnce(const RunOptions &options);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_RUN_RUNONCE_H
