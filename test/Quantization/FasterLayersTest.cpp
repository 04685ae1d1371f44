//===- FasterLayersTest.cpp - Which layers bytes make faster --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FasterLayers.h"
#include "gtest/gtest.h"

using namespace brisk;

namespace {
/// A row of layers, each of which takes what the next one reads in one type
/// or has it converted.
struct Row {
  std::vector<double> floats, bytes;
  double conversion;

  double getCycles(const LayerChoice &inBytes) const {
    double cycles = 0;
    for (size_t i = 0; i < floats.size(); ++i) {
      cycles += inBytes[i] ? bytes[i] : floats[i];
      if (i > 0 && inBytes[i] != inBytes[i - 1])
        cycles += conversion;
    }
    return cycles;
  }

  std::vector<LayerTime> measure() const {
    auto times = measureLayers(floats.size(), [&](const LayerChoice &choice) {
      return llvm::Expected<double>(getCycles(choice));
    });
    EXPECT_TRUE(static_cast<bool>(times));
    return std::move(*times);
  }

  LayerChoice choose(const LayerChoice &mayBeBytes) const {
    LayerLinks links;
    for (unsigned i = 1; i < floats.size(); ++i)
      links.emplace_back(i - 1, i);
    return chooseFaster(measure(), links, mayBeBytes);
  }

  LayerChoice choose() const {
    return choose(LayerChoice(floats.size(), true));
  }
};
} // namespace

TEST(FasterLayersTest, TimesAreTakenApart) {
  Row row{{100, 100, 100}, {40, 120, 60}, 10};
  std::vector<LayerTime> times = row.measure();
  ASSERT_EQ(times.size(), 3u);
  EXPECT_DOUBLE_EQ(times[0].won, 60);
  EXPECT_DOUBLE_EQ(times[1].won, -20);
  EXPECT_DOUBLE_EQ(times[2].won, 40);
  EXPECT_DOUBLE_EQ(times[0].border, 10);
  EXPECT_DOUBLE_EQ(times[1].border, 20);
}

TEST(FasterLayersTest, AllOfThemOrNone) {
  EXPECT_EQ((Row{{100, 100}, {50, 60}, 10}.choose()),
            (LayerChoice{true, true}));
  EXPECT_EQ((Row{{100, 100}, {150, 160}, 10}.choose()),
            (LayerChoice{false, false}));
}

TEST(FasterLayersTest, ASlowLayerIsWorthItBetweenFastOnes) {
  // Two conversions would cost more than it does.
  EXPECT_EQ((Row{{100, 100, 100}, {40, 115, 40}, 10}.choose()),
            (LayerChoice{true, true, true}));
  EXPECT_EQ((Row{{100, 100, 100}, {40, 125, 40}, 10}.choose()),
            (LayerChoice{true, false, true}));
}

TEST(FasterLayersTest, SlowLayersGoTogether) {
  // Alone, neither of the two would become float.
  EXPECT_EQ((Row{{100, 100, 100, 100}, {40, 115, 115, 40}, 10}.choose()),
            (LayerChoice{true, false, false, true}));
}

TEST(FasterLayersTest, AFastLayerAmongSlowOnesIsNotWorthIt) {
  EXPECT_EQ((Row{{100, 100, 100}, {200, 85, 200}, 10}.choose()),
            (LayerChoice{false, false, false}));
}

TEST(FasterLayersTest, NextToLayersThatMustBeFloat) {
  Row row{{100, 100, 100}, {85, 85, 85}, 10};
  EXPECT_EQ(row.choose({true, true, true}), (LayerChoice{true, true, true}));
  EXPECT_EQ(row.choose({false, true, true}), (LayerChoice{false, true, true}));
  EXPECT_EQ(row.choose({false, true, false}),
            (LayerChoice{false, false, false}));
}

TEST(FasterLayersTest, ErrorsEndIt) {
  auto times = measureLayers(2, [](const LayerChoice &) {
    return llvm::Expected<double>(llvm::createStringError("no kernel"));
  });
  ASSERT_FALSE(static_cast<bool>(times));
  EXPECT_EQ(llvm::toString(times.takeError()), "no kernel\nno kernel");
}
