//===- PruningChoiceTest.cpp - How far each layer is pruned ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PruningChoice.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace brisk;

namespace {
/// A model whose noise adds up.
class Model {
public:
  explicit Model(std::vector<std::vector<PruningStep>> units)
      : units(std::move(units)) {}

  PruningChoice choose(double least) {
    auto choice = choosePruning(units, least, [&](const PruningChoice &some) {
      ++evaluations;
      double noise = 0;
      for (auto [steps, step] : llvm::zip_equal(units, some))
        noise += step ? steps[step - 1].noise : 0;
      return llvm::Expected<double>(-10 * std::log10(noise));
    });
    EXPECT_TRUE(static_cast<bool>(choice));
    return *choice;
  }

  std::vector<std::vector<PruningStep>> units;
  unsigned evaluations = 0;
};
} // namespace

TEST(PruningChoiceTest, AllIfGoodEnough) {
  Model model({{{1, 1e-4}, {2, 1e-3}}, {{1, 1e-3}}});
  EXPECT_EQ(model.choose(20), (PruningChoice{2, 1}));
}

TEST(PruningChoiceTest, NothingIfNothingIs) {
  Model model({{{1, 1e-4}}, {{1, 1e-3}}});
  EXPECT_EQ(model.choose(50), (PruningChoice{0, 0}));
}

TEST(PruningChoiceTest, MostForTheNoise) {
  // Half of the first unit costs as much as all of the second, which is more.
  Model model({{{10, 1e-3}, {20, 1e-1}}, {{40, 1e-3}}, {{1, 1e-3}}});
  EXPECT_EQ(model.choose(26.9), (PruningChoice{1, 1, 0}));
}

TEST(PruningChoiceTest, StepsThatAreWorseThanNext) {
  // Nobody takes the first step, which costs as much as the second.
  Model model({{{1, 1e-3}, {2, 1e-3}}});
  EXPECT_EQ(model.choose(29.9), (PruningChoice{2}));
}

TEST(PruningChoiceTest, WhatCostsNothingGoes) {
  Model model({{{1, 0}, {2, 0}}, {{5, 1}}});
  EXPECT_EQ(model.choose(300), (PruningChoice{2, 0}));
}

TEST(PruningChoiceTest, FewEvaluations) {
  std::vector<std::vector<PruningStep>> units;
  for (int i = 1; i <= 100; ++i)
    units.push_back({{1.0 * i, 1e-5 * i * i}, {2.0 * i, 1e-4 * i * i}});
  Model model(units);
  model.choose(20);
  EXPECT_LT(model.evaluations, 350u);
}

TEST(PruningChoiceTest, ErrorsOfTheEvaluationEndIt) {
  std::vector<std::vector<PruningStep>> units = {{{1, 1}}};
  auto choice = choosePruning(units, 10, [](const PruningChoice &) {
    return llvm::Expected<double>(llvm::createStringError("no sample"));
  });
  ASSERT_FALSE(static_cast<bool>(choice));
  EXPECT_EQ(llvm::toString(choice.takeError()), "no sample");
}
