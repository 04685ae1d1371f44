//===- CalibratorTest.cpp - Ranges of values from what was observed
//----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/Calibrator.h"
#include "Histogram.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace brisk;

static Histogram count(const std::vector<float> &values) {
  Histogram histogram;
  histogram.add(values);
  return histogram;
}

/// Values of a normal distribution, and a far outlier.
static std::vector<float> makeNormal(float outlier) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(100000);
  for (float &value : values)
    value = normal(random);
  values.front() = outlier;
  return values;
}

/// The mean square of what a range rounds and cuts off, measured.
static double getError(const std::vector<float> &values, Range range) {
  ByteParameters with = getByteParameters(range);
  double sum = 0;
  for (float value : values) {
    double byte = std::nearbyint(value / with.scale) + with.zero;
    double error =
        (std::clamp(byte, 0.0, 255.0) - with.zero) * with.scale - value;
    sum += error * error;
  }
  return sum / static_cast<double>(values.size());
}

TEST(HistogramTest, CountsWhateverTheOrder) {
  Histogram histogram = count({0, 1, -2});
  histogram.add({1000, -0.001F, 0});
  EXPECT_EQ(histogram.getMin(), -2);
  EXPECT_EQ(histogram.getMax(), 1000);
  EXPECT_EQ(histogram.getCount(), 6u);
  EXPECT_EQ(histogram.getZeros(), 2u);
  uint64_t sum = 0, negative = 0;
  auto bins = histogram.getBins();
  for (size_t i = 0; i < bins.size(); ++i) {
    sum += bins[i];
    negative += i < bins.size() / 2 ? bins[i] : 0;
  }
  EXPECT_EQ(sum, 4u);
  EXPECT_EQ(negative, 2u);
}

TEST(HistogramTest, BinsHoldTheirValues) {
  Histogram histogram = count({0.5F});
  histogram.add({3, 5});
  auto bins = histogram.getBins();
  for (size_t i = 0; i < bins.size(); ++i)
    if (bins[i])
      for (float value : {0.5F, 3.0F, 5.0F})
        if (value >= histogram.getLow(static_cast<int64_t>(i)) &&
            value < histogram.getLow(static_cast<int64_t>(i) + 1))
          EXPECT_EQ(bins[i], 1u);
}

TEST(HistogramTest, NotFiniteIsCountedApart) {
  float infinity = std::numeric_limits<float>::infinity();
  Histogram histogram = count({1, infinity, -infinity, NAN});
  EXPECT_EQ(histogram.getNotFinite(), 3u);
  EXPECT_EQ(histogram.getMax(), 1);
  EXPECT_EQ(histogram.getCount(), 1u);
}

TEST(HistogramTest, ExtremeValues) {
  Histogram histogram = count({1e-45F});
  histogram.add({3.4e38F, -3.4e38F});
  EXPECT_EQ(histogram.getCount(), 3u);
  Range range = chooseRange(histogram, Calibrator::Mse);
  EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
}

TEST(CalibratorTest, NothingButZeros) {
  Histogram histogram = count({0, 0, 0});
  for (Calibrator calibrator : {Calibrator::MinMax, Calibrator::Percentile,
                                Calibrator::Entropy, Calibrator::Mse}) {
    ByteParameters with = getByteParameters(chooseRange(histogram, calibrator));
    EXPECT_EQ(with.scale, 1);
    EXPECT_EQ(with.zero, 0);
  }
}

TEST(CalibratorTest, ZeroIsExact) {
  for (Range range :
       {Range{-1, 2}, Range{0, 6}, Range{-3, 0}, Range{-0.1, 7}}) {
    ByteParameters with = getByteParameters(range);
    EXPECT_NEAR((0 - with.zero) * with.scale, range.low, with.scale);
    EXPECT_NEAR((255 - with.zero) * with.scale, range.high, with.scale);
  }
}

TEST(CalibratorTest, MinMaxKeepsAll) {
  Range range = chooseRange(count(makeNormal(50)), Calibrator::MinMax);
  EXPECT_EQ(range.high, 50);
}

TEST(CalibratorTest, OthersCutOutliersOff) {
  std::vector<float> values = makeNormal(50);
  for (Calibrator calibrator : {Calibrator::Percentile, Calibrator::Entropy}) {
    Range range = chooseRange(count(values), calibrator);
    EXPECT_LT(range.high, 10) << static_cast<int>(calibrator);
    EXPECT_GT(range.high, 2.5) << static_cast<int>(calibrator);
    EXPECT_LT(range.low, -2.5) << static_cast<int>(calibrator);
  }
}

TEST(CalibratorTest, MseIsLeast) {
  std::vector<float> values = makeNormal(12);
  Histogram histogram = count(values);
  double least = getError(values, chooseRange(histogram, Calibrator::Mse));
  for (Calibrator calibrator :
       {Calibrator::MinMax, Calibrator::Percentile, Calibrator::Entropy})
    EXPECT_LE(least,
              1.01 * getError(values, chooseRange(histogram, calibrator)));
}

// Values that all lie far from zero leave most bins empty.
TEST(CalibratorTest, FarFromZero) {
  std::vector<float> values(1000, 6);
  values.front() = 5.9F;
  for (Calibrator calibrator : {Calibrator::MinMax, Calibrator::Percentile,
                                Calibrator::Entropy, Calibrator::Mse}) {
    Range range = chooseRange(count(values), calibrator);
    EXPECT_NEAR(range.high, 6, 0.1) << static_cast<int>(calibrator);
    EXPECT_EQ(range.low, 0) << static_cast<int>(calibrator);
  }
}
