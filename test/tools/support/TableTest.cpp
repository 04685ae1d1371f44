//===- TableTest.cpp - Tables for people and for spreadsheets -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace brisk::tools;

static std::string printed(const Table &table, bool csv = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  csv ? table.printCsv(out) : table.print(out);
  return text;
}

TEST(Table, AlignsColumns) {
  Table table({{"ms"}, {"name", Table::Align::Left}, {"n"}});
  table.addRow({"10.5", "a", "1"});
  table.addRow({"2", "größer", ""});
  EXPECT_EQ(printed(table), "  ms  name    n\n"
                            "10.5  a       1\n"
                            "   2  größer\n");
}

TEST(Table, KeepsControlCharactersFromTheTerminal) {
  Table table({{"name", Table::Align::Left}});
  table.addRow({"a\x1b[2Jb\n"});
  table.addRow({"no UTF-8: \xff"});
  EXPECT_EQ(printed(table), "name\na?[2Jb?\nno UTF-8: \uFFFD\n");
}

TEST(Table, QuotesInCsv) {
  Table table({{"a"}, {"b"}});
  table.addRow({"1,2", "say \"x\""});
  table.addRow({"", "two\nlines"});
  EXPECT_EQ(printed(table, /*csv=*/true),
            "a,b\n\"1,2\",\"say \"\"x\"\"\"\n,\"two\nlines\"\n");
}

TEST(Table, FormatsFigures) {
  EXPECT_EQ(formatFixed(1.23456, 2), "1.23");
  EXPECT_EQ(formatFixed(std::nullopt, 2), "");
  EXPECT_EQ(formatFixed(NAN, 2), "");
  EXPECT_EQ(formatFixed(INFINITY, 2), "");
}
