//===- Library.h - A compiled model in memory -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_LIBRARY_H
#define BRISK_EXECUTION_LIBRARY_H

#include "brisk/host.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace brisk::execution {

/// A shared library that holds a model. It needs its file no more once it is
/// open.
class Library {
public:
  static llvm::Expected<Library> open(const std::string &path);

  const brisk_model &operator*() const {
    return *brisk_library_model(library.get());
  }
  const brisk_model *operator->() const { return &**this; }

private:
  struct Close {
    void operator()(brisk_library *library) const {
      brisk_library_close(library);
    }
  };
  std::unique_ptr<brisk_library, Close> library;
};

} // namespace brisk::execution

#endif // BRISK_EXECUTION_LIBRARY_H
