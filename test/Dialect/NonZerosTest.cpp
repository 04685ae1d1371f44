//===- NonZerosTest.cpp - Matrices by their non-zero elements -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/NonZeros.h"

#include <gtest/gtest.h>

#include <random>

using namespace brisk;

TEST(NonZerosTest, ColumnsAreFilledUpWithZerosOfTheirOwn) {
  // Five rows by two columns, the second of which is zero.
  std::vector<float> matrix = {1, 0, 0, 0, 3, -0.0f, 4, 0, 5, 0};
  NonZeros found = NonZeros::find(matrix, 2);
  EXPECT_EQ(found.values, (std::vector<float>{1, 3, 4, 5}));
  EXPECT_EQ(found.rows, (std::vector<uint16_t>{0, 2, 3, 4}));
  EXPECT_EQ(found.starts, (std::vector<int32_t>{0, 4, 4}));
  EXPECT_EQ(NonZeros::count(matrix, 2), 4);

  matrix[4] = 0;
  found = NonZeros::find(matrix, 2);
  EXPECT_EQ(found.values, (std::vector<float>{1, 4, 5, 0}));
  EXPECT_EQ(matrix[2 * found.rows[3]], 0);
  EXPECT_NE(found.rows[3], 0); // which is no zero
}

TEST(NonZerosTest, ScatteringGivesTheMatrixBack) {
  std::mt19937 random(7);
  for (int64_t rows : {1, 3, 8, 70})
    for (int64_t columns : {1, 5, 16})
      for (int percent : {0, 30, 90, 100}) {
        std::vector<float> matrix(rows * columns), back(rows * columns);
        for (float &element : matrix)
          if (static_cast<int>(random() % 100) >= percent)
            element = static_cast<float>(random() % 1000 + 1);
        NonZeros found = NonZeros::find(matrix, columns);
        EXPECT_EQ(static_cast<int64_t>(found.values.size()),
                  NonZeros::count(matrix, columns));
        EXPECT_TRUE(NonZeros::areValid(found.rows, found.starts, rows));
        NonZeros::scatter(found.values, found.rows, found.starts, back);
        EXPECT_EQ(back, matrix);
      }
}

TEST(NonZerosTest, WhatReadsBeyondIsNotValid) {
  std::vector<uint16_t> rows = {0, 1, 2, 3, 0, 1, 2, 3};
  EXPECT_TRUE(NonZeros::areValid(rows, {0, 4, 8}, 4));
  EXPECT_FALSE(NonZeros::areValid(rows, {0, 4, 8}, 3)) << "a row too many";
  EXPECT_FALSE(NonZeros::areValid(rows, {0, 8, 4}, 4)) << "descends";
  EXPECT_FALSE(NonZeros::areValid(rows, {0, 4, 12}, 4)) << "ends behind";
  EXPECT_FALSE(NonZeros::areValid(rows, {4, 4, 8}, 4)) << "leaves some out";
  EXPECT_FALSE(NonZeros::areValid(rows, {0, 2, 8}, 4)) << "no whole steps";
  EXPECT_FALSE(NonZeros::areValid(rows, {}, 4));
}
