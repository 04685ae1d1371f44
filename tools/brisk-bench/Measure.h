//===- Measure.h - Measuring a model's latency ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_MEASURE_H
#define BRISK_TOOLS_BRISK_BENCH_MEASURE_H

#include "TraceReport.h"
#include "brisk/Execution/Instance.h"

namespace brisk::tools {

/// Runs that are measured at most.
inline constexpr uint64_t maxRuns = uint64_t(1) << 26;

struct MeasureOptions {
  double warmupMs = 200;
  double durationS = 3;
  uint64_t iterations = 100;
};

struct Measurement {
  double firstMs = 0;
  double warmupMs = 0;
  uint64_t warmupRuns = 0;
  /// Nanoseconds of each run, without the trace hook.
  std::vector<uint64_t> latencies;
  /// Nanoseconds of each run with the trace hook, which alternate with the
  /// others; none unless profiling.
  std::vector<uint64_t> tracedLatencies;

  /// What the trace hook adds to the median run, in percent.
  std::optional<double> tracingCost() const;
};

/// Runs once, warms up, and measures until both the duration is over and the
/// iterations are done (but no more than maxRuns). With a report, every run
/// is followed or preceded, by turns, by one with the trace hook.
llvm::Expected<Measurement> measure(const brisk_model &model,
                                    execution::Instance &instance,
                                    const MeasureOptions &options,
                                    TraceReport *report);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_MEASURE_H
