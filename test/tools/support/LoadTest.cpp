//===- LoadTest.cpp - A model under load ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Load.h"

#include "brisk/flow.hpp"

#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace brisk::tools;
using testing::ElementsAre;
using testing::IsEmpty;

static LoadOptions makeOptions(Arrivals arrivals, double rate, double seconds) {
  LoadOptions options;
  options.arrivals = arrivals;
  options.rate = rate;
  options.durationS = seconds;
  return options;
}

/// An answered request.
static RequestRecord answered(uint64_t intended, uint64_t started,
                              uint64_t finished) {
  RequestRecord record;
  record.intended = intended;
  record.started = started;
  record.finished = finished;
  return record;
}

TEST(Load, ComesInEqualIntervals) {
  EXPECT_THAT(scheduleArrivals(makeOptions(Arrivals::Fixed, 4, 1)),
              ElementsAre(0, 250000000, 500000000, 750000000));
  EXPECT_THAT(scheduleArrivals(makeOptions(Arrivals::Closed, 4, 1)), IsEmpty());
  EXPECT_THAT(scheduleArrivals(makeOptions(Arrivals::Fixed, 4, 0)), IsEmpty());
}

TEST(Load, ComesInBursts) {
  LoadOptions options = makeOptions(Arrivals::Bursts, 4, 1);
  options.burst = 2;
  EXPECT_THAT(scheduleArrivals(options),
              ElementsAre(0, 0, 500000000, 500000000));
}

TEST(Load, ComesAtRandom) {
  LoadOptions options = makeOptions(Arrivals::Poisson, 1000, 100);
  std::vector<uint64_t> times = scheduleArrivals(options);
  // 100,000, with a deviation of 316.
  EXPECT_NEAR(static_cast<double>(times.size()), 100000, 5 * 316);
  EXPECT_TRUE(llvm::is_sorted(times));
  EXPECT_LT(times.back(), 100000000000u);
  // Gaps are exponential: their deviation is their mean, and as many are longer
  // than that as of e.
  std::vector<double> gaps;
  for (size_t i = 1; i < times.size(); ++i)
    gaps.push_back(static_cast<double>(times[i] - times[i - 1]) * 1e-6);
  double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) /
                static_cast<double>(gaps.size());
  double squares =
      std::inner_product(gaps.begin(), gaps.end(), gaps.begin(), 0.0) /
      static_cast<double>(gaps.size());
  EXPECT_NEAR(mean, 1, 0.02);
  EXPECT_NEAR(std::sqrt(squares - mean * mean), mean, 0.02);
  auto isLong = [](double gap) { return gap > 1; };
  EXPECT_NEAR(static_cast<double>(llvm::count_if(gaps, isLong)) /
                  static_cast<double>(gaps.size()),
              std::exp(-1), 0.01);
  EXPECT_EQ(times, scheduleArrivals(options));
  options.seed = 1;
  EXPECT_NE(times, scheduleArrivals(options));
}

TEST(Load, SimulatesAQueue) {
  // Each takes 10; when they really began does not matter.
  std::vector<RequestRecord> requests = {
      answered(0, 5, 15), answered(2, 20, 30), answered(4, 40, 50),
      answered(100, 100, 110)};
  RequestRecord refused;
  refused.intended = 3;
  refused.code = brisk::flow::Overloaded;
  requests.insert(requests.begin() + 2, refused);
  EXPECT_THAT(simulateQueue(requests, 1), ElementsAre(10, 18, 26, 10));
  EXPECT_THAT(simulateQueue(requests, 2), ElementsAre(10, 10, 16, 10));
  EXPECT_THAT(simulateQueue({}, 2), IsEmpty());
}

TEST(Load, FindsTheFirstAfterIdleness) {
  std::vector<RequestRecord> requests = {
      answered(0, 0, 10), answered(15, 15, 100), answered(50, 50, 60),
      answered(115, 115, 120), answered(130, 130, 140)};
  EXPECT_THAT(findAfterIdle(requests, 10), ElementsAre(3, 4));
  EXPECT_THAT(findAfterIdle(requests, 16), IsEmpty());
}

TEST(Load, CountsWhatBecameOfRequests) {
  LoadResult result;
  result.requests.resize(5);
  result.requests[1].code = brisk::flow::Overloaded;
  result.requests[2].code = brisk::flow::Late;
  result.requests[3].code = -1;
  result.requests[4].code = BRISK_ERROR_BRANCH;
  EXPECT_EQ(result.count(BRISK_OK), 1u);
  EXPECT_EQ(result.countFailed(), 2u);
}
