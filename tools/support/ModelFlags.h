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
#include "Tool.h"

namespace brisk::tools {

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

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_MODELFLAGS_H
