//===- StagedOutput.h - Files that appear whole or not at all ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_STAGEDOUTPUT_H
#define BRISK_LIB_DRIVER_STAGEDOUTPUT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class raw_fd_ostream;
} // namespace llvm

namespace brisk {

/// Writes files under temporary names beside their places, and moves them there
/// when all are complete. What is not committed is removed.
class StagedOutput {
public:
  StagedOutput() = default;
  StagedOutput(const StagedOutput &) = delete;
  StagedOutput &operator=(const StagedOutput &) = delete;
  ~StagedOutput();

  /// A temporary file that becomes `path`: to be written by other means.
  llvm::Expected<std::string> reserve(llvm::StringRef path);
  /// Writes a file that becomes `path`.
  llvm::Error
  write(llvm::StringRef path,
        llvm::function_ref<llvm::Error(llvm::raw_fd_ostream &)> fill);
  /// Moves all files to their places.
  llvm::Error commit();

private:
  std::vector<std::pair<std::string, std::string>> files; // temporary, final
};

/// A folder for intermediate files that goes with the object.
class ScratchFolder {
public:
  ScratchFolder() = default;
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder();
  llvm::Error create();
  /// Writes a file of that name; its path.
  llvm::Expected<std::string>
  write(const llvm::Twine &name,
        llvm::function_ref<llvm::Error(llvm::raw_fd_ostream &)> fill) const;

private:
  llvm::SmallString<128> path;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_STAGEDOUTPUT_H
