//===- StatisticsTest.cpp - Summaries of measured times -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Statistics.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace brisk::tools;

static std::vector<uint64_t> descending(size_t n) {
  std::vector<uint64_t> values(n);
  std::iota(values.rbegin(), values.rend(), 1);
  return values;
}

TEST(Statistics, PercentilesAreNearestRank) {
  Summary summary = summarize(descending(100));
  EXPECT_EQ(summary.n, 100u);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.mean, 50.5);
  EXPECT_EQ(summary.p50, 50);
  EXPECT_EQ(summary.p90, 90);
  EXPECT_EQ(summary.p95, 95);
  EXPECT_EQ(summary.p99, 99);
  EXPECT_EQ(summary.max, 100);
  EXPECT_EQ(summarize(descending(101)).p50, 51);
  EXPECT_EQ(summarize(descending(101)).p99, 100);
}

TEST(Statistics, PercentilesAreBlankWhereTheSampleIsSmall) {
  EXPECT_FALSE(summarize({}).min);
  EXPECT_FALSE(summarize({}).mean);
  EXPECT_FALSE(summarize({}).max);
  EXPECT_FALSE(summarize(descending(1)).p50);
  EXPECT_EQ(summarize(descending(1)).max, 1);
  EXPECT_EQ(summarize(descending(2)).p50, 1);
  EXPECT_FALSE(summarize(descending(9)).p90);
  EXPECT_EQ(summarize(descending(10)).p90, 9);
  EXPECT_FALSE(summarize(descending(19)).p95);
  EXPECT_EQ(summarize(descending(20)).p95, 19);
  EXPECT_FALSE(summarize(descending(99)).p99);
}

TEST(Statistics, Median) {
  EXPECT_FALSE(median({}));
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 4}), 4);
  EXPECT_EQ(median({9, 1, 4, 5}), 4.5);
}
