//===- SparseWeights.cpp - Weights with zeros among them ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseWeights.h"
#include "Compensation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace brisk;
using Block = InputMoments::Block;

static double getMean(const Block &block, uint64_t count, int64_t row) {
  return block.sums[row] / static_cast<double>(count);
}

static double getVariance(const Block &block, uint64_t count, int64_t row) {
  double mean = getMean(block, count, row);
  double square =
      block.products[row * block.rows + row] / static_cast<double>(count);
  // Of what does not vary, rounding leaves some.
  return std::max(square - mean * mean, 0.0);
}

namespace {
/// Makes weights zero row by row, and changes those of the rows behind.
class Pruner {
public:
  Pruner(llvm::ArrayRef<float> weights, int64_t channels,
         const InputMoments &moments)
      : original(weights), channels(channels), moments(moments),
        dropped(weights.size()), result{{weights.begin(), weights.end()},
                                        std::vector<float>(channels, 0)} {
    // What is zero stays so.
    for (auto [i, weight] : llvm::enumerate(weights))
      if (weight == 0)
        dropped.set(i);
  }

  /// Settles the rows of all blocks, each of them in the order that is given.
  /// `prepare` may choose what is dropped of a row, knowing what the weights
  /// have become and by how much the square of one counts in each row.
  using Order =
      llvm::function_ref<llvm::SmallVector<int64_t>(const Block &block)>;
  using Prepare = llvm::function_ref<void(const Block &block, int64_t row,
                                          llvm::ArrayRef<double> factors)>;
  SparseWeights run(Order order, Prepare prepare);

  llvm::ArrayRef<float> original;
  int64_t channels;
  const InputMoments &moments;
  /// Weights that become zero.
  llvm::BitVector dropped;
  SparseWeights result;

private:
  void settle(const Block &block, llvm::ArrayRef<int64_t> order, int64_t i,
              const std::optional<Matrix> &compensation);
  void polish(const Block &block);
  std::vector<float> errors;
};
} // namespace

/// Drops what is to be dropped of a row, for which those behind make up.
void Pruner::settle(const Block &block, llvm::ArrayRef<int64_t> order,
                    int64_t i, const std::optional<Matrix> &compensation) {
  int64_t begin = (block.begin + order[i]) * channels;
  errors.assign(channels, 0);
  bool isChanged = false;
  for (int64_t c = 0; c < channels; ++c)
    if (dropped[begin + c]) {
      std::swap(errors[c], result.weights[begin + c]);
      isChanged |= errors[c] != 0;
    }
  if (!isChanged || !compensation)
    return;
  for (int64_t j = i + 1; j < block.rows; ++j) {
    auto share =
        static_cast<float>(compensation->at(j, i) / compensation->at(i, i));
    float *later = result.weights.data() + (block.begin + order[j]) * channels;
    for (int64_t c = 0; c < channels; ++c)
      later[c] -= errors[c] * share;
  }
}

/// Lets what is left of a block make up for what is dropped in any order: each
/// weight in turn becomes the best one for what the others are (Gauss and
/// Seidel's method).
void Pruner::polish(const Block &block) {
  std::optional<Matrix> covariance = getCovariance(block, moments.getCount());
  if (!covariance)
    return;
  constexpr int sweeps = 8;
  int64_t begin = block.begin * channels, size = block.rows * channels;
  std::vector<float> changes(size);
  for (int64_t i = 0; i < size; ++i)
    changes[i] = result.weights[begin + i] - original[begin + i];
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int64_t i = 0; i < block.rows; ++i) {
      // How the error's square grows with each weight of the row.
      errors.assign(channels, 0);
      for (int64_t j = 0; j < block.rows; ++j) {
        auto together = static_cast<float>(covariance->at(i, j));
        const float *other = changes.data() + j * channels;
        for (int64_t c = 0; c < channels; ++c)
          errors[c] += together * other[c];
      }
      auto variance = static_cast<float>(covariance->at(i, i));
      for (int64_t c = 0; c < channels; ++c)
        if (!dropped[begin + i * channels + c])
          changes[i * channels + c] -= errors[c] / variance;
    }
  for (int64_t i = 0; i < size; ++i)
    if (!dropped[begin + i])
      result.weights[begin + i] = original[begin + i] + changes[i];
}

SparseWeights Pruner::run(Order getOrder, Prepare prepare) {
  uint64_t count = moments.getCount();
  for (const Block &block : moments.getBlocks()) {
    llvm::SmallVector<int64_t> order = getOrder(block);
    auto compensation = getCompensation(block, count, order);
    std::vector<double> factors;
    for (int64_t i = 0; i < block.rows; ++i)
      factors.push_back(compensation ? std::pow(compensation->at(i, i), -2)
                                     : getVariance(block, count, order[i]));
    for (int64_t i = 0; i < block.rows; ++i) {
      prepare(block, i, factors);
      settle(block, order, i, compensation);
    }
    polish(block);
    for (int64_t i = 0; i < block.rows; ++i) {
      double mean = getMean(block, count, i);
      int64_t begin = (block.begin + i) * channels;
      for (int64_t c = 0; c < channels; ++c)
        result.correction[c] += static_cast<float>(
            (original[begin + c] - result.weights[begin + c]) * mean);
    }
  }
  return std::move(result);
}

static llvm::SmallVector<int64_t> keepOrder(const Block &block) {
  return llvm::to_vector(llvm::seq<int64_t>(block.rows));
}

std::vector<double> brisk::measureRows(llvm::ArrayRef<float> weights,
                                       int64_t channels,
                                       const InputMoments &moments) {
  std::vector<double> result;
  for (const Block &block : moments.getBlocks())
    for (int64_t i = 0; i < block.rows; ++i) {
      double squares = 0;
      for (float weight : weights.slice((block.begin + i) * channels, channels))
        squares += static_cast<double>(weight) * weight;
      result.push_back(squares * getVariance(block, moments.getCount(), i));
    }
  return result;
}

SparseWeights brisk::dropRows(llvm::ArrayRef<float> weights, int64_t channels,
                              const InputMoments &moments,
                              const llvm::BitVector &rows) {
  Pruner pruner(weights, channels, moments);
  for (unsigned row : rows.set_bits())
    pruner.dropped.set(row * channels, (row + 1) * channels);
  // All that stay make up for all that go.
  auto goFirst = [&](const Block &block) {
    llvm::SmallVector<int64_t> order = keepOrder(block);
    std::stable_partition(order.begin(), order.end(),
                          [&](int64_t row) { return rows[block.begin + row]; });
    return order;
  };
  return pruner.run(goFirst,
                    [](const Block &, int64_t, llvm::ArrayRef<double>) {});
}

SparseWeights brisk::dropWeights(llvm::ArrayRef<float> weights,
                                 int64_t channels, const InputMoments &moments,
                                 double part) {
  Pruner pruner(weights, channels, moments);
  std::vector<float> effects;
  for (const Block &block : moments.getBlocks())
    for (int64_t i = 0; i < block.rows; ++i) {
      auto variance =
          static_cast<float>(getVariance(block, moments.getCount(), i));
      for (float weight : weights.slice((block.begin + i) * channels, channels))
        effects.push_back(weight * weight * variance);
    }
  std::vector<uint32_t> places(weights.size());
  std::iota(places.begin(), places.end(), 0);
  auto count = static_cast<int64_t>(part * static_cast<double>(places.size()));
  auto end = places.begin() + count;
  std::nth_element(places.begin(), end, places.end(),
                   [&](uint32_t a, uint32_t b) {
                     return std::pair(effects[a], a) < std::pair(effects[b], b);
                   });
  for (uint32_t place : llvm::make_range(places.begin(), end))
    pruner.dropped.set(place);
  return pruner.run(keepOrder,
                    [](const Block &, int64_t, llvm::ArrayRef<double>) {});
}

SparseWeights brisk::dropTwoOfFour(llvm::ArrayRef<float> weights,
                                   int64_t channels,
                                   const InputMoments &moments) {
  constexpr int64_t group = 4, most = 2;
  static_assert(InputMoments::blockRows % group == 0);
  Pruner pruner(weights, channels, moments);
  auto choose = [&](const Block &block, int64_t row,
                    llvm::ArrayRef<double> factors) {
    if (row % group)
      return;
    llvm::SmallVector<int64_t> rows = llvm::to_vector(
        llvm::seq<int64_t>(row, std::min(row + group, block.rows)));
    for (int64_t c = 0; c < channels; ++c) {
      auto place = [&](int64_t i) { return (block.begin + i) * channels + c; };
      // What is dropped already counts for nothing.
      auto effect = [&](int64_t i) {
        double weight = pruner.result.weights[place(i)];
        return pruner.dropped[place(i)] ? 0 : weight * weight * factors[i];
      };
      llvm::sort(rows, [&](int64_t a, int64_t b) {
        return std::pair(effect(a), a) < std::pair(effect(b), b);
      });
      for (int64_t i :
           llvm::ArrayRef(rows).drop_back(std::min<int64_t>(most, rows.size())))
        pruner.dropped.set(place(i));
    }
  };
  return pruner.run(keepOrder, choose);
}
