//===- Table.cpp - Tables for people and for spreadsheets -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include "brisk/System/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <cassert>
#include <cmath>

using namespace llvm;

namespace brisk::tools {

/// Columns on a terminal; bytes where that is not known.
static size_t width(StringRef text) {
  int columns = sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? text.size() : columns;
}

void Table::addRow(std::vector<std::string> cells) {
  assert(cells.size() == columns.size() && "a cell for each column");
  rows.push_back(std::move(cells));
}

void Table::print(raw_ostream &out) const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column &column : columns)
    lines.front().push_back(column.title);
  for (const auto &row : rows)
    transform(row, std::back_inserter(lines.emplace_back()), printable);
  std::vector<size_t> widths(columns.size(), 0);
  for (const auto &line : lines)
    for (auto [cell, widest] : zip_equal(line, widths))
      widest = std::max(widest, width(cell));
  for (const auto &line : lines) {
    std::string text;
    for (auto [cell, column, widest] : zip_equal(line, columns, widths)) {
      std::string padding(widest - width(cell), ' ');
      if (&cell != &line.front())
        text += "  ";
      text += column.align == Align::Right ? padding + cell : cell + padding;
    }
    out << StringRef(text).rtrim() << '\n';
  }
}

static void printCsvLine(raw_ostream &out, ArrayRef<std::string> cells) {
  ListSeparator comma(",");
  for (const std::string &raw : cells) {
    std::string cell = validUtf8(raw);
    out << comma;
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      out << cell;
      continue;
    }
    out << '"';
    for (char c : cell)
      out << (c == '"' ? "\"\"" : StringRef(&c, 1));
    out << '"';
  }
  out << '\n';
}

void Table::printCsv(raw_ostream &out) const {
  std::vector<std::string> titles;
  for (const Column &column : columns)
    titles.push_back(column.title);
  printCsvLine(out, titles);
  for (const auto &row : rows)
    printCsvLine(out, row);
}

std::string formatFixed(std::optional<double> value, unsigned digits) {
  if (!value || !std::isfinite(*value))
    return "";
  std::string text;
  raw_string_ostream(text) << format("%.*f", static_cast<int>(digits), *value);
  return text;
}

} // namespace brisk::tools
