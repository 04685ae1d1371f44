//===- PlatformTest.cpp - Arenas, the clock and names ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/host.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

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

TEST(Platform, MakesMemoryForWorkers) {
  brisk_memory block = {BRISK_MEMORY_ARENA, 256, 1000, 24};
  EXPECT_EQ(brisk_memory_bytes(&block, 1), 1024u);
  EXPECT_EQ(brisk_memory_bytes(&block, 0), 1024u) << "the caller works";
  EXPECT_EQ(brisk_memory_bytes(&block, 4), 1096u);
  void *memory = brisk_memory_create(&block, 4);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ((uintptr_t)memory % 256, 0u);
  std::memset(memory, 1, 1096);
  brisk_aligned_free(memory);
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
  EXPECT_EQ(brisk_dtype_bits(BRISK_F32), 32u);
  EXPECT_EQ(brisk_dtype_bits(BRISK_BF16), 16u);
  EXPECT_EQ(brisk_dtype_bits(BRISK_BOOL), 8u);
  EXPECT_EQ(brisk_dtype_bits(8), 0u) << "strings have no size";
  EXPECT_STREQ(brisk_dtype_name(BRISK_I64), "int64");
  EXPECT_EQ(brisk_dtype_name(99), nullptr);
  for (uint32_t dtype = 0; dtype < 32; ++dtype)
    EXPECT_EQ(brisk_dtype_bits(dtype) == 0, brisk_dtype_name(dtype) == nullptr);
}

TEST(Platform, RandomInputsSuitTheirType) {
  constexpr int n = 4096;
  const int64_t dims[] = {n};
  auto fill = [&](uint32_t dtype, uint64_t seed) {
    brisk_tensor tensor = {};
    tensor.dims = dims;
    tensor.rank = 1;
    tensor.dtype = dtype;
    tensor.bits = brisk_dtype_bits(dtype);
    tensor.bytes = n * tensor.bits / 8;
    std::vector<uint8_t> data(tensor.bytes);
    brisk_fill_random(&tensor, data.data(), &seed);
    return data;
  };
  EXPECT_EQ(fill(BRISK_F32, 1), fill(BRISK_F32, 1));
  EXPECT_NE(fill(BRISK_F32, 1), fill(BRISK_F32, 2));
  for (uint32_t dtype : {BRISK_F16, BRISK_BF16, BRISK_F32, BRISK_F64}) {
    std::vector<uint8_t> data = fill(dtype, 3);
    double sum = 0, low = 9, high = -9;
    for (int i = 0; i < n; ++i) {
      double value;
      const uint8_t *at = &data[i * brisk_dtype_bits(dtype) / 8];
      uint16_t half;
      std::memcpy(&half, at, 2);
      if (dtype == BRISK_F64) {
        std::memcpy(&value, at, 8);
      } else if (dtype == BRISK_F16) {
        int exponent = half >> 10 & 31, mantissa = half & 1023;
        EXPECT_NE(exponent, 31);
        value = exponent ? std::ldexp(1024 + mantissa, exponent - 25)
                         : std::ldexp(mantissa, -24);
        value = half >> 15 ? -value : value;
      } else {
        uint32_t bits = uint32_t(half) << 16;
        float single;
        std::memcpy(&single, dtype == BRISK_F32 ? (const void *)at : &bits, 4);
        value = single;
      }
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    EXPECT_NEAR(sum / n, 0, 0.05) << dtype;
    EXPECT_NEAR(low, -1, 0.01) << dtype;
    EXPECT_NEAR(high, 1, 0.01) << dtype;
    EXPECT_GE(low, -1) << dtype;
    EXPECT_LE(high, 1) << dtype;
  }
  for (uint32_t dtype : {BRISK_BOOL, BRISK_I8, BRISK_U16, BRISK_I64}) {
    std::vector<uint8_t> data = fill(dtype, 3);
    int ones = 0;
    for (size_t i = 0; i < data.size(); ++i) {
      EXPECT_LE(data[i], i % (brisk_dtype_bits(dtype) / 8) ? 0 : 1);
      ones += data[i];
    }
    EXPECT_NEAR(ones, n / 2, n / 20) << dtype;
  }
}

} // namespace
