//===- BenchFlags.h - The flags of brisk-bench ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_BENCHFLAGS_H
#define BRISK_TOOLS_BRISK_BENCH_BENCHFLAGS_H

#include "LoadFlags.h"
#include "Report.h"

namespace brisk::tools {

/// Registers the flags that are brisk-bench's own.
struct BenchFlags {
  explicit BenchFlags(llvm::cl::OptionCategory &category);

  /// What all flags together ask for; an error where a value is out of range.
  llvm::Expected<BenchOptions> options(const ModelFlags &flags) const;

  /// What --help says after the list of flags.
  static const char *const help;

  llvm::cl::opt<double> warmupMs, durationS;
  llvm::cl::opt<unsigned long long> iterations, seed;
  llvm::cl::opt<bool> profile;
  TextFlag json, csv, trace;
  LoadFlags load;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_BENCHFLAGS_H
