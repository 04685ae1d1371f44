//===- ScratchFolder.h - A folder for intermediate files --------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_SCRATCHFOLDER_H
#define BRISK_SYSTEM_SCRATCHFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace brisk {

/// A folder in TMPDIR that goes with the object, or with a signal that ends the
/// program. It holds files, and no folders.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create();

  ScratchFolder(ScratchFolder &&other) : folder(std::move(other.folder)) {
    other.folder.clear();
  }
  ScratchFolder &operator=(ScratchFolder &&) = delete;
  ~ScratchFolder();

  /// The path of a file in the folder.
  std::string path(const llvm::Twine &name) const;
  /// Writes a file; its path.
  llvm::Expected<std::string>
  write(const llvm::Twine &name,
        llvm::function_ref<llvm::Error(llvm::raw_fd_ostream &)> fill) const;

private:
  explicit ScratchFolder(std::string folder) : folder(std::move(folder)) {}
  std::string folder;
};

} // namespace brisk

#endif // BRISK_SYSTEM_SCRATCHFOLDER_H
