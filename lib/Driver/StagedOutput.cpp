//===- StagedOutput.cpp - Files that appear whole or not at all -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedOutput.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace brisk;

static Error describe(StringRef path, std::error_code error) {
  return createStringError("cannot write '%s': %s", path.str().c_str(),
                           error.message().c_str());
}

/// Writes `file`, which errors call `path`.
static Error writeFile(StringRef file, StringRef path,
                       function_ref<Error(raw_fd_ostream &)> fill) {
  std::error_code error;
  raw_fd_ostream os(file, error, sys::fs::OF_None);
  if (error)
    return describe(path, error);
  Error result = fill(os);
  os.close();
  if (os.has_error()) {
    error = os.error();
    os.clear_error();
    consumeError(std::move(result));
    return describe(path, error);
  }
  return result;
}

StagedOutput::~StagedOutput() {
  for (const auto &[temporary, path] : files) {
    sys::fs::remove(temporary);
    sys::DontRemoveFileOnSignal(temporary);
  }
}

Expected<std::string> StagedOutput::reserve(StringRef given) {
  if (sys::fs::is_directory(given))
    return createStringError("cannot write '%s': is a directory",
                             given.str().c_str());
  // A link stays, and so does a device: what it leads to is written.
  SmallString<128> path(given);
  if (sys::fs::is_symlink_file(given))
    if (std::error_code error = sys::fs::real_path(given, path))
      return describe(given, error);
  if (sys::fs::exists(path) && !sys::fs::is_regular_file(path))
    return path.str().str();
  if (llvm::is_contained(llvm::make_second_range(files), path))
    return createStringError("cannot write '%s': it is another output already",
                             given.str().c_str());
  SmallString<128> temporary;
  int file;
  if (std::error_code error = sys::fs::createUniqueFile(
          path.str() + ".%%%%%%.tmp", file, temporary, sys::fs::OF_None,
          sys::fs::all_read | sys::fs::all_write))
    return describe(path, error);
  sys::fs::closeFile(file);
  sys::RemoveFileOnSignal(temporary);
  files.emplace_back(temporary.str(), path.str());
  return temporary.str().str();
}

Error StagedOutput::write(StringRef path,
                          function_ref<Error(raw_fd_ostream &)> fill) {
  Expected<std::string> temporary = reserve(path);
  if (!temporary)
    return temporary.takeError();
  return writeFile(*temporary, path, fill);
}

Error StagedOutput::commit() {
  for (const auto &[temporary, path] : files)
    if (std::error_code error = sys::fs::rename(temporary, path))
      return describe(path, error);
  for (const auto &[temporary, path] : files)
    sys::DontRemoveFileOnSignal(temporary);
  files.clear();
  return Error::success();
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    sys::fs::remove_directories(path);
}

Error ScratchFolder::create() {
  if (std::error_code error = sys::fs::createUniqueDirectory("brisk", path))
    return createStringError("cannot make a temporary folder: %s",
                             error.message().c_str());
  return Error::success();
}

Expected<std::string>
ScratchFolder::write(const Twine &name,
                     function_ref<Error(raw_fd_ostream &)> fill) const {
  SmallString<128> file(path);
  sys::path::append(file, name);
  if (Error error = writeFile(file, file, fill))
    return std::move(error);
  return file.str().str();
}
