//===- Provenance.h - Where artifacts come from -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every artifact says of its making, so that a model in the field can be
// traced back: which compiler, which file, which flags. Neither times nor
// paths: the same input makes the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_PROVENANCE_H
#define BRISK_LIB_DRIVER_PROVENANCE_H

#include "brisk/Driver/Compile.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace brisk {

/// "Brisk VERSION".
std::string describeCompiler();

/// The flags that decide what code is made, without the model's name.
std::string describeFlags(const CompileOptions &options,
                          llvm::StringRef target);

/// The SHA-256 of files, computed while the caller does something else.
class SourceHash {
public:
  SourceHash() = default;
  SourceHash(const SourceHash &) = delete;
  /// Stops early.
  ~SourceHash();

  /// Begins with the files in this order, as if they were one.
  void start(std::vector<std::string> paths);

  /// Waits; then 64 hexadecimal digits.
  llvm::Expected<std::string> get();

private:
  std::string run(const std::vector<std::string> &paths);

  std::thread worker;
  std::atomic<bool> stopped = false;
  std::string digest, fault;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_PROVENANCE_H
