//===- Progress.h - How far a long loop has come ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_PROGRESS_H
#define BRISK_SYSTEM_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace brisk {

/// Says on standard error how far a loop has come that takes longer than a
/// second: on a terminal in one line that is written over, and removed at the
/// end; elsewhere, as in a log, by a line every half a minute.
class Progress {
public:
  using Seconds = std::chrono::duration<double>;
  /// When to print, and where.
  struct Style {
    llvm::raw_ostream *out;
    bool isTerminal;
    Seconds first, every;
  };
  static Style getStyle();
  /// From here on, getStyle shows nothing in this process.
  static void silence();

  /// For a loop over `total` of what `unit` says, as in "samples".
  Progress(llvm::StringRef unit, uint64_t total, Style style = getStyle());
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress();

  /// One more is done.
  void step();

private:
  using Clock = std::chrono::steady_clock;
  std::string unit;
  uint64_t total, done = 0;
  Style style;
  Clock::time_point next;
  size_t width = 0; ///< of the line that is on the terminal
};

} // namespace brisk

#endif // BRISK_SYSTEM_PROGRESS_H
