//===- OutputFiles.h - Files that appear whole or not at all ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of output files, written beside their targets and renamed into place
// together once all of them are complete. A failure or a signal before that
// leaves nothing behind.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_OUTPUTFILES_H
#define BRISK_TOOLS_SUPPORT_OUTPUTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace brisk::tools {

class OutputFiles {
public:
  using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  /// Discards what was not committed.
  ~OutputFiles();

  /// Makes a directory (with those above it) if there is none yet; taken back
  /// if nothing is committed.
  llvm::Error makeDirectory(llvm::StringRef path);

  /// Writes one file, to be put at `path` by commit(). What is no regular file
  /// (a pipe, a device; "-" is standard output) is written to at once.
  llvm::Error write(llvm::StringRef path, Writer writer);

  /// Puts every file in place.
  llvm::Error commit();

private:
  struct Pending {
    llvm::sys::fs::TempFile file;
    std::string path;
  };
  std::vector<Pending> pending;
  /// Directories made here, outermost first.
  std::vector<std::string> directories;
};

/// Flushes standard output; an error if anything printed there was lost.
llvm::Error finishStdout();

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_OUTPUTFILES_H
