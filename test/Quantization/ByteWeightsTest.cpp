//===- ByteWeightsTest.cpp - Weights as signed bytes
//-------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteWeights.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace brisk;

TEST(ByteWeightsTest, EachChannelHasItsScale) {
  ByteWeights weights = roundWeights({1, 100, -0.5F, 50}, 2);
  ASSERT_EQ(weights.scales.size(), 2u);
  EXPECT_NEAR(weights.bytes[0] * weights.scales[0], 1, 0.01);
  EXPECT_NEAR(weights.bytes[1] * weights.scales[1], 100, 1);
  EXPECT_NEAR(weights.bytes[2] * weights.scales[0], -0.5, 0.01);
  EXPECT_NEAR(weights.bytes[3] * weights.scales[1], 50, 1);
}

TEST(ByteWeightsTest, ZerosAndDenormals) {
  float denormal = std::numeric_limits<float>::denorm_min();
  ByteWeights weights = roundWeights({0, denormal, 0, -denormal}, 2);
  EXPECT_EQ(weights.scales, (std::vector<float>{1, 1}));
  EXPECT_EQ(weights.bytes, (std::vector<int8_t>{0, 0, 0, 0}));
}

TEST(ByteWeightsTest, RangesOfFewerBits) {
  std::vector<float> values = {-8, 7, 3, -2, 6.9F, -7.1F};
  ByteWeights weights = roundWeights(values, 1, {.least = -8, .greatest = 7});
  // The least integer is worth using: 8 / 7 would be a coarser scale.
  EXPECT_LT(weights.scales.front(), 1.1F);
  for (auto [value, integer] : llvm::zip_equal(values, weights.bytes)) {
    EXPECT_GE(integer, -8);
    EXPECT_LE(integer, 7);
    EXPECT_NEAR(integer * weights.scales.front(), value, 0.8);
  }
}

TEST(ByteWeightsTest, NoScaleIsWorseThanTheLargestWeights) {
  std::vector<float> values;
  for (int i = 0; i < 999; ++i)
    values.push_back(std::sin(static_cast<float>(i)));
  values.push_back(3);
  ByteWeights weights = roundWeights(values, 1);
  auto getError = [&](float scale) {
    double sum = 0;
    for (float value : values) {
      float byte = std::clamp(std::nearbyint(value / scale), -127.0F, 127.0F);
      sum += std::pow(byte * scale - value, 2);
    }
    return sum;
  };
  EXPECT_LE(getError(weights.scales.front()), getError(3.0F / 127));
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_GE(weights.bytes[i], -127);
}

/// Moments of a layer whose outputs look at one of the rows of `input`.
static InputMoments observe(int64_t channels, int64_t groups,
                            llvm::ArrayRef<float> input) {
  LayerInput layer;
  auto rows = static_cast<int64_t>(input.size()) / channels;
  layer.window = {{rows}, {1}, {1}, {1}, {0}, {0}, {rows}};
  layer.channels = channels;
  layer.groups = groups;
  InputMoments moments(layer, 1);
  moments.add(input, 0);
  return moments;
}

TEST(ByteWeightsTest, GroupsAreLayersOfTheirOwn) {
  // Two groups of eight input and two output channels each.
  constexpr int rows = 8;
  std::vector<float> weights, halves[2], inputs, ofHalves[2];
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < 4; ++column) {
      weights.push_back(std::sin(static_cast<float>(4 * row + column)));
      halves[column / 2].push_back(weights.back());
    }
  for (int place = 0; place < 64; ++place)
    for (int channel = 0; channel < 2 * rows; ++channel) {
      auto at = static_cast<float>(place);
      inputs.push_back(std::cos(at) +
                       std::sin(at * static_cast<float>(channel)));
      ofHalves[channel / rows].push_back(inputs.back());
    }
  IntegerRange few{.least = -3, .greatest = 3};
  ByteWeights both = roundWeights(weights, 4, few), rounded = both;
  balanceErrors(weights, observe(2 * rows, 2, inputs), both);
  EXPECT_NE(both.bytes, rounded.bytes);
  for (int half : {0, 1}) {
    ByteWeights one = roundWeights(halves[half], 2, few);
    balanceErrors(halves[half], observe(rows, 1, ofHalves[half]), one);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < 2; ++column)
        EXPECT_EQ(one.bytes[2 * row + column],
                  both.bytes[4 * row + 2 * half + column]);
  }
}
