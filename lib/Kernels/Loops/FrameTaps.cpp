//===- FrameTaps.cpp - How sides of pictures are sampled ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameTaps.h"

#include <algorithm>
#include <cmath>

using namespace brisk;

FrameTaps brisk::getOpencvNearest(const Side &side) {
  FrameTaps taps;
  double scale = side.getOpencvScale();
  for (int64_t i = 0; i < side.to; ++i) {
    double at = std::floor(static_cast<double>(i) * scale);
    taps.add(std::min(static_cast<int64_t>(at), side.from - 1), {1});
  }
  return taps;
}

FrameTaps brisk::getPillowNearest(const Side &side) {
  FrameTaps taps;
  double at = side.getScale() * 0.5;
  for (int64_t i = 0; i < side.to; ++i, at += side.getScale())
    taps.add(std::min(static_cast<int64_t>(at), side.from - 1), {1});
  return taps;
}

FrameTaps brisk::getOpencvLinear(const Side &side, bool ofArea, bool ofRows) {
  FrameTaps taps;
  double scale = side.getOpencvScale();
  for (int64_t i = 0; i < side.to; ++i) {
    double at = static_cast<double>(i);
    float ratio;
    int64_t first;
    if (ofArea) {
      first = static_cast<int64_t>(std::floor(at * scale));
      ratio =
          static_cast<float>((at + 1) - static_cast<double>(first + 1) / scale);
      ratio = ratio <= 0 ? 0 : ratio - std::floor(ratio);
    } else {
      ratio = static_cast<float>((at + 0.5) * scale - 0.5);
      first = static_cast<int64_t>(std::floor(ratio));
      ratio -= static_cast<float>(first);
    }
    // Of rows, the one at the edge is taken twice instead.
    if (!ofRows && (first < 0 || first >= side.from - 1)) {
      first = first < 0 ? 0 : side.from - 1;
      ratio = 0;
    }
    auto round = [](float weight) {
      return std::nearbyint(weight * float(1 << opencvBits));
    };
    taps.add(first, {round(1 - ratio), round(ratio)});
  }
  return taps;
}

FrameTaps brisk::getOpencvArea(const Side &side) {
  FrameTaps taps;
  double scale = side.getOpencvScale();
  auto size = static_cast<double>(side.from);
  for (int64_t i = 0; i < side.to; ++i) {
    double begin = static_cast<double>(i) * scale, end = begin + scale;
    double cell = std::min(scale, size - begin);
    auto first = static_cast<int64_t>(std::ceil(begin));
    auto last = static_cast<int64_t>(std::floor(end));
    last = std::min(last, side.from - 1);
    first = std::min(first, last);
    int64_t start = first;
    std::vector<double> weights;
    constexpr double least = 1e-3;
    if (static_cast<double>(first) - begin > least) {
      start = first - 1;
      weights.push_back(
          static_cast<float>((static_cast<double>(first) - begin) / cell));
    }
    for (int64_t pixel = first; pixel < last; ++pixel)
      weights.push_back(static_cast<float>(1.0 / cell));
    double rest =
        std::min(std::min(end - static_cast<double>(last), 1.0), cell);
    if (end - static_cast<double>(last) > least)
      weights.push_back(static_cast<float>(rest / cell));
    taps.add(start, std::move(weights));
  }
  return taps;
}

/// A filter that is as wide as the pixels that a place covers.
static FrameTaps getPillow(const Side &side, double support,
                           double (*filter)(double)) {
  FrameTaps taps;
  double scale = side.getScale(), width = std::max(scale, 1.0);
  double reach = support * width, inverse = 1.0 / width;
  for (int64_t i = 0; i < side.to; ++i) {
    double center = (static_cast<double>(i) + 0.5) * scale;
    auto first = static_cast<int64_t>(std::max(center - reach + 0.5, 0.0));
    auto end = std::min(static_cast<int64_t>(center + reach + 0.5), side.from);
    std::vector<double> weights;
    double sum = 0;
    for (int64_t pixel = first; pixel < end; ++pixel) {
      weights.push_back(
          filter((static_cast<double>(pixel) - center + 0.5) * inverse));
      sum += weights.back();
    }
    for (double &weight : weights) {
      if (sum != 0)
        weight /= sum;
      double scaled = weight * static_cast<double>(1 << pillowBits);
      weight = std::trunc(scaled + (weight < 0 ? -0.5 : 0.5));
    }
    taps.add(first, std::move(weights));
  }
  return taps;
}

static double getTriangle(double x) {
  x = std::abs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}
static double getBox(double x) { return x > -0.5 && x <= 0.5 ? 1.0 : 0.0; }

FrameTaps brisk::getPillowBilinear(const Side &side) {
  return getPillow(side, 1.0, getTriangle);
}

FrameTaps brisk::getPillowBox(const Side &side) {
  return getPillow(side, 0.5, getBox);
}
