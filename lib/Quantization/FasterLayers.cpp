//===- FasterLayers.cpp - Which layers bytes make faster ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FasterLayers.h"
#include "brisk/System/Progress.h"
#include "brisk/Transforms/MinCut.h"

#include <cmath>

using namespace brisk;
using llvm::Expected;

Expected<std::vector<LayerTime>>
brisk::measureLayers(unsigned layers, const Evaluate &getCycles) {
  auto none = getCycles(LayerChoice(layers, false)),
       all = getCycles(LayerChoice(layers, true));
  if (!none || !all)
    return llvm::joinErrors(none.takeError(), all.takeError());
  std::vector<LayerTime> times;
  Progress progress("layers' times estimated", layers);
  for (unsigned i = 0; i < layers; ++i) {
    LayerChoice one(layers, false), others(layers, true);
    one[i] = true;
    others[i] = false;
    auto alone = getCycles(one), without = getCycles(others);
    if (!alone || !without)
      return llvm::joinErrors(alone.takeError(), without.takeError());
    // Alone in bytes, the layer pays for its borders, and so it does alone in
    // floats.
    double first = *none - *alone, last = *without - *all;
    times.push_back({(first + last) / 2, std::max((last - first) / 2, 0.0)});
    progress.step();
  }
  return times;
}

LayerChoice brisk::chooseFaster(llvm::ArrayRef<LayerTime> times,
                                const LayerLinks &links,
                                const LayerChoice &mayBeBytes) {
  MinCut cut;
  std::vector<MinCut::Node> nodes;
  // The source's side is that of bytes.
  for (auto [i, time] : llvm::enumerate(times)) {
    MinCut::Node node = cut.addNode();
    nodes.push_back(node);
    int64_t won = std::llround(time.won);
    if (!mayBeBytes[i])
      cut.addCost(node, MinCut::sink, MinCut::infinite);
    else if (won > 0)
      cut.addCost(MinCut::source, node, won);
    else
      cut.addCost(node, MinCut::sink, -won);
  }
  std::vector<unsigned> neighbours(times.size(), 0);
  for (auto [a, b] : links)
    ++neighbours[a], ++neighbours[b];
  for (auto [a, b] : links) {
    // What the two say of the same border.
    double cost =
        (times[a].border / neighbours[a] + times[b].border / neighbours[b]) / 2;
    cut.addCost(nodes[a], nodes[b], std::llround(cost));
    cut.addCost(nodes[b], nodes[a], std::llround(cost));
  }
  std::vector<bool> isOnSinkSide = cut.solve();
  LayerChoice choice;
  for (MinCut::Node node : nodes)
    choice.push_back(!isOnSinkSide[node]);
  return choice;
}
