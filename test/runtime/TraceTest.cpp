//===- TraceTest.cpp - Reading and writing trace buffers ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/trace.h"

#include "gtest/gtest.h"

namespace {

TEST(Trace, SumsTicksAndCallsByOp) {
  brisk_record records[8];
  brisk_trace trace;
  brisk_trace_init(&trace, records, 8);
  EXPECT_EQ(brisk_trace_span(&trace), 0u);
  brisk_trace_add(&trace, 0, 100, 110);
  brisk_trace_add(&trace, 1, 110, 115);
  brisk_trace_add(&trace, 0, 120, 127);
  brisk_trace_add(&trace, 9, 127, 200);
  uint64_t ticks[2] = {0, 0};
  uint32_t calls[2] = {0, 0};
  EXPECT_EQ(brisk_trace_sum(&trace, ticks, calls, 2), 1u);
  EXPECT_EQ(ticks[0], 17u);
  EXPECT_EQ(ticks[1], 5u);
  EXPECT_EQ(calls[0], 2u);
  EXPECT_EQ(calls[1], 1u);
  EXPECT_EQ(brisk_trace_span(&trace), 100u);
  EXPECT_EQ(brisk_trace_sum(&trace, ticks, nullptr, 2), 1u);
}

TEST(Trace, AFullBufferDropsAndCounts) {
  brisk_record records[3] = {};
  brisk_trace trace;
  brisk_trace_init(&trace, records, 2);
  for (uint32_t i = 0; i < 5; ++i)
    brisk_trace_add(&trace, i, i, i + 1);
  EXPECT_EQ(trace.count, 2u);
  EXPECT_EQ(trace.dropped, 3u);
  EXPECT_EQ(records[2].end, 0u);
  brisk_trace_reset(&trace);
  EXPECT_EQ(trace.count, 0u);
  EXPECT_EQ(trace.dropped, 0u);
}

TEST(Trace, NoStorageHoldsNothing) {
  brisk_trace trace;
  brisk_trace_init(&trace, nullptr, 7);
  brisk_trace_add(&trace, 0, 1, 2);
  EXPECT_EQ(trace.count, 0u);
  EXPECT_EQ(trace.dropped, 1u);
}

} // namespace
