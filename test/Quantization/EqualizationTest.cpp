//===- EqualizationTest.cpp - Channels of alike sizes ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalization.h"
#include "gtest/gtest.h"

using namespace brisk;

using Scales = std::vector<float>;

TEST(EqualizationTest, DepthwiseReadersTakeAnyScale) {
  EXPECT_EQ(chooseScales({8, 2, 1}, {1, 100, 0.5F}, true),
            (Scales{1, 0.25F, 0.125F}));
}

TEST(EqualizationTest, OthersShareTheDifference) {
  // 16 / 4 and 1 / 1, of which the square roots.
  EXPECT_EQ(chooseScales({16, 1}, {4, 1}, false), (Scales{1, 0.5F}));
  // Weights as unlike as the elements would become only worse.
  EXPECT_EQ(chooseScales({16, 1}, {16, 1}, false), (Scales{1, 1}));
}

TEST(EqualizationTest, ChannelsOfZeros) {
  EXPECT_EQ(chooseScales({4, 0, 1}, {1, 1, 0}, false), (Scales{1, 1, 1}));
  EXPECT_EQ(chooseScales({0, 0}, {1, 1}, true), (Scales{1, 1}));
}

TEST(EqualizationTest, ScalesKeepTheirDistance) {
  Scales scales = chooseScales({1, 1e-20F}, {1, 1}, true);
  EXPECT_EQ(scales[0], 1);
  EXPECT_EQ(scales[1], 1.0F / 4096);
}
