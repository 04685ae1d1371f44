//===- MinCut.cpp - Minimum cut of a small graph --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Transforms/MinCut.h"

#include <algorithm>

using namespace brisk;

void MinCut::addCost(Node from, Node to, int64_t cost) {
  if (from == to || cost <= 0)
    return;
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, cost});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

bool MinCut::findLevels() {
  level.assign(edgesOf.size(), -1);
  level[source] = 0;
  std::vector<Node> queue = {source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : edgesOf[queue[i]])
      if (Node to = edges[edge].to; edges[edge].capacity > 0 && level[to] < 0) {
        level[to] = level[queue[i]] + 1;
        queue.push_back(to);
      }
  return level[sink] >= 0;
}

int64_t MinCut::push(Node node, int64_t limit) {
  if (node == sink)
    return limit;
  for (unsigned &i = next[node]; i < edgesOf[node].size(); ++i) {
    unsigned edge = edgesOf[node][i];
    Node to = edges[edge].to;
    if (edges[edge].capacity <= 0 || level[to] != level[node] + 1)
      continue;
    int64_t pushed = push(to, std::min(limit, edges[edge].capacity));
    if (pushed == 0)
      continue;
    edges[edge].capacity -= pushed;
    edges[edge ^ 1].capacity += pushed;
    return pushed;
  }
  return 0;
}

std::vector<bool> MinCut::solve() {
  while (findLevels()) {
    next.assign(edgesOf.size(), 0);
    while (push(source, infinite) > 0)
      ;
  }
  std::vector<bool> sides;
  for (int reached : level)
    sides.push_back(reached < 0);
  return sides;
}
