//===- PlatformTest.cpp - Arenas, the clock and names ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/host.h"

#include "gtest/gtest.h"

#include <cstring>

namespace {

TEST(Platform, AllocatesAligned) {
  for (size_t alignment : {1, 64, 4096})
    for (size_t bytes : {size_t(0), size_t(1), size_t(5) << 20}) {
      void *memory = brisk_aligned_alloc(bytes, alignment);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ((uintptr_t)memory % alignment, 0u);
      EXPECT_EQ((uintptr_t)memory % 64, 0u);
      std::memset(memory, 1, bytes);
      brisk_aligned_free(memory);
    }
}

TEST(Platform, ClockNeverGoesBack) {
  uint64_t last = brisk_clock_ns(nullptr);
  for (int i = 0; i < 1000; ++i) {
    uint64_t now = brisk_clock_ns(nullptr);
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(Platform, NamesAndSizesOfTypes) {
  EXPECT_EQ(brisk_dtype_size(BRISK_F32), 4u);
  EXPECT_EQ(brisk_dtype_size(BRISK_BF16), 2u);
  EXPECT_EQ(brisk_dtype_size(BRISK_BOOL), 1u);
  EXPECT_EQ(brisk_dtype_size(8), 0u) << "strings have no size";
  EXPECT_STREQ(brisk_dtype_name(BRISK_I64), "int64");
  EXPECT_EQ(brisk_dtype_name(99), nullptr);
  for (uint32_t dtype = 0; dtype < 32; ++dtype)
    EXPECT_EQ(brisk_dtype_size(dtype) == 0, brisk_dtype_name(dtype) == nullptr);
}

} // namespace
