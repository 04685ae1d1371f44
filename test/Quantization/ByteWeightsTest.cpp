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
