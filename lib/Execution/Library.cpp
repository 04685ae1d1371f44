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
  Result<brisk::Library> opened = brisk::Library::open(path);
  if (!opened)
    return createStringError(opened.status().message());
  return Library(*std::move(opened));
}

} // namespace brisk::execution
