//===- PruningUnits.cpp - Layers that are pruned together -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PruningUnits.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/ChannelGraph.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace brisk;

static int64_t getLastDim(Value value) { return getShape(value).size() - 1; }

/// Input channels of a layer.
static int64_t countRows(Operation *layer) {
  return getShape(layer->getOperand(0)).back();
}

namespace {
/// Of every channel that may go, who reads it.
class ChannelReads {
public:
  ChannelReads(func::FuncOp function, const QuantizationPlan &plan)
      : graph(function) {
    llvm::DenseMap<Operation *, unsigned> numbers;
    for (auto [i, layer] : llvm::enumerate(plan.layers))
      numbers[layer.op] = i;
    function.walk([&](Operation *op) {
      if (!mixesChannels(op))
        return;
      auto number = numbers.find(op);
      for (int64_t row = 0; row < countRows(op); ++row) {
        Value input = op->getOperand(0);
        unsigned channel = graph.getChannel(input, getLastDim(input), row);
        if (number == numbers.end())
          kept.insert(channel);
        else
          reads[channel].emplace_back(number->second, row);
      }
    });
  }
  bool mayGo(unsigned channel) const {
    return !graph.isPinned(channel) && !kept.contains(channel);
  }

  ChannelGraph graph;
  llvm::MapVector<unsigned, std::vector<std::pair<unsigned, int64_t>>> reads;

private:
  /// Read by layers that are not planned.
  llvm::DenseSet<unsigned> kept;
};
} // namespace

static std::vector<PruningUnit> findChannelUnits(func::FuncOp function,
                                                 const QuantizationPlan &plan) {
  ChannelReads reads(function, plan);
  llvm::EquivalenceClasses<unsigned> together;
  for (const auto &[channel, some] : reads.reads)
    if (reads.mayGo(channel))
      for (auto [layer, row] : some)
        together.unionSets(some.front().first, layer);
  llvm::MapVector<unsigned, PruningUnit> units;
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    if (together.contains(i))
      units[together.getLeaderValue(i)].layers.push_back(i);
  for (const auto &[channel, some] : reads.reads)
    if (reads.mayGo(channel))
      units[together.getLeaderValue(some.front().first)].channels.push_back(
          {some});
  std::vector<PruningUnit> result;
  for (auto &[leader, unit] : units)
    result.push_back(std::move(unit));
  return result;
}

std::vector<PruningUnit> brisk::findUnits(func::FuncOp function,
                                          const QuantizationPlan &plan,
                                          PruningPattern pattern) {
  if (pattern == PruningPattern::Channels)
    return findChannelUnits(function, plan);
  std::vector<PruningUnit> units;
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    if (mixesChannels(layer.op))
      units.push_back({{static_cast<unsigned>(i)}, {}});
  return units;
}

/// By which part of what a layer gives, at most, its outputs change without a
/// channel: summed over all layers that read it.
static std::vector<double> measureEffects(const PruningUnit &unit,
                                          const QuantizationPlan &plan,
                                          ArrayRef<InputMoments> moments) {
  std::vector<double> effects(unit.channels.size(), 0);
  for (unsigned number : unit.layers) {
    Operation *layer = plan.layers[number].op;
    ElementBytes weights(getConstant(layer->getOperand(1)));
    std::vector<double> rows =
        measureRows(weights.as<float>(), getShape(layer->getOperand(1)).back(),
                    moments[number]);
    double all = std::accumulate(rows.begin(), rows.end(), 0.0);
    if (!(all > 0))
      continue;
    for (auto [channel, effect] : llvm::zip_equal(unit.channels, effects))
      for (auto [reader, row] : channel.reads)
        if (reader == number)
          for (size_t i = row; i < rows.size(); i += countRows(layer))
            effect += rows[i] / all;
  }
  return effects;
}

/// The places of the channels that go.
static std::vector<unsigned> chooseChannels(ArrayRef<double> effects,
                                            double part) {
  // Kernels take several channels at a time.
  constexpr size_t several = 8;
  size_t count = effects.size();
  auto kept = static_cast<size_t>((1 - part) * static_cast<double>(count));
  kept = count >= 2 * several ? llvm::alignTo(kept, several)
                              : std::max<size_t>(kept, 1);
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return effects[a] < effects[b]; });
  order.resize(count - std::min(kept, count));
  return order;
}

/// Which rows of weights, taps x channels, go with channels, for each layer of
/// the unit.
static std::vector<BitVector> findRows(const PruningUnit &unit,
                                       const QuantizationPlan &plan,
                                       ArrayRef<unsigned> channels) {
  llvm::DenseMap<unsigned, BitVector> rows;
  for (unsigned number : unit.layers)
    rows[number].resize(plan.layers[number].getInput().getRows());
  for (unsigned channel : channels)
    for (auto [reader, row] : unit.channels[channel].reads) {
      BitVector &own = rows[reader];
      for (size_t i = row; i < own.size();
           i += countRows(plan.layers[reader].op))
        own.set(i);
    }
  std::vector<BitVector> result;
  for (unsigned number : unit.layers)
    result.push_back(std::move(rows[number]));
  return result;
}

std::vector<SparseWeights> brisk::pruneUnit(const PruningUnit &unit,
                                            const QuantizationPlan &plan,
                                            ArrayRef<InputMoments> moments,
                                            PruningPattern pattern,
                                            double part) {
  std::vector<BitVector> rows;
  if (pattern == PruningPattern::Channels) {
    std::vector<unsigned> channels =
        chooseChannels(measureEffects(unit, plan, moments), part);
    if (channels.empty())
      return {};
    rows = findRows(unit, plan, channels);
  }
  std::vector<SparseWeights> result;
  for (auto [i, number] : llvm::enumerate(unit.layers)) {
    Value operand = plan.layers[number].op->getOperand(1);
    ElementBytes weights(getConstant(operand));
    int64_t columns = getShape(operand).back();
    switch (pattern) {
    case PruningPattern::Channels:
      result.push_back(
          dropRows(weights.as<float>(), columns, moments[number], rows[i]));
      break;
    case PruningPattern::TwoOfFour:
      result.push_back(
          dropTwoOfFour(weights.as<float>(), columns, moments[number]));
      break;
    case PruningPattern::Fraction:
      result.push_back(
          dropWeights(weights.as<float>(), columns, moments[number], part));
      break;
    }
  }
  return result;
}

/// True if a layer multiplies an input channel by more than zeros.
static bool readsRow(Operation *layer, int64_t row) {
  ElementBytes bytes(getConstant(layer->getOperand(1)));
  ArrayRef<float> weights = bytes.as<float>();
  int64_t columns = getShape(layer->getOperand(1)).back();
  for (size_t begin = row * columns; begin < weights.size();
       begin += countRows(layer) * columns)
    if (llvm::any_of(weights.slice(begin, columns),
                     [](float weight) { return weight != 0; }))
      return true;
  return false;
}

std::vector<BitVector> brisk::findDeadColumns(func::FuncOp function,
                                              const QuantizationPlan &plan) {
  ChannelReads reads(function, plan);
  llvm::DenseSet<unsigned> live;
  for (const auto &[channel, some] : reads.reads)
    if (llvm::any_of(some, [&](std::pair<unsigned, int64_t> read) {
          return readsRow(plan.layers[read.first].op, read.second);
        }))
      live.insert(channel);
  std::vector<BitVector> result;
  for (const PlannedLayer &layer : plan.layers) {
    Value made = layer.op->getResult(0);
    BitVector &dead = result.emplace_back(getShape(made).back());
    for (unsigned i = 0; i < dead.size(); ++i) {
      unsigned channel = reads.graph.getChannel(made, getLastDim(made), i);
      if (reads.mayGo(channel) && !live.contains(channel))
        dead.set(i);
    }
  }
  return result;
}

uint64_t brisk::countZeros(const PlannedLayer &layer,
                           const BitVector &deadColumns) {
  ElementBytes bytes(getConstant(layer.op->getOperand(1)));
  uint64_t zeros = 0;
  unsigned columns = deadColumns.size();
  for (auto [i, weight] : llvm::enumerate(bytes.as<float>()))
    zeros += weight == 0 || deadColumns[i % columns];
  return zeros;
}
