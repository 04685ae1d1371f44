//===- InputFile.cpp - Files to read --------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/InputFile.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace brisk;
namespace fs = llvm::sys::fs;

Error brisk::checkRegularFile(StringRef path) {
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return createStringError(code.message());
  StringRef kind;
  switch (status.type()) {
  case fs::file_type::regular_file:
    return Error::success();
  case fs::file_type::directory_file:
    kind = "directory";
    break;
  case fs::file_type::fifo_file:
    kind = "pipe";
    break;
  case fs::file_type::socket_file:
    kind = "socket";
    break;
  default:
    kind = "device";
    break;
  }
  return createStringError("it is a " + kind + ", not a file");
}

Expected<std::unique_ptr<MemoryBuffer>> brisk::readInputFile(StringRef path) {
  if (Error error = checkRegularFile(path))
    return std::move(error);
  auto content = MemoryBuffer::getFile(path, /*IsText=*/false,
                                       /*RequiresNullTerminator=*/false);
  if (!content)
    return createStringError(content.getError().message());
  return std::move(*content);
}
