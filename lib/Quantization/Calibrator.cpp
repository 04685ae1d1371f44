//===- Calibrator.cpp - Ranges of values from what was observed -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/Calibrator.h"
#include "Histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace brisk;

llvm::StringRef brisk::getName(Calibrator calibrator) {
  switch (calibrator) {
  case Calibrator::MinMax:
    return "minmax";
  case Calibrator::Percentile:
    return "percentile";
  case Calibrator::Entropy:
    return "entropy";
  case Calibrator::Mse:
    return "mse";
  }
  return "";
}

/// Integers of a byte, less one.
static constexpr double steps = 255;

/// Without the outermost values: half of 0.01 % at each end, or all of it where
/// values lie at one side of zero only.
static Range getPercentile(const Histogram &histogram) {
  Range range{histogram.getMin(), histogram.getMax()};
  bool bothSides = range.low < 0 && range.high > 0;
  double outside =
      1e-4 * static_cast<double>(histogram.getCount()) * (bothSides ? 0.5 : 1);
  auto bins = histogram.getBins();
  auto size = static_cast<int64_t>(bins.size());
  double seen = 0;
  int64_t first = 0, last = size - 1;
  while (first < size / 2 && seen + static_cast<double>(bins[first]) <= outside)
    seen += static_cast<double>(bins[first++]);
  seen = 0;
  while (last >= size / 2 && seen + static_cast<double>(bins[last]) <= outside)
    seen += static_cast<double>(bins[last--]);
  return {std::max(range.low, std::min(0.0, histogram.getLow(first))),
          std::min(range.high, std::max(0.0, histogram.getLow(last + 1)))};
}

/// The mean square error of what is rounded within the range, where errors
/// spread evenly over a step, and cut off outside; but for a factor.
static double getError(const Histogram &histogram, Range range) {
  double step = (range.high - range.low) / steps, inside = 0, outside = 0;
  for (auto [i, count] : llvm::enumerate(histogram.getBins())) {
    if (count == 0)
      continue;
    auto weight = static_cast<double>(count);
    double value = histogram.getCenter(static_cast<int64_t>(i));
    double beyond = std::max(value - range.high, range.low - value);
    if (beyond > 0)
      outside += weight * beyond * beyond;
    else
      inside += weight;
  }
  return outside + inside * step * step / 12;
}

/// Ends come nearer in turns, as long as the error becomes less.
static Range minimizeError(const Histogram &histogram) {
  Range full{histogram.getMin(), histogram.getMax()}, best = full;
  double least = getError(histogram, full);
  constexpr int rounds = 2, tries = 100;
  for (int round = 0; round < rounds; ++round)
    for (double Range::*end : {&Range::low, &Range::high})
      for (int i = 1; i < tries && full.*end != 0; ++i) {
        Range range = best;
        range.*end = full.*end * i / tries;
        double error = getError(histogram, range);
        if (error < least) {
          least = error;
          best = range;
        }
      }
  return best;
}

/// What Kullback and Leibler's divergence says is lost where sizes of values
/// beyond `used` bins are cut off and the others are told apart by half of the
/// integers of a byte (of which one side has that many). `sizes` are counts of
/// absolute values.
static double getDivergence(llvm::ArrayRef<double> sizes, size_t used) {
  constexpr size_t levels = 128;
  double total = 0, cut = 0;
  for (auto [i, count] : llvm::enumerate(sizes)) {
    total += count;
    cut += i < used ? 0 : count;
  }
  // Where single values are frequent, as a background is, cutting off all
  // others would lose least.
  constexpr double most = 0.005;
  if (cut > most * total)
    return std::numeric_limits<double>::infinity();
  double divergence = 0;
  for (size_t level = 0; level < levels; ++level) {
    size_t begin = used * level / levels, end = used * (level + 1) / levels;
    double sum = 0, filled = 0;
    for (size_t i = begin; i < end; ++i) {
      sum += sizes[i];
      filled += sizes[i] > 0;
    }
    for (size_t i = begin; i < end; ++i) {
      double is = sizes[i] + (i + 1 == used ? cut : 0);
      if (is == 0)
        continue;
      // Without any in its level, as many as there is room for.
      double stands = sum > 0 && sizes[i] > 0 ? sum / filled : 1e-9;
      divergence +=
          is / total * std::log(is / total / (stands / (total - cut)));
    }
  }
  return divergence;
}

/// As TensorRT's calibration does (Migacz, 8-bit inference with TensorRT, GTC
/// 2017): the largest size kept is that which loses least information.
static Range keepInformation(const Histogram &histogram) {
  constexpr int64_t side = Histogram::binsPerSide;
  std::vector<double> sizes(side);
  auto bins = histogram.getBins();
  for (int64_t i = 0; i < side; ++i)
    sizes[i] = static_cast<double>(bins[side + i] + bins[side - 1 - i]);
  double largest = std::max<double>(-histogram.getMin(), histogram.getMax());
  auto last = static_cast<size_t>(
      std::clamp<double>(std::ceil(largest / histogram.getLow(side + 1)), 1,
                         static_cast<double>(side)));
  constexpr size_t fewest = 128, tries = 256;
  size_t best = last;
  double least = std::numeric_limits<double>::infinity();
  size_t each = std::max<size_t>(1, (last - std::min(last, fewest)) / tries);
  for (size_t used = last; used >= fewest; used -= std::min(used, each)) {
    double divergence =
        getDivergence(llvm::ArrayRef(sizes).take_front(last), used);
    if (divergence < least) {
      least = divergence;
      best = used;
    }
  }
  double size = histogram.getLow(side + static_cast<int64_t>(best));
  return {std::max<double>(histogram.getMin(), -size),
          std::min<double>(histogram.getMax(), size)};
}

Range brisk::chooseRange(const Histogram &histogram, Calibrator calibrator) {
  Range all{histogram.getMin(), histogram.getMax()};
  if (histogram.getBins().empty())
    return all;
  switch (calibrator) {
  case Calibrator::MinMax:
    return all;
  case Calibrator::Percentile:
    return getPercentile(histogram);
  case Calibrator::Entropy:
    return keepInformation(histogram);
  case Calibrator::Mse:
    return minimizeError(histogram);
  }
  return all;
}

ByteParameters brisk::getByteParameters(Range range) {
  ByteParameters result;
  auto scale = static_cast<float>((range.high - range.low) / steps);
  if (!std::isnormal(scale))
    return result;
  result.scale = scale;
  result.zero = static_cast<uint8_t>(
      std::clamp(std::nearbyint(-range.low / scale), 0.0, steps));
  return result;
}
