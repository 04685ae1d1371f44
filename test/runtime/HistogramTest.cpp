//===- HistogramTest.cpp - Latency percentiles in fixed memory ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/histogram.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <vector>

namespace {

constexpr uint32_t precision = 5;
constexpr uint32_t valueBits = 40;
constexpr uint32_t slotCount = BRISK_HISTOGRAM_SLOTS(precision, valueBits);

struct Histogram : brisk_histogram {
  Histogram() : counts(slotCount + 1, 0xabcd) {
    EXPECT_EQ(brisk_histogram_init(this, counts.data(), precision, valueBits),
              0);
  }
  ~Histogram() {
    EXPECT_EQ(counts[slotCount], 0xabcdu) << "wrote past the end";
  }
  uint64_t percentile(uint32_t per10000) {
    uint64_t value = 0;
    EXPECT_TRUE(brisk_histogram_percentile(this, per10000, &value));
    return value;
  }
  bool has(uint32_t per10000) {
    uint64_t value;
    return brisk_histogram_percentile(this, per10000, &value);
  }
  std::vector<uint32_t> counts;
};

TEST(Histogram, RefusesSizesOutOfRange) {
  brisk_histogram h;
  uint32_t counts[4];
  EXPECT_EQ(brisk_histogram_init(&h, nullptr, 1, 2), 1);
  EXPECT_EQ(brisk_histogram_init(&h, counts, 2, 2), 1);
  EXPECT_EQ(brisk_histogram_init(&h, counts, 17, 64), 1);
  EXPECT_EQ(brisk_histogram_init(&h, counts, 1, 65), 1);
  EXPECT_EQ(brisk_histogram_init(&h, counts, 1, 2), 0);
}

TEST(Histogram, EmptyHasNothing) {
  Histogram h;
  EXPECT_FALSE(h.has(0));
  EXPECT_FALSE(h.has(5000));
  EXPECT_FALSE(h.has(10000));
  EXPECT_EQ(brisk_histogram_mean(&h), 0u);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram h;
  for (uint64_t value = 0; value < 64; ++value)
    brisk_histogram_record(&h, value);
  EXPECT_EQ(h.percentile(0), 0u);
  EXPECT_EQ(h.percentile(5000), 31u);
  EXPECT_EQ(h.percentile(9000), 57u); // rank ceil(57.6) = 58
  EXPECT_EQ(h.percentile(10000), 63u);
  EXPECT_EQ(brisk_histogram_mean(&h), 31u);
}

TEST(Histogram, PercentilesAreNearestRankWithinThePrecision) {
  std::mt19937_64 random(7);
  Histogram h;
  std::vector<uint64_t> values;
  for (int i = 0; i < 20000; ++i) {
    uint64_t value = random() >> (24 + random() % 40);
    values.push_back(value);
    brisk_histogram_record(&h, value);
  }
  std::sort(values.begin(), values.end());
  for (uint32_t p : {1u, 100u, 2500u, 5000u, 9000u, 9500u, 9900u, 9990u}) {
    uint64_t exact = values[(values.size() * p + 9999) / 10000 - 1];
    uint64_t got = h.percentile(p);
    EXPECT_GE(got, exact) << p;
    EXPECT_LE(got, exact + (exact >> precision)) << p;
  }
  EXPECT_EQ(h.percentile(0), values.front());
  EXPECT_EQ(h.percentile(10000), values.back());
}

TEST(Histogram, IsBlankWhereTooFewValues) {
  Histogram h;
  brisk_histogram_record(&h, 5);
  EXPECT_TRUE(h.has(0));
  EXPECT_TRUE(h.has(10000));
  EXPECT_FALSE(h.has(5000));
  brisk_histogram_record(&h, 6);
  EXPECT_EQ(h.percentile(5000), 5u);
  for (int i = 2; i < 9; ++i)
    brisk_histogram_record(&h, 7);
  EXPECT_FALSE(h.has(9000));
  brisk_histogram_record(&h, 7);
  EXPECT_TRUE(h.has(9000));
  for (int i = 10; i < 99; ++i)
    brisk_histogram_record(&h, 7);
  EXPECT_TRUE(h.has(9500));
  EXPECT_FALSE(h.has(9900));
  brisk_histogram_record(&h, 1000);
  EXPECT_EQ(h.percentile(9900), 7u);
}

TEST(Histogram, CountsWhatIsOutOfRange) {
  Histogram h;
  brisk_histogram_record(&h, 1);
  brisk_histogram_record(&h, (uint64_t)1 << valueBits);
  brisk_histogram_record(&h, UINT64_MAX);
  EXPECT_EQ(h.saturated, 2u);
  EXPECT_EQ(h.percentile(10000), UINT64_MAX);
  EXPECT_EQ(h.sum, UINT64_MAX) << "the sum stays at its end";
}

TEST(Histogram, TakesTheWholeRangeOf64Bits) {
  std::vector<uint32_t> counts(BRISK_HISTOGRAM_SLOTS(3, 64));
  brisk_histogram h;
  ASSERT_EQ(brisk_histogram_init(&h, counts.data(), 3, 64), 0);
  brisk_histogram_record(&h, UINT64_MAX);
  EXPECT_EQ(h.saturated, 0u);
  EXPECT_EQ(counts.back(), 1u);
}

TEST(Histogram, MergesToTheSameAsRecordingTogether) {
  Histogram a, b, both;
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    uint64_t value = random() >> 30;
    brisk_histogram_record(i % 3 ? &a : &b, value);
    brisk_histogram_record(&both, value);
  }
  ASSERT_EQ(brisk_histogram_merge(&a, &b), 0);
  EXPECT_EQ(a.counts, both.counts);
  EXPECT_EQ(a.count, both.count);
  EXPECT_EQ(a.sum, both.sum);
  EXPECT_EQ(a.min, both.min);
  EXPECT_EQ(a.max, both.max);

  std::vector<uint32_t> counts(BRISK_HISTOGRAM_SLOTS(4, valueBits));
  brisk_histogram other;
  brisk_histogram_init(&other, counts.data(), 4, valueBits);
  EXPECT_EQ(brisk_histogram_merge(&a, &other), 1);
}

} // namespace
