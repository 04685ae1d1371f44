//===- ProgressTest.cpp - How far a long loop has come --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Progress.h"

#include "gtest/gtest.h"

using namespace brisk;

static std::string printed(uint64_t total, bool isTerminal, double first,
                           double every) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Progress progress(
      "samples", total,
      {&out, isTerminal, Progress::Seconds(first), Progress::Seconds(every)});
  for (uint64_t i = 0; i < total; ++i)
    progress.step();
  return text;
}

TEST(Progress, IsLinesInALog) {
  EXPECT_EQ(printed(2, false, 0, 0), "1 of 2 samples\n2 of 2 samples\n");
}

TEST(Progress, WritesOverItselfOnATerminal) {
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    Progress progress("runs", 10,
                      {&out, true, Progress::Seconds(0), Progress::Seconds(0)});
    progress.step();
    EXPECT_EQ(text, "\r1 of 10 runs");
  }
  EXPECT_EQ(text, "\r1 of 10 runs\r            \r");
}

TEST(Progress, SaysNothingOfWhatIsSoonDone) {
  EXPECT_EQ(printed(1000, true, 3600, 0), "");
  EXPECT_EQ(printed(1000, false, 3600, 0), "");
}

TEST(Progress, IsSparse) {
  EXPECT_EQ(printed(1000, false, 0, 3600), "1 of 1000 samples\n");
}

TEST(Progress, CanBeSilenced) {
  EXPECT_EQ(Progress::getStyle().out, &llvm::errs());
  Progress::silence();
  EXPECT_EQ(Progress::getStyle().out, &llvm::nulls());
}
