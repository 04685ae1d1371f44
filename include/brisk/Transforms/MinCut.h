//===- MinCut.h - Minimum cut of a small graph ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assigns one of two sides to every node at the least total cost, by Dinic's
// maximum flow algorithm (E. A. Dinic, Soviet Math. Doklady 11, 1970).
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_MINCUT_H
#define BRISK_TRANSFORMS_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace brisk {

class MinCut {
public:
  using Node = unsigned;
  static constexpr int64_t infinite = std::numeric_limits<int64_t>::max() / 4;

  MinCut() : edgesOf(2) {}

  /// The nodes that are on side 0 and on side 1.
  static constexpr Node source = 0, sink = 1;

  Node addNode() {
    edgesOf.emplace_back();
    return edgesOf.size() - 1;
  }

  /// It costs `cost` if `from` is on side 0 and `to` is on side 1.
  void addCost(Node from, Node to, int64_t cost);

  /// The side of every node; side 1 where both would cost the same.
  std::vector<bool> solve();

private:
  struct Edge {
    Node to;
    int64_t capacity;
  };
  bool findLevels();
  int64_t push(Node node, int64_t limit);

  // Edge 2i + 1 is the reverse of edge 2i.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf;
  std::vector<int> level;
  std::vector<unsigned> next;
};

} // namespace brisk

#endif // BRISK_TRANSFORMS_MINCUT_H
