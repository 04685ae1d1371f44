//===- OutputFiles.h - Files that appear whole or not at all ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_OUTPUTFILES_H
#define BRISK_SYSTEM_OUTPUTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace brisk {

/// Writes files under temporary names beside their places, and moves them there
/// when all are complete. What is not committed is removed, by a signal too.
class OutputFiles {
public:
  using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  /// Discards what was not committed.
  ~OutputFiles();

  /// An error if write() would fail at once, or if another file that was
  /// checked goes to the same place: to be called before the work whose results
  /// are to be written. Folders need not be there yet if makeFolder() is to
  /// make them.
  llvm::Error check(llvm::StringRef path, bool foldersToo = false);

  /// Makes a folder (with those above it) if there is none yet; taken back if
  /// nothing is committed.
  llvm::Error makeFolder(llvm::StringRef path);

  /// Writes one file, to be put at `path` by commit(). What is no regular file
  /// (a pipe, a device; "-" is standard output) is written to at once.
  llvm::Error write(llvm::StringRef path, Writer writer);
  /// The same where printing cannot fail.
  llvm::Error print(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> print) {
    return write(path, [&](llvm::raw_ostream &os) {
      print(os);
      return llvm::Error::success();
    });
  }

  /// The same for a file that `make` makes at a path that it is given, by means
  /// of another program.
  llvm::Error make(llvm::StringRef path,
                   llvm::function_ref<llvm::Error(const std::string &)> make);

  /// Puts every file in place.
  llvm::Error commit();

private:
  struct Pending {
    llvm::sys::fs::TempFile file;
    std::string path;
  };
  llvm::Expected<Pending *> add(llvm::StringRef path,
                                const std::string &target);

  std::vector<Pending> pending;
  std::vector<std::string> checked;
  /// Folders made here, outermost first.
  std::vector<std::string> folders;
};

/// True for what is there and is no regular file: a device, a pipe, or standard
/// output as "-".
bool isSpecialFile(llvm::StringRef path);

/// "cannot write 'PATH': REASON".
llvm::Error cannotWrite(llvm::StringRef path, const llvm::Twine &reason);
llvm::Error cannotWrite(llvm::StringRef path, std::error_code code);

/// Flushes a stream and takes its error, which would end the program when the
/// stream is destroyed.
std::error_code takeError(llvm::raw_fd_ostream &out);

/// Flushes standard output; an error if anything printed there was lost.
llvm::Error finishStdout();

} // namespace brisk

#endif // BRISK_SYSTEM_OUTPUTFILES_H
