//===- PruningChoice.cpp - How far each layer is pruned -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PruningChoice.h"
#include "llvm/ADT/STLExtras.h"

using namespace brisk;

/// The noise that a gain of one costs between two steps, in rising order.
static std::vector<double>
findPrices(llvm::ArrayRef<std::vector<PruningStep>> units) {
  std::vector<double> prices;
  for (llvm::ArrayRef<PruningStep> steps : units)
    for (size_t to = 0; to < steps.size(); ++to)
      for (size_t from = 0; from <= to; ++from) {
        PruningStep before = from ? steps[from - 1] : PruningStep{0, 0};
        double gain = steps[to].gain - before.gain;
        double noise = std::max(steps[to].noise - before.noise, 0.0);
        if (gain > 0)
          prices.push_back(noise / gain);
      }
  llvm::sort(prices);
  prices.erase(llvm::unique(prices), prices.end());
  return prices;
}

/// The best step of each unit where gains are worth that much noise.
static PruningChoice chooseAt(double price,
                              llvm::ArrayRef<std::vector<PruningStep>> units) {
  PruningChoice choice;
  for (llvm::ArrayRef<PruningStep> steps : units) {
    unsigned best = 0;
    double most = 0;
    for (auto [i, step] : llvm::enumerate(steps))
      if (double worth = price * step.gain - step.noise; worth >= most) {
        most = worth;
        best = i + 1;
      }
    choice.push_back(best);
  }
  return choice;
}

llvm::Expected<PruningChoice>
brisk::choosePruning(llvm::ArrayRef<std::vector<PruningStep>> units,
                     double least, const EvaluatePruning &evaluate) {
  std::vector<double> prices = findPrices(units);
  // The first price that is too high.
  size_t low = 0, high = prices.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    auto value = evaluate(chooseAt(prices[middle], units));
    if (!value)
      return value.takeError();
    if (*value >= least)
      low = middle + 1;
    else
      high = middle;
  }
  PruningChoice choice(units.size(), 0);
  if (low > 0)
    choice = chooseAt(prices[low - 1], units);
  for (auto [unit, steps] : llvm::enumerate(units))
    while (choice[unit] < steps.size()) {
      ++choice[unit];
      auto value = evaluate(choice);
      if (!value)
        return value.takeError();
      if (*value >= least)
        continue;
      --choice[unit];
      break;
    }
  return choice;
}
