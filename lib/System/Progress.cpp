//===- Progress.cpp - How far a long loop has come ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

using namespace brisk;

static bool isSilent = false;

void Progress::silence() { isSilent = true; }

Progress::Style Progress::getStyle() {
  if (isSilent)
    return {&llvm::nulls(), false, Seconds(0), Seconds(0)};
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  return {&llvm::errs(), isTerminal, Seconds(isTerminal ? 1 : 30),
          Seconds(isTerminal ? 0.2 : 30)};
}

Progress::Progress(llvm::StringRef unit, uint64_t total, Style style)
    : unit(unit), total(total), style(style),
      next(Clock::now() +
           std::chrono::duration_cast<Clock::duration>(style.first)) {}

Progress::~Progress() {
  if (width)
    *style.out << '\r' << std::string(width, ' ') << '\r';
}

void Progress::step() {
  ++done;
  Clock::time_point now = Clock::now();
  if (now < next)
    return;
  next = now + std::chrono::duration_cast<Clock::duration>(style.every);
  std::string line =
      llvm::utostr(done) + " of " + llvm::utostr(total) + " " + unit;
  if (style.isTerminal)
    *style.out << '\r' << line;
  else
    *style.out << line << '\n';
  width = style.isTerminal ? line.size() : 0;
}
