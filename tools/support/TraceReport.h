//===- TraceReport.h - Where the time of a model goes -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the records of traced runs into tables, JSON and Chrome traces.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_TRACEREPORT_H
#define BRISK_TOOLS_SUPPORT_TRACEREPORT_H

#include "Statistics.h"
#include "Table.h"
#include "brisk/model.h"
#include "llvm/Support/JSON.h"

#include <vector>

namespace brisk::tools {

/// Collects traced runs of one model. An op that runs several times in a run
/// (in a loop) counts with the sum of its times.
class TraceReport {
public:
  explicit TraceReport(const brisk_model &model)
      : model(model), times(model.num_ops + 1) {}

  /// Takes the records of one run, in nanoseconds, and how long it took. Keeps
  /// times of the first 10,000 runs and the records of the first 8.
  void addRun(const brisk_trace &trace, uint64_t nanoseconds);

  /// Records that did not fit into the buffer, of all runs.
  uint64_t dropped() const { return droppedRecords; }

  /// One row per op, in run order, and one for the time outside of all ops.
  /// Times are medians over the runs, shares are of their sum.
  Table inRunOrder() const;

  /// One row per op type, the slowest first.
  Table byType() const;

  /// Where stages come before or after the model (`briskc --pre`, `--post`):
  /// what they, the model and a whole run took. Of any other model, nothing.
  struct PhaseTimes {
    const char *name;
    Summary ns;
  };
  std::vector<PhaseTimes> phases() const;

  /// Writes {name, type, kernel, phase, ms, flops, bytes} for each op, the
  /// elements of an array.
  void writeOps(llvm::json::OStream &j) const;

  /// The times of an op over the runs.
  Summary summary(unsigned op) const { return summarize(times[op]); }

  /// Writes the kept records in Chrome's trace event format, for
  /// chrome://tracing and ui.perfetto.dev.
  void writeChromeTrace(llvm::raw_ostream &out) const;

private:
  std::vector<double> medians() const;

  const brisk_model &model;
  /// By op, then the time outside of ops; by run.
  std::vector<std::vector<uint64_t>> times;
  std::vector<std::vector<brisk_record>> records;
  uint64_t droppedRecords = 0;
};

/// Writes an attribute with six digits after the point, or null where the value
/// is absent.
void writeFigure(llvm::json::OStream &j, llvm::StringRef key,
                 std::optional<double> value);

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_TRACEREPORT_H
