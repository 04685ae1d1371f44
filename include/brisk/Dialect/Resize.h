//===- Resize.h - How resize samples ----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The geometry of resize, one dimension at a time.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_RESIZE_H
#define BRISK_DIALECT_RESIZE_H

#include <cstdint>

namespace brisk {

/// How one dimension is resized. `roi` is in parts of the input's size.
struct ResizeAxis {
  int64_t input, output;
  double scale;
  double roiStart = 0, roiEnd = 1;
  /// False where every place of the result is that of the input.
  bool isResized() const {
    return input != output || scale != 1 || roiStart != 0 || roiEnd != 1;
  }
};

} // namespace brisk

#endif // BRISK_DIALECT_RESIZE_H
