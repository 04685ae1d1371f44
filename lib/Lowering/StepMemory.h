//===- StepMemory.h - What is live as steps run -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that are live in any order of a graph's steps.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_STEPMEMORY_H
#define BRISK_LIB_LOWERING_STEPMEMORY_H

#include "brisk/Lowering/StepOrder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace brisk {

/// Bytes that are live: the most while steps run, and when they have run.
struct Live {
  int64_t peak = 0, after = 0;
};

/// Asks whether a step has run.
using HasRun = llvm::function_ref<bool(unsigned)>;

/// A graph, with the steps that touch each buffer.
class StepMemory {
public:
  explicit StepMemory(const StepGraph &graph);

  /// What is live at and after `step` where `before` bytes were.
  Live run(unsigned step, int64_t before, HasRun hasRun) const;

  const StepGraph &graph;

private:
  std::vector<std::vector<unsigned>> users;
};

} // namespace brisk

#endif // BRISK_LIB_LOWERING_STEPMEMORY_H
