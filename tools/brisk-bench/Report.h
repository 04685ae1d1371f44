//===- Report.h - What brisk-bench prints and writes ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_REPORT_H
#define BRISK_TOOLS_BRISK_BENCH_REPORT_H

#include "LoadReport.h"
#include "LoadedModel.h"
#include "Measure.h"

namespace brisk::tools {

struct BenchOptions {
  ModelRequest model;
  std::vector<std::string> inputs; ///< NAME=FILE
  unsigned threads = 1;
  uint64_t seed = 0;
  MeasureOptions measure;
  std::optional<LoadRequest> load; ///< instead of one run after the other
  std::string json, csv, trace;    ///< files to write; empty: none
};

/// Opens the model, measures it, prints and writes the results.
llvm::Error benchmark(const BenchOptions &options);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_REPORT_H
