//===- ArenaLayoutTest.cpp - Places for buffers in an arena ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/ArenaLayout.h"

#include <gtest/gtest.h>

#include <random>

using namespace brisk;

// True if the two need a byte at the same time.
static bool clash(const Lifetime &a, int64_t aOffset, const Lifetime &b,
                  int64_t bOffset) {
  bool together = a.first <= b.last && b.first <= a.last;
  return together && aOffset < bOffset + b.bytes && bOffset < aOffset + a.bytes;
}

// The most bytes that are live at once: no layout is smaller.
static int64_t findPeak(const std::vector<Lifetime> &lifetimes) {
  int64_t peak = 0;
  for (const Lifetime &at : lifetimes) {
    int64_t live = 0;
    for (const Lifetime &other : lifetimes)
      if (other.first <= at.first && at.first <= other.last)
        live += other.bytes;
    peak = std::max(peak, live);
  }
  return peak;
}

TEST(ArenaLayoutTest, NothingTakesNoBytes) {
  ArenaLayout layout = layOutArena({});
  EXPECT_EQ(layout.size, 0);
  EXPECT_TRUE(layout.offsets.empty());
}

TEST(ArenaLayoutTest, ReusesWhatHasDied) {
  // Of a chain, two neighbours are live at once.
  ArenaLayout layout = layOutArena({{0, 1, 64}, {1, 2, 64}, {2, 3, 64}});
  EXPECT_EQ(layout.size, 128);
  EXPECT_EQ(layout.offsets[0], layout.offsets[2]);
}

TEST(ArenaLayoutTest, FindsAnOrderWhereLargestFirstWastes) {
  // Largest first puts the second above the first, and the last above both.
  std::vector<Lifetime> lifetimes = {
      {0, 1, 1152}, {1, 2, 800}, {2, 3, 736}, {3, 4, 1600}};
  ArenaLayout layout = layOutArena(lifetimes);
  EXPECT_EQ(findPeak(lifetimes), 2336);
  EXPECT_EQ(layout.size, 2336);
}

TEST(ArenaLayoutTest, ThousandsOfBuffersTakeTheirPeak) {
  // A chain with skips, as networks are.
  std::vector<Lifetime> lifetimes;
  for (int64_t i = 0; i < 3000; ++i)
    lifetimes.push_back({i, i + (i % 7 == 0 ? 9 : 1), 64 * (1 + i * i % 97)});
  ArenaLayout layout = layOutArena(lifetimes);
  EXPECT_LE(layout.size, findPeak(lifetimes) * 11 / 10);
}

TEST(ArenaLayoutTest, NoTwoLiveBuffersShareAByte) {
  std::mt19937 random(0);
  auto draw = [&](int64_t below) {
    return static_cast<int64_t>(random() % below);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> lifetimes(1 + draw(60));
    for (Lifetime &life : lifetimes) {
      life.first = draw(40);
      life.last = life.first + draw(20);
      life.bytes = 16 * draw(50);
    }
    ArenaLayout layout = layOutArena(lifetimes);
    ASSERT_EQ(layout.offsets.size(), lifetimes.size());
    EXPECT_GE(layout.size, findPeak(lifetimes));
    for (size_t i = 0; i < lifetimes.size(); ++i) {
      EXPECT_GE(layout.offsets[i], 0);
      EXPECT_EQ(layout.offsets[i] % 16, 0);
      EXPECT_LE(layout.offsets[i] + lifetimes[i].bytes, layout.size);
      for (size_t j = 0; j < i; ++j)
        EXPECT_FALSE(clash(lifetimes[i], layout.offsets[i], lifetimes[j],
                           layout.offsets[j]))
            << "buffers " << i << " and " << j << " in round " << round;
    }
  }
}
