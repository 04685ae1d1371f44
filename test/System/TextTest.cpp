//===- TextTest.cpp - Tests of names that may hold any bytes --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Text.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace brisk;

namespace {

TEST(Text, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(validUtf8("fine"), "fine");
  EXPECT_EQ(validUtf8("na\xefve"), "na\uFFFDve");
  EXPECT_EQ(validUtf8("\xc3\xa9t\xc3\xa9"), "\u00e9t\u00e9");
  for (const char *bytes : {"\xff\xfe", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90"})
    EXPECT_TRUE(llvm::json::isUTF8(validUtf8(bytes)));
}

TEST(Text, WhatSteersATerminalIsNotPrinted) {
  EXPECT_EQ(printable("a\nb\x1b[1m\x7f"), "a?b?[1m?");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3)), "a?b");
  // Right-to-left override, and the end of a line.
  // NOLINTNEXTLINE(misc-misleading-bidirectional)
  EXPECT_EQ(printable("a\u202eb\u2028"), "a?b?");
  EXPECT_EQ(printable("\u00e9 \u4e2d"), "\u00e9 \u4e2d");
  EXPECT_EQ(printable("\xff"), "\uFFFD");
}

} // namespace
