//===- MixedPrecisionTest.cpp - Which layers stay floats
//---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixedPrecision.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace brisk;

namespace {
/// A model whose layers' noise adds up.
class Model {
public:
  explicit Model(std::vector<LayerCost> layers) : layers(std::move(layers)) {}

  double evaluate(const LayerChoice &inBytes) const {
    double noise = 0;
    for (size_t i = 0; i < layers.size(); ++i)
      noise += inBytes[i] ? std::pow(10, -layers[i].alone / 10) : 0;
    return -10 * std::log10(noise);
  }

  LayerChoice choose(PrecisionGoal goal) const {
    auto choice = chooseLayers(layers, goal, [&](const LayerChoice &inBytes) {
      return llvm::Expected<double>(evaluate(inBytes));
    });
    EXPECT_TRUE(static_cast<bool>(choice));
    return *choice;
  }

  std::vector<LayerCost> layers;
};
} // namespace

TEST(MixedPrecisionTest, AllBytesIfGoodEnough) {
  Model model({{10, 50}, {10, 60}});
  EXPECT_EQ(model.choose({40}), (LayerChoice{true, true}));
}

TEST(MixedPrecisionTest, TheWorstLayerIsFloat) {
  Model model({{10, 50}, {10, 20}, {10, 60}});
  EXPECT_EQ(model.choose({45}), (LayerChoice{true, false, true}));
}

TEST(MixedPrecisionTest, CheapLayersFirst) {
  // The same noise for a hundredth of the multiply-adds.
  Model model({{1000, 30}, {10, 30}, {10, 60}});
  EXPECT_EQ(model.choose({29}), (LayerChoice{true, false, true}));
}

TEST(MixedPrecisionTest, NoMoreFloatsThanAllowed) {
  Model model({{50, 20}, {10, 30}, {40, 60}});
  EXPECT_EQ(model.choose({55, 0.2}), (LayerChoice{true, false, true}));
  EXPECT_EQ(model.choose({55, 0}), (LayerChoice{true, true, true}));
}

TEST(MixedPrecisionTest, LayersThatMayNotBeBytesAreLeftOut) {
  Model model({{100, 20, false}, {10, 30}, {90, 60}});
  EXPECT_EQ(model.choose({25}), (LayerChoice{false, true, true}));
  // A tenth of what may be bytes.
  EXPECT_EQ(model.choose({55, 0.1}), (LayerChoice{false, false, true}));
}

TEST(MixedPrecisionTest, AllFloatsIfNothingElseDoes) {
  Model model({{10, 20}, {10, 20}});
  EXPECT_EQ(model.choose({1000}), (LayerChoice{false, false}));
}

TEST(MixedPrecisionTest, ErrorsOfTheEvaluationEndIt) {
  std::vector<LayerCost> layers = {{1, 1}};
  auto choice = chooseLayers(layers, {10}, [](const LayerChoice &) {
    return llvm::Expected<double>(llvm::createStringError("no sample"));
  });
  ASSERT_FALSE(static_cast<bool>(choice));
  EXPECT_EQ(llvm::toString(choice.takeError()), "no sample");
}
