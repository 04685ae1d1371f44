//===- ArenaLayout.cpp - Places for buffers in an arena --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/ArenaLayout.h"

#include <algorithm>
#include <numeric>

using namespace brisk;

ArenaLayout brisk::layOutArena(const std::vector<Lifetime> &lifetimes) {
  std::vector<size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return lifetimes[a].bytes != lifetimes[b].bytes
               ? lifetimes[a].bytes > lifetimes[b].bytes
               : a < b;
  });
  ArenaLayout layout;
  layout.offsets.resize(lifetimes.size());
  std::vector<size_t> placed; // sorted by offset
  auto byOffset = [&](size_t a, size_t b) {
    return layout.offsets[a] < layout.offsets[b];
  };
  for (size_t index : order) {
    const Lifetime &life = lifetimes[index];
    // The lowest gap between those placed that are live at the same time.
    int64_t offset = 0;
    for (size_t other : placed) {
      const Lifetime &taken = lifetimes[other];
      if (taken.last < life.first || life.last < taken.first)
        continue;
      if (offset + life.bytes <= layout.offsets[other])
        break;
      offset = std::max(offset, layout.offsets[other] + taken.bytes);
    }
    layout.offsets[index] = offset;
    layout.size = std::max(layout.size, offset + life.bytes);
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), index, byOffset), index);
  }
  return layout;
}
