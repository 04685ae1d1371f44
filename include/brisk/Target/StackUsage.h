//===- StackUsage.h - How much of the stack code takes ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds the stack of generated code from the frames that the code generator
// lays out and from what functions refer to.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_STACKUSAGE_H
#define BRISK_TARGET_STACKUSAGE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brisk {

/// Frames of functions. The code is free of recursion and of allocations of a
/// variable size.
class StackUsage {
public:
  /// Records what the functions of `module`, which is fully optimised, refer
  /// to, and from now on the frames that code generation gives them. Spilled
  /// registers are aligned to up to `spillAlignment` bytes; for those whose
  /// width is the CPU's, `vscale` is at most `mostScale`. Must outlive the
  /// generation of code.
  void watch(llvm::Module &module, uint64_t spillAlignment,
             unsigned mostScale = 0);

  /// Adds the functions of another module of the same program.
  void merge(const StackUsage &other);

  /// Most bytes in use while `function` runs, its return address and what it
  /// calls or passes on as a pointer included. Functions that no module watched
  /// defines (those of the platform and of its compiler) count as nothing.
  uint64_t getDepth(llvm::StringRef function) const;

private:
  friend class FrameRecorder;

  struct Entry {
    uint64_t frameBytes = 0;
    std::vector<std::string> called, passed;
  };
  /// By name; one that only its module knows has that module's before it.
  llvm::StringMap<Entry> functions;
};

} // namespace brisk

#endif // BRISK_TARGET_STACKUSAGE_H
