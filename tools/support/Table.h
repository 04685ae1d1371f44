//===- Table.h - Tables for people and for spreadsheets ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_TABLE_H
#define BRISK_TOOLS_SUPPORT_TABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace brisk::tools {

class Table {
public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
  };

  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// Adds a row of as many cells as there are columns.
  void addRow(std::vector<std::string> cells);

  /// Prints the titles and rows in columns, two blanks between, with none at
  /// the ends of lines. Cells come out as printable() makes them.
  void print(llvm::raw_ostream &out) const;

  /// Prints the same as comma-separated values (RFC 4180, but with plain
  /// newlines).
  void printCsv(llvm::raw_ostream &out) const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A number with some digits after the point; empty where it is absent or not
/// finite.
std::string formatFixed(std::optional<double> value, unsigned digits);

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_TABLE_H
