//===- LoadedModel.h - A model from source or library -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens what the user names on the command line: a shared library, or a model
// that is compiled into one first.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_LOADEDMODEL_H
#define BRISK_TOOLS_SUPPORT_LOADEDMODEL_H

#include "brisk/Execution/Library.h"

#include <optional>
#include <string>
#include <vector>

namespace brisk::tools {

/// What to open and, if it is a model's source, how to compile it.
struct ModelRequest {
  std::string path;
  std::vector<std::string> shapes; ///< as given to --shape
  std::vector<std::string> dims;   ///< as given to --dim
  bool profile = false;
};

/// A model in memory.
class LoadedModel {
public:
  /// Compiles if need be, and loads. The library that a compile writes is gone
  /// from the disk when this returns, or when a signal ends the program.
  /// Diagnostics of the compiler are on stderr by then.
  static llvm::Expected<LoadedModel> open(const ModelRequest &request);

  const brisk_model &operator*() const { return *library; }
  const brisk_model *operator->() const { return &*library; }
  const brisk::Library &getLibrary() const { return library.get(); }

  /// Time to compile, if it was compiled here.
  std::optional<double> compileMs;
  /// Time to load the library.
  double loadMs = 0;

private:
  static llvm::Expected<LoadedModel> load(const std::string &path);
  explicit LoadedModel(execution::Library library)
      : library(std::move(library)) {}

  execution::Library library;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_LOADEDMODEL_H
