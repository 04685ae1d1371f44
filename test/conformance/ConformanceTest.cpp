//===- ConformanceTest.cpp - The conformance runner's own parts -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "Expectations.h"
#include "Isolation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

using namespace brisk::conformance;
using ::testing::HasSubstr;

namespace {
/// A tensor of one dimension, unless given others.
template <typename T> struct Values {
  Values(uint32_t dtype, std::vector<T> values, std::vector<int64_t> dims = {})
      : dtype(dtype), values(std::move(values)), dims(std::move(dims)) {
    if (this->dims.empty())
      this->dims = {static_cast<int64_t>(this->values.size())};
  }
  operator brisk::execution::TensorView() const {
    return {dtype,
            dims,
            {reinterpret_cast<const char *>(values.data()),
             values.size() * sizeof(T)}};
  }
  uint32_t dtype;
  std::vector<T> values;
  std::vector<int64_t> dims;
};
} // namespace

static bool agree(const brisk::execution::TensorView &actual,
                  const brisk::execution::TensorView &expected) {
  return !findDifference(actual, expected, 1e-3, 1e-7);
}

TEST(FindDifference, FloatsWithinTolerance) {
  EXPECT_TRUE(agree(Values<float>(BRISK_F32, {1.0f, 1000.0f}),
                    Values<float>(BRISK_F32, {1.0009f, 1000.9f})));
  EXPECT_FALSE(agree(Values<float>(BRISK_F32, {1.0f}),
                     Values<float>(BRISK_F32, {1.002f})));
  EXPECT_FALSE(agree(Values<float>(BRISK_F32, {1e-6f}),
                     Values<float>(BRISK_F32, {0.0f})));
}

TEST(FindDifference, InfinitiesAndNans) {
  float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  EXPECT_TRUE(agree(Values<float>(BRISK_F32, {inf, -inf, nan}),
                    Values<float>(BRISK_F32, {inf, -inf, nan})));
  EXPECT_FALSE(
      agree(Values<float>(BRISK_F32, {1.0f}), Values<float>(BRISK_F32, {inf})));
  EXPECT_FALSE(
      agree(Values<float>(BRISK_F32, {-inf}), Values<float>(BRISK_F32, {inf})));
  EXPECT_FALSE(
      agree(Values<float>(BRISK_F32, {nan}), Values<float>(BRISK_F32, {0.0f})));
}

TEST(FindDifference, HalfTypes) {
  EXPECT_TRUE(agree(Values<uint16_t>(BRISK_F16, {0x3c00}),
                    Values<uint16_t>(BRISK_F16, {0x3c01})));
  EXPECT_FALSE(agree(Values<uint16_t>(BRISK_F16, {0x3c00}),
                     Values<uint16_t>(BRISK_F16, {0x3c02})));
  EXPECT_TRUE(agree(Values<uint16_t>(BRISK_BF16, {0x3f80}),
                    Values<uint16_t>(BRISK_BF16, {0x3f82})));
  EXPECT_FALSE(agree(Values<uint16_t>(BRISK_BF16, {0x3f80}),
                     Values<uint16_t>(BRISK_BF16, {0x3f83})));
}

TEST(IsNearDouble, HoldsHalvesToTheSameLimits) {
  Values<uint16_t> half(BRISK_F16, {0x3c00}); // 1
  EXPECT_TRUE(isNearDouble(half, Values<double>(BRISK_F64, {1.0009}), 1e-3, 0));
  EXPECT_FALSE(
      isNearDouble(half, Values<double>(BRISK_F64, {1.0011}), 1e-3, 0));
  EXPECT_FALSE(isNearDouble(half, Values<float>(BRISK_F32, {1}), 1e-3, 0));
}

TEST(FindDifference, IntegersExactlyAndTypesAndShapes) {
  EXPECT_FALSE(agree(Values<int32_t>(BRISK_I32, {1000000}),
                     Values<int32_t>(BRISK_I32, {1000001})));
  EXPECT_FALSE(
      agree(Values<int32_t>(BRISK_I32, {1}), Values<uint32_t>(BRISK_U32, {1})));
  EXPECT_FALSE(agree(Values<int32_t>(BRISK_I32, {1, 2}, {1, 2}),
                     Values<int32_t>(BRISK_I32, {1, 2}, {2, 1})));
}

TEST(Expectations, FaultIsWhatTheFileDoesNotSay) {
  Expectations known = {{"test_b", "no such op"}};
  EXPECT_FALSE(findFault(known, "test_a", {Outcome::Pass, ""}));
  EXPECT_FALSE(findFault(known, "test_b", {Outcome::Refused, "other"}));
  EXPECT_TRUE(findFault(known, "test_a", {Outcome::Refused, "no such op"}));
  EXPECT_TRUE(findFault(known, "test_b", {Outcome::Pass, ""}));
  EXPECT_TRUE(findFault(known, "test_b", {Outcome::Wrong, ""}));
  EXPECT_TRUE(findFault(known, "test_b", {Outcome::Crash, ""}));
  EXPECT_TRUE(findFault(known, "test_b", {Outcome::Hang, ""}));
}

TEST(Expectations, FileIsReadAsWritten) {
  std::string path = testing::TempDir() + "expectations.txt", error;
  Expectations known = {{"test_a", "'x': unsupported"}, {"test_b", "why"}};
  ASSERT_TRUE(writeExpectations(path, known));
  EXPECT_EQ(readExpectations(path, error), known);
  std::ofstream(path) << "test_a: x\ntest_a: y\n";
  EXPECT_FALSE(readExpectations(path, error));
  EXPECT_THAT(error, HasSubstr("listed twice"));
  std::ofstream(path) << "# comment\n\ntest_a\n";
  EXPECT_FALSE(readExpectations(path, error));
  EXPECT_THAT(error, HasSubstr(":3: expected 'CASE: REASON'"));
}

TEST(Isolation, EveryEndIsAResult) {
  std::vector<Result> results(5);
  Limits limits{/*jobs=*/2, /*seconds=*/1, /*megabytes=*/0};
  runIsolated(
      results.size(), limits,
      [](size_t i, const std::string &scratch) -> Result {
        std::ofstream(scratch + "/file") << "left behind";
        if (i == 1)
          std::abort();
        if (i == 2)
          std::exit(0);
        if (i == 3)
          for (volatile int forever = 1; forever;)
            ;
        return {i == 4 ? Outcome::Refused : Outcome::Pass, "detail"};
      },
      [&](size_t i, Result result) { results[i] = std::move(result); });
  EXPECT_EQ(results[0].outcome, Outcome::Pass);
  EXPECT_EQ(results[1].outcome, Outcome::Crash);
  EXPECT_EQ(results[2].outcome, Outcome::Crash);
  EXPECT_EQ(results[3].outcome, Outcome::Hang);
  EXPECT_EQ(results[4].outcome, Outcome::Refused);
  EXPECT_EQ(results[4].detail, "detail");
}
