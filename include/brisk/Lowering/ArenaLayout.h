//===- ArenaLayout.h - Places for buffers in an arena -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core of static memory planning, free of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_ARENALAYOUT_H
#define BRISK_LOWERING_ARENALAYOUT_H

#include <cstdint>
#include <vector>

namespace brisk {

/// When bytes are needed: from the first to the last of numbered points in
/// time, both included.
struct Lifetime {
  int64_t first, last;
  int64_t bytes;
};

struct ArenaLayout {
  /// One for each lifetime.
  std::vector<int64_t> offsets;
  /// Bytes of the arena.
  int64_t size = 0;
};

/// Gives every lifetime an offset such that no two that have a point in time in
/// common share a byte. Each goes to the lowest place that is free, largest
/// first
/// ("greedy by size", Pisarchyk and Lee, Efficient Memory Management for Deep
/// Neural Net Inference, 2020). Where that takes more than is live at once, a
/// search with annealing looks for a better order (as TVM's hill-climbing
/// memory planner does). Offsets are sums of the sizes given: aligned if all
/// sizes are. The same lifetimes always get the same layout.
ArenaLayout layOutArena(const std::vector<Lifetime> &lifetimes);

} // namespace brisk

#endif // BRISK_LOWERING_ARENALAYOUT_H
