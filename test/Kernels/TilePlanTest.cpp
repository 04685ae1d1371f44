//===- TilePlanTest.cpp - Which tile registers hold what ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That every element is multiplied once and every row held, nothing is read
// beside its row, and no register holds two things.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"
#include "brisk/Target/Target.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace brisk;

static const Isa &getIsa() {
  return llvm::cantFail(findTarget("graniterapids"))->isa;
}

/// The products of tiles that add up bytes, and those that add up
/// 16-bit floats.
static std::vector<Isa::Product> getProducts() {
  std::vector<Isa::Product> products;
  for (const Isa::Product &product : getIsa().products)
    if (product.form == Isa::Form::Tiles)
      products.push_back(product);
  return products;
}

TEST(TilePlanTest, EveryElementIsAddedOnce) {
  for (const Isa::Product &product : getProducts())
    for (int64_t depth = 1; depth <= 400; ++depth) {
      TileSteps steps(product, depth);
      SCOPED_TRACE(depth);
      EXPECT_LE(steps.elements, product.k);
      EXPECT_EQ(steps.elements % steps.group, 0);
      EXPECT_EQ(steps.padded % steps.group, 0);
      std::vector<int> added(depth, 0);
      int64_t direct = steps.count - (steps.copiesLast() ? 1 : 0);
      for (int64_t i = 0; i < direct * steps.elements; ++i)
        ++added.at(i); // which throws beside the row
      if (steps.copiesLast()) {
        int64_t first = steps.getLastStart() + steps.repeated;
        EXPECT_GE(steps.getLastStart(), 0);
        EXPECT_EQ(steps.getLastStart() % steps.group, 0);
        EXPECT_LE(steps.repeated + steps.rest, steps.elements);
        for (int64_t i = 0; i < steps.rest; ++i)
          ++added.at(first + i);
      }
      EXPECT_EQ(added, std::vector<int>(depth, 1));
      if (product.sum == Scalar::F32)
        EXPECT_EQ(steps.repeated, 0);
    }
}

TEST(TilePlanTest, StepsAreEven) {
  const Isa::Product bytes = getProducts().front();
  auto describe = [&](int64_t depth) {
    TileSteps steps(bytes, depth);
    return std::vector<int64_t>{steps.elements, steps.count, steps.repeated,
                                steps.rest};
  };
  EXPECT_EQ(describe(64), (std::vector<int64_t>{64, 1, 0, 64}));
  EXPECT_EQ(describe(96), (std::vector<int64_t>{48, 2, 0, 48}));
  EXPECT_EQ(describe(21), (std::vector<int64_t>{24, 1, 0, 21}));
  EXPECT_EQ(describe(99), (std::vector<int64_t>{52, 2, 4, 47}));
  EXPECT_EQ(describe(184), (std::vector<int64_t>{64, 3, 8, 56}));
}

TEST(TilePlanTest, EveryRowIsHeld) {
  const Isa::Product bytes = getProducts().front();
  for (int64_t rows = 1; rows <= 64; ++rows) {
    TilePlan plan(getIsa(), bytes, rows, /*columnTiles=*/1, /*depth=*/64);
    std::set<int64_t> held;
    for (int64_t tile = 0; tile < plan.rowTiles; ++tile)
      for (int64_t row = 0; row < plan.tileRows; ++row)
        held.insert(plan.getFirstRow(tile) + row);
    EXPECT_LE(plan.tileRows, bytes.m);
    EXPECT_EQ(static_cast<int64_t>(held.size()), rows);
    EXPECT_EQ(*held.begin(), 0);
    EXPECT_EQ(*held.rbegin(), rows - 1);
  }
}

TEST(TilePlanTest, RegistersAreNotShared) {
  const Isa::Product bytes = getProducts().front();
  for (int64_t rowTiles = 1; rowTiles <= 4; ++rowTiles)
    for (int64_t columnTiles = 1; columnTiles <= 8; ++columnTiles) {
      TilePlan plan(getIsa(), bytes, rowTiles * bytes.m, columnTiles,
                    /*depth=*/64);
      int64_t sums = rowTiles * columnTiles;
      // One more for what stays, and one for what takes turns.
      EXPECT_EQ(plan.fits(), sums + std::min(rowTiles, columnTiles) < 8)
          << rowTiles << " x " << columnTiles;
      if (!plan.fits())
        continue;
      std::set<int64_t> ofSums, ofLhs, ofRhs;
      for (int64_t r = 0; r < rowTiles; ++r)
        for (int64_t c = 0; c < columnTiles; ++c) {
          ofSums.insert(plan.getSumRegister(r, c));
          ofLhs.insert(plan.getLhsRegister(r));
          ofRhs.insert(plan.getRhsRegister(c));
        }
      std::set<int64_t> all;
      for (const std::set<int64_t> &some : {ofSums, ofLhs, ofRhs})
        all.insert(some.begin(), some.end());
      EXPECT_EQ(ofSums.size(), static_cast<size_t>(sums));
      EXPECT_EQ(all.size(), ofSums.size() + ofLhs.size() + ofRhs.size());
      EXPECT_LT(*all.rbegin(), 8);
    }
}

TEST(TilePlanTest, ConfiguresWhatIsUsed) {
  const Isa::Product bytes = getProducts().front();
  TilePlan plan(getIsa(), bytes, /*rows=*/28, /*columnTiles=*/2, /*depth=*/96);
  llvm::SmallVector<int32_t> words = plan.getConfiguration();
  ASSERT_EQ(words.size(), 16u);
  EXPECT_EQ(words[0], 1);
  // Bytes of a row: of four tiles of sums, two of the left side, two of the
  // right one.
  EXPECT_EQ(words[4], 64 << 16 | 64);
  EXPECT_EQ(words[5], 64 << 16 | 64);
  EXPECT_EQ(words[6], 48 << 16 | 48);
  EXPECT_EQ(words[7], 64 << 16 | 64);
  // Rows: 14 of the result, and 12 times four of 48 elements.
  EXPECT_EQ(words[12], 0x0e0e0e0e);
  EXPECT_EQ(words[13], 0x0c0c0e0e);
  EXPECT_EQ(plan.getScratch(), 28 * 2 * 64);
}
