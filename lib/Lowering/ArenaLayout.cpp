//===- ArenaLayout.cpp - Places for buffers in an arena -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/ArenaLayout.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace brisk;

namespace {
/// Looks for an order in which placing one after the other takes little.
class Search {
public:
  explicit Search(const std::vector<Lifetime> &lifetimes);

  ArenaLayout run();

private:
  using Order = std::vector<size_t>;

  /// Each at the lowest place that those before it leave free.
  ArenaLayout place(const Order &order);
  /// Places `order`, and keeps the layout if it is the best so far.
  int64_t visit(const Order &order);
  /// Varies an order for so many steps, or until nothing better can be.
  void climb(Order order);
  /// The order placed last, with one that reaches the top moved ahead.
  Order vary(const Order &order);

  const std::vector<Lifetime> &lifetimes;
  /// For each, those that have a point in time in common with it.
  std::vector<Order> together;
  /// For each, the most bytes live at once while it is live.
  std::vector<int64_t> pressure;
  /// The most bytes live at once: no layout takes less.
  int64_t peak = 0;
  ArenaLayout best, last;
  std::vector<bool> isPlaced;
  std::mt19937 random; // the same numbers on every machine
};
} // namespace

Search::Search(const std::vector<Lifetime> &lifetimes)
    : lifetimes(lifetimes), together(lifetimes.size()),
      pressure(lifetimes.size()), isPlaced(lifetimes.size()) {
  Order byFirst(lifetimes.size());
  std::iota(byFirst.begin(), byFirst.end(), 0);
  llvm::stable_sort(byFirst, [&](size_t a, size_t b) {
    return lifetimes[a].first < lifetimes[b].first;
  });
  // Live bytes rise only where a life begins.
  std::vector<int64_t> atFirst(lifetimes.size());
  for (size_t i = 0; i < byFirst.size(); ++i) {
    const Lifetime &life = lifetimes[byFirst[i]];
    atFirst[byFirst[i]] += life.bytes;
    for (size_t j = i + 1; j < byFirst.size(); ++j) {
      const Lifetime &later = lifetimes[byFirst[j]];
      if (later.first > life.last)
        break;
      together[byFirst[i]].push_back(byFirst[j]);
      together[byFirst[j]].push_back(byFirst[i]);
      atFirst[byFirst[j]] += life.bytes;
      if (later.first == life.first)
        atFirst[byFirst[i]] += later.bytes;
    }
  }
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    pressure[i] = atFirst[i];
    for (size_t j : together[i])
      if (lifetimes[i].first <= lifetimes[j].first)
        pressure[i] = std::max(pressure[i], atFirst[j]);
    peak = std::max(peak, atFirst[i]);
  }
}

ArenaLayout Search::place(const Order &order) {
  ArenaLayout layout;
  layout.offsets.resize(lifetimes.size());
  llvm::fill(isPlaced, false);
  std::vector<std::pair<int64_t, int64_t>> taken; // from, to
  for (size_t index : order) {
    taken.clear();
    for (size_t other : together[index])
      if (isPlaced[other])
        taken.push_back({layout.offsets[other],
                         layout.offsets[other] + lifetimes[other].bytes});
    llvm::sort(taken);
    int64_t offset = 0;
    for (auto [from, to] : taken) {
      if (offset + lifetimes[index].bytes <= from)
        break;
      offset = std::max(offset, to);
    }
    layout.offsets[index] = offset;
    layout.size = std::max(layout.size, offset + lifetimes[index].bytes);
    isPlaced[index] = true;
  }
  return layout;
}

int64_t Search::visit(const Order &order) {
  last = place(order);
  if (best.offsets.empty() || last.size < best.size)
    best = last;
  return last.size;
}

Search::Order Search::vary(const Order &order) {
  std::vector<size_t> tops;
  for (size_t i = 0; i < order.size(); ++i)
    if (last.offsets[order[i]] + lifetimes[order[i]].bytes == last.size)
      tops.push_back(i);
  size_t top = tops[random() % tops.size()];
  // What is in its way, and what is in the way of that.
  std::vector<bool> isNear(order.size());
  for (size_t near : together[order[top]]) {
    isNear[near] = true;
    for (size_t next : together[near])
      isNear[next] = true;
  }
  std::vector<size_t> candidates;
  for (size_t i = 0; i < top; ++i)
    if (isNear[order[i]])
      candidates.push_back(i);
  Order varied = order;
  if (!candidates.empty()) {
    size_t other = candidates[random() % candidates.size()];
    if (random() % 2)
      std::swap(varied[top], varied[other]);
    else
      std::rotate(varied.begin() + other, varied.begin() + top,
                  varied.begin() + top + 1);
  }
  return varied;
}

void Search::climb(Order order) {
  // So many steps that even thousands of buffers take about a second.
  size_t pairs = 1;
  for (const Order &others : together)
    pairs += others.size();
  size_t steps = std::min<size_t>(2000, 20'000'000 / pairs);
  int64_t size = visit(order);
  for (size_t step = 0; step < steps && best.size > peak; ++step) {
    ArenaLayout before = last;
    Order varied = vary(order);
    int64_t variedSize = visit(varied);
    // Sideways always, upwards less and less.
    int64_t excess = std::max<int64_t>(0, variedSize - size);
    int64_t allowed = size / 10 * (steps - step) / steps;
    if (excess == 0 || excess < allowed * int64_t(random() % 100) / 100) {
      order = std::move(varied);
      size = variedSize;
    } else {
      last = std::move(before);
    }
  }
}

ArenaLayout Search::run() {
  Order bySize(lifetimes.size());
  std::iota(bySize.begin(), bySize.end(), 0);
  llvm::stable_sort(bySize, [&](size_t a, size_t b) {
    return lifetimes[a].bytes > lifetimes[b].bytes;
  });
  Order byPressure = bySize;
  llvm::stable_sort(byPressure, [&](size_t a, size_t b) {
    return pressure[a] > pressure[b];
  });
  int64_t sizeOfBySize = visit(bySize);
  if (best.size == peak || visit(byPressure) == peak)
    return best;
  climb(sizeOfBySize == best.size ? bySize : byPressure);
  return best;
}

ArenaLayout brisk::layOutArena(const std::vector<Lifetime> &lifetimes) {
  return Search(lifetimes).run();
}
