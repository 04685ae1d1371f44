//===- TempDirectory.h - A directory that goes away -------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private directory for files on their way somewhere else: readable by its
// owner alone, removed with all its files at the end, be it by a signal.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_TEMPDIRECTORY_H
#define BRISK_TOOLS_SUPPORT_TEMPDIRECTORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace brisk::tools {

class TempDirectory {
public:
  /// Makes TMPDIR/PREFIX-XXXXXX. One may exist at a time in a process.
  static llvm::Expected<TempDirectory> create(llvm::StringRef prefix);

  TempDirectory(TempDirectory &&other) : name(std::move(other.name)) {
    other.name.clear();
  }
  TempDirectory &operator=(TempDirectory &&) = delete;
  ~TempDirectory();

  llvm::StringRef path() const { return name; }

private:
  explicit TempDirectory(std::string name) : name(std::move(name)) {}
  std::string name;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_TEMPDIRECTORY_H
