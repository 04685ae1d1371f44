//===- StepMemory.cpp - What is live as steps run -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepMemory.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace brisk;

StepMemory::StepMemory(const StepGraph &graph)
    : graph(graph), users(graph.bytes.size()) {
  for (auto [number, step] : llvm::enumerate(graph.steps))
    for (unsigned buffer : step.buffers)
      users[buffer].push_back(number);
}

Live StepMemory::run(unsigned step, int64_t before, HasRun hasRun) const {
  const StepGraph::Step &it = graph.steps[step];
  auto isBorn = [&](unsigned buffer) {
    return llvm::none_of(users[buffer], [&](unsigned user) {
      return user != step && hasRun(user);
    });
  };
  auto dies = [&](unsigned buffer) {
    return llvm::all_of(llvm::reverse(users[buffer]), [&](unsigned user) {
      return user == step || hasRun(user);
    });
  };
  int64_t born = 0, dead = 0, shared = 0;
  for (unsigned buffer : it.buffers) {
    if (isBorn(buffer))
      born += graph.bytes[buffer];
    if (dies(buffer))
      dead += graph.bytes[buffer];
  }
  llvm::SmallVector<unsigned> taken;
  for (auto [from, to] : it.inPlace)
    if (!llvm::is_contained(taken, from) && !llvm::is_contained(taken, to) &&
        dies(from) && !isBorn(from) && isBorn(to)) {
      taken.append({from, to});
      shared += graph.bytes[to];
    }
  return {before + born - shared + it.bytes, before + born - dead};
}

int64_t brisk::findPeak(const StepGraph &graph,
                        const std::vector<unsigned> &order) {
  StepMemory memory(graph);
  llvm::BitVector ran(graph.steps.size());
  Live live;
  int64_t peak = 0;
  for (unsigned step : order) {
    live = memory.run(step, live.after,
                      [&](unsigned other) { return ran[other]; });
    ran.set(step);
    peak = std::max(peak, live.peak);
  }
  return peak;
}
