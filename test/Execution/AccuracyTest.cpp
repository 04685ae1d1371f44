//===- AccuracyTest.cpp - How near values are to a reference --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Accuracy.h"

#include "gtest/gtest.h"

#include <limits>
#include <utility>
#include <vector>

using namespace brisk::execution;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

static Deviation
deviationOf(const std::vector<std::pair<double, double>> &pairs) {
  Deviation deviation;
  for (auto [value, reference] : pairs)
    deviation.add(value, reference);
  return deviation;
}

TEST(Deviation, IsARatioOfEnergies) {
  // 100 + 0 by 0.25 + 0.75.
  Deviation deviation = deviationOf({{10.5, 10}, {std::sqrt(0.75), 0}});
  EXPECT_NEAR(deviation.getSqnr(), 20, 1e-12);
  EXPECT_EQ(deviation.getMaxError(), std::sqrt(0.75));
  EXPECT_EQ(deviation.getMaxErrorAt(), 1u);
  EXPECT_EQ(deviation.getCount(), 2u);
  EXPECT_EQ(deviation.getEqual(), 0u);
}

TEST(Deviation, OfEqualValuesIsNone) {
  Deviation deviation = deviationOf({{1, 1},
                                     {0.0, -0.0},
                                     {infinity, infinity},
                                     {-infinity, -infinity},
                                     {notANumber, notANumber}});
  EXPECT_EQ(deviation.getSqnr(), infinity);
  EXPECT_EQ(deviation.getMaxError(), 0);
  EXPECT_EQ(deviation.getEqual(), 5u);
  EXPECT_EQ(Deviation().getSqnr(), infinity);
}

TEST(Deviation, WithoutSignalIsAllNoise) {
  EXPECT_EQ(deviationOf({{0, 0}, {1e-30, 0}}).getSqnr(), -infinity);
  // An infinity that is as it should be is neither.
  EXPECT_EQ(deviationOf({{infinity, infinity}, {1, 0}}).getSqnr(), -infinity);
}

TEST(Deviation, IsInfiniteWhereNumbersAreNone) {
  for (auto [value, reference] :
       std::vector<std::pair<double, double>>{{notANumber, 1},
                                              {1, notANumber},
                                              {infinity, 1},
                                              {1, -infinity},
                                              {infinity, -infinity},
                                              {notANumber, infinity}}) {
    Deviation deviation = deviationOf({{3, 3}, {value, reference}, {4, 3}});
    EXPECT_EQ(deviation.getSqnr(), -infinity) << value << " for " << reference;
    EXPECT_EQ(deviation.getMaxError(), infinity);
    EXPECT_EQ(deviation.getMaxErrorAt(), 1u);
    EXPECT_EQ(deviation.getEqual(), 1u);
  }
}

TEST(Deviation, HoldsSquaresOfAllDoubles) {
  EXPECT_NEAR(deviationOf({{1.01e300, 1e300}}).getSqnr(), 40, 1e-9);
  EXPECT_NEAR(deviationOf({{1.01e-300, 1e-300}}).getSqnr(), 40, 1e-9);
}

TEST(Deviation, TellsLargeIntegersApart) {
  Deviation deviation;
  int64_t large = std::numeric_limits<int64_t>::max();
  deviation.add<long double>(large, large - 1);
  deviation.add<long double>(large, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(deviation.getEqual(), 0u);
  EXPECT_EQ(deviation.getMaxError(), 18446744073709551615.0);
}

TEST(Deviation, AddsManyPairsAsOneByOne) {
  std::vector<float> values, references;
  Deviation together, single;
  together.add(2.0F, 1.0F);
  single.add(2.0F, 1.0F);
  for (int i = 0; i < 1000; ++i) {
    references.push_back(std::sin(static_cast<float>(i)));
    values.push_back(references.back() * (1 + 1e-3F * static_cast<float>(i)));
    single.add(values.back(), references.back());
  }
  together.addAll<float>(values, references);
  EXPECT_EQ(together.getSqnr(), single.getSqnr());
  EXPECT_EQ(together.getCount(), 1001u);
  EXPECT_EQ(together.getEqual(), single.getEqual());
  EXPECT_EQ(together.getMaxError(), single.getMaxError());
  EXPECT_EQ(together.getMaxErrorAt(), single.getMaxErrorAt());
}

TEST(FindLargest, IsArgmax) {
  auto find = [](const std::vector<double> &values) {
    return findLargest<double>(values);
  };
  EXPECT_EQ(find({1, 3, 2, 3}), 1u);
  EXPECT_EQ(find({-1}), 0u);
  EXPECT_EQ(find({1, notANumber, infinity, notANumber}), 1u);
  EXPECT_EQ(find({-infinity, -infinity}), 0u);
}
