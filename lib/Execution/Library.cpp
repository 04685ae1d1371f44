//===- Library.cpp - A compiled model in memory ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Library.h"

using namespace llvm;

namespace brisk::execution {

Expected<Library> Library::open(const std::string &path) {
  Library result;
  char message[1024];
  result.library.reset(
      brisk_library_open(path.c_str(), message, sizeof message));
  if (!result.library)
    return createStringError(message);
  return result;
}

} // namespace brisk::execution
