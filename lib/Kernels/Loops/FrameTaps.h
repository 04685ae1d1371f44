//===- FrameTaps.h - How sides of pictures are sampled ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which pixels a place of a resized picture is made of, and with which weights:
// as OpenCV 4.13 (modules/imgproc/src/resize.cpp) and Pillow 12
// (libImaging/Resample.c) have it, rounding included.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_FRAMETAPS_H
#define BRISK_KERNELS_LOOPS_FRAMETAPS_H

#include <cstdint>
#include <vector>

namespace brisk {

/// OpenCV's weights have 11 bits, Pillow's 22.
inline constexpr int64_t opencvBits = 11, pillowBits = 22;

/// How a side is sampled: for each place of the result the first pixel, and
/// `count` weights, of which those at the end may be zeros.
struct FrameTaps {
  int64_t count = 1;
  std::vector<int32_t> first;
  std::vector<double> weights;

  /// Adds a place with taps from `start` on, within `size` pixels.
  void add(int64_t start, std::vector<double> taps) {
    first.push_back(static_cast<int32_t>(start));
    places.push_back(std::move(taps));
    count = std::max<int64_t>(count, places.back().size());
  }
  void finish() {
    for (const std::vector<double> &taps : places) {
      weights.insert(weights.end(), taps.begin(), taps.end());
      weights.resize(weights.size() + count - taps.size());
    }
  }

private:
  std::vector<std::vector<double>> places;
};

/// One side of the window and of the result.
struct Side {
  int64_t from, to;
  double getScale() const {
    return static_cast<double>(from) / static_cast<double>(to);
  }
  /// OpenCV inverts the factor that it enlarges by.
  double getOpencvScale() const {
    return 1.0 / (static_cast<double>(to) / static_cast<double>(from));
  }
};

FrameTaps getOpencvNearest(const Side &side);
/// Two neighbours; `ofArea` says how INTER_AREA enlarges. Of rows, the one at
/// the edge is taken twice.
FrameTaps getOpencvLinear(const Side &side, bool ofArea, bool ofRows);
/// The pixels that a place covers, each by how much of it; the weights add up
/// to 1.
FrameTaps getOpencvArea(const Side &side);
/// Pillow goes from centre to centre by addition.
FrameTaps getPillowNearest(const Side &side);
/// A triangle that is as wide as the pixels that a place covers, and a box.
FrameTaps getPillowBilinear(const Side &side);
FrameTaps getPillowBox(const Side &side);

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_FRAMETAPS_H
