//===- Resize.cpp - How resize samples --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Resize.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

FailureOr<SmallVector<ResizeAxis>>
brisk::resolveResize(std::optional<Location> loc, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> axes,
                     std::optional<ArrayRef<double>> scales,
                     std::optional<ArrayRef<int64_t>> sizes,
                     ArrayRef<double> roi, AspectRatioPolicy policy) {
  size_t given = scales ? scales->size() : sizes->size();
  StringRef name = scales ? "scales" : "sizes";
  if (given != axes.size())
    return emitOptionalError(loc, name, " has ", given, " entries for ",
                             axes.size(), " axes");
  if (!roi.empty() && roi.size() != 2 * axes.size())
    return emitOptionalError(loc, "roi has ", roi.size(), " entries for ",
                             axes.size(), " axes, expected twice as many");
  SmallVector<ResizeAxis> resized;
  for (int64_t dim : shape)
    resized.push_back({dim, dim, 1.0});
  for (auto [i, axis] : llvm::enumerate(axes)) {
    ResizeAxis &dim = resized[axis];
    if (!roi.empty()) {
      dim.roiStart = roi[i];
      dim.roiEnd = roi[i + axes.size()];
    }
    if (scales) {
      dim.scale = (*scales)[i];
      if (!(dim.scale > 0) || !std::isfinite(dim.scale))
        return emitOptionalError(loc, "scales has the entry ", dim.scale,
                                 ", expected a positive number");
      // In single precision, as ONNX's own shape inference does.
      float part = static_cast<float>(dim.roiEnd - dim.roiStart);
      float size = std::floor(static_cast<float>(dim.input) * part *
                              static_cast<float>(dim.scale));
      if (!(size >= 0 && size < 1e15f))
        return emitOptionalError(loc, "dimension ", axis, " would have size ",
                                 static_cast<double>(size));
      dim.output = static_cast<int64_t>(size);
    } else {
      dim.output = (*sizes)[i];
      if (dim.output < 0)
        return emitOptionalError(loc, "sizes has the entry ", dim.output);
      dim.scale = dim.input ? static_cast<double>(dim.output) /
                                  static_cast<double>(dim.input)
                            : 1.0;
    }
  }
  if (scales || policy == AspectRatioPolicy::Stretch || axes.empty())
    return resized;
  // One scale for all axes.
  double scale = resized[axes[0]].scale;
  for (int64_t axis : axes)
    scale = policy == AspectRatioPolicy::NotLarger
                ? std::min(scale, resized[axis].scale)
                : std::max(scale, resized[axis].scale);
  for (int64_t axis : axes) {
    resized[axis].scale = scale;
    resized[axis].output = static_cast<int64_t>(
        std::floor(scale * static_cast<double>(resized[axis].input) + 0.5));
  }
  return resized;
}
