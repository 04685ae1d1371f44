//===- SparseWeightsTest.cpp - Weights with zeros among them --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseWeights.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace brisk;

namespace {
/// A matrix product of so many rows, and what it has read.
class Layer {
public:
  explicit Layer(int64_t rows) : rows(rows), moments(getInput(), samples) {}

  /// `make(random)` gives the input of one output.
  template <typename Make> void read(Make make) {
    std::minstd_rand random(1);
    for (uint64_t sample = 0; sample < samples; ++sample) {
      std::vector<float> input = make(random);
      inputs.push_back(input);
      moments.add(input, sample);
    }
  }

  /// The mean square of how far the outputs of other weights are off.
  double getError(llvm::ArrayRef<float> weights,
                  const SparseWeights &sparse) const {
    double error = 0;
    int64_t channels = static_cast<int64_t>(weights.size()) / rows;
    for (const std::vector<float> &input : inputs)
      for (int64_t c = 0; c < channels; ++c) {
        double off = sparse.correction[c];
        for (int64_t i = 0; i < rows; ++i)
          off += input[i] *
                 (sparse.weights[i * channels + c] - weights[i * channels + c]);
        error += off * off / static_cast<double>(inputs.size());
      }
    return error;
  }

  int64_t rows;
  InputMoments moments;

private:
  LayerInput getInput() const {
    LayerInput input;
    input.channels = rows;
    input.window = {{1}, {1}, {1}, {1}, {0}, {0}, {1}};
    return input;
  }

  static constexpr uint64_t samples = 500;
  std::vector<std::vector<float>> inputs;
};
} // namespace

static std::vector<float> makeNormals(std::minstd_rand &random, int64_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> result(count);
  for (float &value : result)
    value = normal(random);
  return result;
}

static int64_t countZeros(llvm::ArrayRef<float> weights) {
  return llvm::count(weights, 0.0F);
}

TEST(SparseWeightsTest, WhatChangesOutputsLeastGoes) {
  // The largest weight reads what hardly varies.
  Layer layer(4);
  layer.read([](std::minstd_rand &random) {
    std::vector<float> input = makeNormals(random, 4);
    input[0] *= 1e-3F;
    return input;
  });
  std::vector<float> weights = {9, 1, 2, 3};
  SparseWeights sparse = dropWeights(weights, 1, layer.moments, 0.5);
  EXPECT_EQ(sparse.weights[0], 0);
  EXPECT_EQ(sparse.weights[1], 0);
  EXPECT_NEAR(sparse.weights[2], 2, 0.2);
  EXPECT_NEAR(sparse.weights[3], 3, 0.2);
}

TEST(SparseWeightsTest, AsManyAsAskedFor) {
  Layer layer(300);
  layer.read([](std::minstd_rand &random) { return makeNormals(random, 300); });
  std::minstd_rand random(2);
  std::vector<float> weights = makeNormals(random, 300 * 5);
  for (double part : {0.25, 0.5, 0.9})
    EXPECT_EQ(countZeros(dropWeights(weights, 5, layer.moments, part).weights),
              static_cast<int64_t>(part * 1500));
}

TEST(SparseWeightsTest, OthersMakeUp) {
  // Two inputs are nearly the same, of which one is enough.
  Layer layer(3);
  layer.read([](std::minstd_rand &random) {
    std::vector<float> input = makeNormals(random, 3);
    input[2] = input[0] + 0.01F * input[2];
    return input;
  });
  std::vector<float> weights = {1, 1, 0.5F};
  llvm::BitVector rows(3);
  rows.set(2);
  SparseWeights sparse = dropRows(weights, 1, layer.moments, rows);
  EXPECT_EQ(sparse.weights[2], 0);
  EXPECT_NEAR(sparse.weights[0], 1.5, 0.02);
  EXPECT_NEAR(sparse.weights[1], 1, 0.02);
  EXPECT_LT(layer.getError(weights, sparse), 1e-3);
  // The first of the two, for which the one behind it makes up.
  rows.reset();
  rows.set(0);
  sparse = dropRows(weights, 1, layer.moments, rows);
  EXPECT_NEAR(sparse.weights[2], 1.5, 0.02);
}

TEST(SparseWeightsTest, MeansStay) {
  Layer layer(2);
  layer.read([](std::minstd_rand &random) {
    std::vector<float> input = makeNormals(random, 2);
    input[0] = 3 + 1e-3F * input[0];
    return input;
  });
  llvm::BitVector rows(2);
  rows.set(0);
  SparseWeights sparse = dropRows({2, 1, 5, 7}, 2, layer.moments, rows);
  EXPECT_NEAR(sparse.correction[0], 6, 0.01);
  EXPECT_NEAR(sparse.correction[1], 3, 0.01);
}

TEST(SparseWeightsTest, TwoOfFour) {
  // 10 rows: the last group has two, which stay.
  Layer layer(10);
  layer.read([](std::minstd_rand &random) { return makeNormals(random, 10); });
  std::minstd_rand random(3);
  std::vector<float> weights = makeNormals(random, 10 * 3);
  SparseWeights sparse = dropTwoOfFour(weights, 3, layer.moments);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t group : {0, 4}) {
      int64_t zeros = 0;
      float leastKept = INFINITY, mostDropped = 0;
      for (int64_t i = group; i < group + 4; ++i) {
        float &to = sparse.weights[i * 3 + c] == 0 ? mostDropped : leastKept;
        float size = std::abs(weights[i * 3 + c]);
        to = sparse.weights[i * 3 + c] == 0 ? std::max(to, size)
                                            : std::min(to, size);
        zeros += sparse.weights[i * 3 + c] == 0;
      }
      EXPECT_EQ(zeros, 2);
      // Inputs vary alike, more or less, so the smaller ones go.
      EXPECT_LT(mostDropped, leastKept * 1.5F);
    }
    EXPECT_NE(sparse.weights[8 * 3 + c], 0);
    EXPECT_NE(sparse.weights[9 * 3 + c], 0);
  }
}

TEST(SparseWeightsTest, BetterThanJustDropping) {
  // Inputs that vary together: sums of few others.
  std::minstd_rand seed(4);
  std::vector<float> mix = makeNormals(seed, 8 * 32);
  Layer layer(32);
  layer.read([&](std::minstd_rand &random) {
    std::vector<float> few = makeNormals(random, 8), input(32);
    for (int64_t i = 0; i < 32; ++i)
      for (int64_t j = 0; j < 8; ++j)
        input[i] += mix[j * 32 + i] * few[j];
    return input;
  });
  std::vector<float> weights = makeNormals(seed, 32 * 4);
  SparseWeights sparse = dropWeights(weights, 4, layer.moments, 0.5),
                dropped = sparse;
  for (size_t i = 0; i < weights.size(); ++i)
    if (sparse.weights[i] != 0)
      dropped.weights[i] = weights[i];
  EXPECT_LT(layer.getError(weights, sparse),
            0.05 * layer.getError(weights, dropped));
}

TEST(SparseWeightsTest, ZerosStay) {
  Layer layer(4);
  layer.read([](std::minstd_rand &random) {
    std::vector<float> input = makeNormals(random, 4);
    input[1] = input[2];
    return input;
  });
  SparseWeights sparse = dropWeights({1, 0, 0.5F, 2}, 1, layer.moments, 0.5);
  EXPECT_EQ(sparse.weights[1], 0);
  EXPECT_EQ(sparse.weights[2], 0);
}

TEST(SparseWeightsTest, InputsThatDoNotVary) {
  Layer layer(2);
  layer.read([](std::minstd_rand &) { return std::vector<float>{2, 0}; });
  SparseWeights sparse = dropWeights({3, 5}, 1, layer.moments, 0.5);
  EXPECT_EQ(countZeros(sparse.weights), 1);
  EXPECT_NEAR(layer.getError({3, 5}, sparse), 0, 1e-6);
}
