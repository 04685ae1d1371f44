//===- ScratchFolder.cpp - A folder for intermediate files ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/ScratchFolder.h"
#include "Ending.h"
#include "brisk/System/OutputFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace brisk;

static constexpr StringLiteral hint = "; set TMPDIR to another folder";

Expected<ScratchFolder> ScratchFolder::create() {
  SmallString<256> name;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, name);
  sys::path::append(name, "brisk-XXXXXX");
  if (!mkdtemp(const_cast<char *>(name.c_str())))
    return createStringError("cannot make the temporary folder '" + name +
                             "': " + std::strerror(errno) + hint);
  ScratchFolder folder(name.str().str());
  if (!removeFolderOnSignal(name))
    return createStringError("cannot use the temporary folder '" + name +
                             "': too many of them, or its path is too long");
  return folder;
}

ScratchFolder::~ScratchFolder() {
  if (folder.empty())
    return;
  (void)sys::fs::remove_directories(folder);
  keepFolderOnSignal(folder);
}

std::string ScratchFolder::path(const Twine &name) const {
  SmallString<256> file(folder);
  sys::path::append(file, name);
  return file.str().str();
}

Expected<std::string>
ScratchFolder::write(const Twine &name,
                     function_ref<Error(raw_fd_ostream &)> fill) const {
  std::string file = path(name);
  std::error_code code;
  raw_fd_ostream os(file, code, sys::fs::OF_None);
  if (code)
    return cannotWrite(file, code.message() + hint);
  Error error = fill(os);
  if (std::error_code lost = takeError(os)) {
    consumeError(std::move(error));
    return cannotWrite(file, lost.message() + hint);
  }
  if (error)
    return std::move(error);
  return file;
}
