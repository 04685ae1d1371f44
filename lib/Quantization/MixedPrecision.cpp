//===- MixedPrecision.cpp - Which layers stay floats ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixedPrecision.h"
#include "brisk/System/Progress.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace brisk;

/// The layers in the order in which they become floats: by noise that each
/// multiply-add buys off.
static std::vector<unsigned> rank(llvm::ArrayRef<LayerCost> layers) {
  std::vector<unsigned> order(layers.size());
  std::vector<double> gains;
  for (auto [i, layer] : llvm::enumerate(layers)) {
    order[i] = i;
    double noise = std::pow(10, -layer.alone / 10);
    gains.push_back(
        noise / static_cast<double>(std::max<uint64_t>(layer.multiplyAdds, 1)));
  }
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
  });
  return order;
}

/// Layers in floats that are not needed for the goal become bytes again, those
/// with the most multiply-adds first.
static llvm::Expected<LayerChoice>
returnLayers(LayerChoice choice, std::vector<unsigned> floats,
             llvm::ArrayRef<LayerCost> layers, const PrecisionGoal &goal,
             const Evaluate &evaluate) {
  llvm::sort(floats, [&](unsigned a, unsigned b) {
    return std::pair(layers[b].multiplyAdds, a) <
           std::pair(layers[a].multiplyAdds, b);
  });
  auto reached = evaluate(choice);
  if (!reached || *reached < goal.least)
    return reached ? llvm::Expected<LayerChoice>(choice) : reached.takeError();
  Progress progress("layers in bytes again", floats.size());
  for (unsigned layer : floats) {
    choice[layer] = true;
    auto value = evaluate(choice);
    if (!value)
      return value.takeError();
    choice[layer] = *value >= goal.least;
    progress.step();
  }
  return choice;
}

llvm::Expected<LayerChoice>
brisk::chooseLayers(llvm::ArrayRef<LayerCost> layers, const PrecisionGoal &goal,
                    const Evaluate &evaluate) {
  double total = 0;
  for (const LayerCost &layer : layers)
    total += layer.mayBeBytes ? static_cast<double>(layer.multiplyAdds) : 0;
  // Those that may become floats; a layer that is too large is passed over.
  std::vector<unsigned> candidates;
  double room = goal.mostFloats * total;
  for (unsigned layer : rank(layers)) {
    auto cost = static_cast<double>(layers[layer].multiplyAdds);
    if (!layers[layer].mayBeBytes || cost > room)
      continue;
    room -= cost;
    candidates.push_back(layer);
  }
  auto make = [&](size_t floats) {
    LayerChoice choice;
    for (const LayerCost &layer : layers)
      choice.push_back(layer.mayBeBytes);
    for (unsigned layer : llvm::ArrayRef(candidates).take_front(floats))
      choice[layer] = false;
    return choice;
  };
  // The fewest that do, as far as more floats are better.
  size_t low = 0, high = candidates.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    auto value = evaluate(make(middle));
    if (!value)
      return value.takeError();
    if (*value >= goal.least)
      high = middle;
    else
      low = middle + 1;
  }
  LayerChoice choice = make(low);
  candidates.resize(low);
  return returnLayers(std::move(choice), candidates, layers, goal, evaluate);
}
