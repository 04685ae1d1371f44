//===- Statistics.cpp - Summaries of measured times -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace llvm;

namespace brisk::tools {

std::optional<double> percentile(ArrayRef<uint64_t> sorted, double percent) {
  // 99.9 is no number of binary digits: what is all but whole is whole.
  constexpr double slack = 1e-9;
  auto n = static_cast<double>(sorted.size());
  if (n == 0 || (percent < 100 && n * (100 - percent) < 100 * (1 - slack)))
    return std::nullopt;
  auto rank = static_cast<uint64_t>(std::ceil(n * percent / 100 * (1 - slack)));
  return static_cast<double>(sorted[rank ? rank - 1 : 0]);
}

Summary summarize(ArrayRef<uint64_t> values) {
  Summary summary;
  summary.n = values.size();
  if (values.empty())
    return summary;
  std::vector<uint64_t> sorted(values.begin(), values.end());
  llvm::sort(sorted);
  summary.min = static_cast<double>(sorted.front());
  summary.max = static_cast<double>(sorted.back());
  summary.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) /
                 static_cast<double>(sorted.size());
  summary.p50 = percentile(sorted, 50);
  summary.p90 = percentile(sorted, 90);
  summary.p95 = percentile(sorted, 95);
  summary.p99 = percentile(sorted, 99);
  return summary;
}

std::optional<double> median(std::vector<uint64_t> values) {
  if (values.empty())
    return std::nullopt;
  llvm::sort(values);
  size_t middle = values.size() / 2;
  double upper = static_cast<double>(values[middle]);
  if (values.size() % 2)
    return upper;
  return (static_cast<double>(values[middle - 1]) + upper) / 2;
}

} // namespace brisk::tools
