//===- ComparisonTest.cpp - A tensor beside what it should be -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Comparison.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace brisk::execution;

template <typename T>
static Tensor tensorOf(uint32_t dtype, llvm::ArrayRef<int64_t> dims,
                       const std::vector<T> &elements) {
  llvm::Expected<Tensor> tensor = Tensor::create(dtype, dims);
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  EXPECT_EQ(tensor->data.size(), elements.size() * sizeof(T));
  std::copy(elements.begin(), elements.end(),
            reinterpret_cast<T *>(tensor->data.data()));
  return std::move(*tensor);
}

TEST(Comparison, FindsTheWorstPair) {
  Tensor value = tensorOf<float>(BRISK_F32, {2, 2}, {1, 2, 3.5, 4});
  Tensor reference = tensorOf<float>(BRISK_F32, {2, 2}, {1, 2, 3, 4.25});
  Comparison comparison =
      compareTensors(value.view(), reference.view(), {2, 2}, std::nullopt);
  EXPECT_EQ(comparison.deviation.getMaxErrorAt(), 2u);
  EXPECT_EQ(comparison.found, 3.5);
  EXPECT_EQ(comparison.expected, 3);
  EXPECT_EQ(comparison.deviation.getEqual(), 2u);
  EXPECT_FALSE(comparison.top1);
}

TEST(Comparison, ReadsNarrowFloats) {
  // 1, the least subnormal, -inf, NaN; and what f64 has for them.
  std::vector<double> numbers = {1, std::ldexp(1.0, -24),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  Tensor half = tensorOf<uint16_t>(BRISK_F16, {4}, {0x3c00, 1, 0xfc00, 0x7e00});
  Tensor wide = tensorOf<double>(BRISK_F64, {4}, numbers);
  EXPECT_EQ(compareTensors(half.view(), wide.view(), {4}, std::nullopt)
                .deviation.getEqual(),
            4u);
  Tensor brain =
      tensorOf<uint16_t>(BRISK_BF16, {4}, {0x3f80, 0x3380, 0xff80, 0x7fc0});
  EXPECT_EQ(compareTensors(brain.view(), wide.view(), {4}, std::nullopt)
                .deviation.getEqual(),
            4u);
}

TEST(Comparison, TellsLargeIntegersApart) {
  Tensor value = tensorOf<uint64_t>(BRISK_U64, {1}, {~uint64_t(0)});
  Tensor reference = tensorOf<uint64_t>(BRISK_U64, {1}, {~uint64_t(1)});
  EXPECT_EQ(compareTensors(value.view(), reference.view(), {1}, std::nullopt)
                .deviation.getMaxError(),
            1);
}

TEST(Comparison, CountsRowsWhoseLargestIsAtTheSamePlace) {
  Tensor value = tensorOf<float>(BRISK_F32, {2, 3}, {0, 5, 1, 9, 8, 9});
  Tensor reference = tensorOf<float>(BRISK_F32, {2, 3}, {0, 1, 0, 0, 0, 1});
  auto rows =
      compareTensors(value.view(), reference.view(), {2, 3}, 1u).top1.value();
  EXPECT_EQ(rows.agreeing, 1u);
  EXPECT_EQ(rows.rows, 2u);
  auto columns =
      compareTensors(value.view(), reference.view(), {2, 3}, 0u).top1.value();
  EXPECT_EQ(columns.agreeing, 1u); // the middle one
  EXPECT_EQ(columns.rows, 3u);
}

TEST(Comparison, TakesEmptyTensors) {
  Tensor empty = tensorOf<float>(BRISK_F32, {0, 3}, {});
  Comparison comparison =
      compareTensors(empty.view(), empty.view(), {0, 3}, 1u);
  EXPECT_EQ(comparison.deviation.getCount(), 0u);
  EXPECT_EQ(comparison.top1->rows, 0u);
}

TEST(FindClasses, AreTheLastAxisOfVectorsAndMatrices) {
  EXPECT_EQ(findClasses(BRISK_F32, {10}), 0u);
  EXPECT_EQ(findClasses(BRISK_F16, {1, 1000}), 1u);
  EXPECT_EQ(findClasses(BRISK_F32, {8, 1}), std::nullopt);
  EXPECT_EQ(findClasses(BRISK_F32, {}), std::nullopt);
  EXPECT_EQ(findClasses(BRISK_F32, {1, 16, 10}), std::nullopt);
  EXPECT_EQ(findClasses(BRISK_I64, {1, 10}), std::nullopt);
}
