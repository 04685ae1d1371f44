//===- LoadFlags.h - How brisk-bench is told of load ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_LOADFLAGS_H
#define BRISK_TOOLS_BRISK_BENCH_LOADFLAGS_H

#include "LoadReport.h"
#include "ModelFlags.h"

namespace brisk::tools {

struct LoadFlags {
  explicit LoadFlags(llvm::cl::OptionCategory &category);

  /// What the flags ask for, nothing without --load; an error where a value is
  /// out of range, or says nothing without another.
  llvm::Expected<std::optional<LoadRequest>> request() const;

  llvm::cl::opt<Arrivals> load;
  llvm::cl::opt<double> rate, deadlineMs;
  llvm::cl::opt<unsigned> instances, queue, burst;
  llvm::cl::list<double> percentiles;
  TextFlag times;

private:
  /// An error for flags that say nothing without, or beside, another.
  llvm::Error checkCombination() const;
  llvm::Error checkRanges() const;
};

/// An error unless low <= value <= high.
llvm::Error checkRange(llvm::StringRef flag, double value, double low,
                       double high);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_LOADFLAGS_H
