//===- Library.h - A compiled model in memory -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_LIBRARY_H
#define BRISK_EXECUTION_LIBRARY_H

#include "brisk/brisk.hpp"
#include "llvm/Support/Error.h"

#include <string>

namespace brisk::execution {

/// A brisk::Library whose model is at hand. It needs its file no more once it
/// is open.
class Library {
public:
  static llvm::Expected<Library> open(const std::string &path);

  const brisk_model &operator*() const { return library.model().c(); }
  const brisk_model *operator->() const { return &**this; }
  const brisk::Library &get() const { return library; }

private:
  explicit Library(brisk::Library library) : library(std::move(library)) {}

  brisk::Library library;
};

} // namespace brisk::execution

#endif // BRISK_EXECUTION_LIBRARY_H
