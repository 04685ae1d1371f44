//===- Statistics.h - Summaries of measured times ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_STATISTICS_H
#define BRISK_TOOLS_SUPPORT_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace brisk::tools {

/// What is told of a sample, in its own unit. Percentiles are nearest-rank, and
/// absent where the sample is too small to tell them from the maximum: P50 of
/// fewer than 2 values, P90 of 10, P95 of 20, P99 of 100. Of no values, all is
/// absent.
struct Summary {
  uint64_t n = 0;
  std::optional<double> min, mean, p50, p90, p95, p99, max;

  using Figure = std::optional<double>;
  /// The figures in the order in which they are printed, and their names.
  std::array<Figure, 7> figures() const {
    return {min, mean, p50, p90, p95, p99, max};
  }
  static constexpr std::array<const char *, 7> names = {
      "min", "mean", "p50", "p90", "p95", "p99", "max"};
};

Summary summarize(llvm::ArrayRef<uint64_t> values);

/// The nearest-rank percentile of an ascending sample, of 0 to 100; absent
/// where it is too small.
std::optional<double> percentile(llvm::ArrayRef<uint64_t> sorted,
                                 double percent);

/// The median of a sample, which is the mean of the middle two of an even
/// number; absent for an empty one.
std::optional<double> median(std::vector<uint64_t> values);

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_STATISTICS_H
