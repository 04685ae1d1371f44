//===- FrameOps.cpp - Pictures as cameras give them -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/FrameOps.cpp.inc"

/// Sizes of pictures: no arithmetic on places in one overflows.
static constexpr int64_t maxSide = 1 << 20;

/// The bytes of a pixel in the rows of a frame.
static int64_t getPixelBytes(FrameFormat format) {
  return format == FrameFormat::Rgb || format == FrameFormat::Bgr ? 3 : 1;
}

/// Checks a list of numbers of which each is at least `least`.
static LogicalResult checkList(OptionalLoc loc,
                               std::optional<ArrayRef<int64_t>> list,
                               StringRef name, ArrayRef<int64_t> least) {
  if (!list)
    return success();
  if (list->size() != least.size())
    return emitOptionalError(loc, name, " has ", list->size(),
                             " numbers, expected ", least.size());
  for (auto [number, bound] : llvm::zip(*list, least))
    if (number < bound || number > maxSide)
      return emitOptionalError(loc, name, " has the number ", number,
                               ", expected one from ", bound, " to ", maxSide);
  return success();
}

/// Checks a frame's rows against what it is said to hold, and gives its height.
static FailureOr<int64_t> checkFrame(OptionalLoc loc, RankedTensorType frame,
                                     FrameFormat format, int64_t width) {
  if (frame.getRank() != 2)
    return emitOptionalError(loc, "the frame has ", frame.getRank(),
                             " dimensions, expected 2: rows and their bytes");
  int64_t rows = frame.getDimSize(0), bytes = frame.getDimSize(1);
  if (isDynamic(rows) || isDynamic(bytes))
    return emitOptionalError(loc, "the frame's size has to be known");
  if (width > maxSide || rows > maxSide * 2)
    return emitOptionalError(loc, "the frame is ", rows, " x ", width,
                             ", expected at most ", maxSide, " a side");
  if (width * getPixelBytes(format) > bytes)
    return emitOptionalError(loc, "rows of ", bytes, " bytes do not hold ",
                             width, " pixels of ", getPixelBytes(format),
                             " bytes");
  if (format != FrameFormat::Nv12)
    return rows;
  if (rows % 3 || width % 2)
    return emitOptionalError(loc, "an NV12 frame has ", rows, " rows of ",
                             width,
                             " pixels, expected a multiple of 3 rows and an "
                             "even number of pixels");
  return rows / 3 * 2;
}

LogicalResult ReadFrameOp::inferReturnTypes(MLIRContext *context,
                                            OptionalLoc loc, Adaptor op,
                                            Types &results) {
  Type element = IntegerType::get(context, 8, IntegerType::Unsigned);
  if (op.getColor() == FrameFormat::Nv12)
    return emitOptionalError(loc, "color is nv12, expected gray, rgb or bgr");
  if (failed(checkList(loc, op.getWindow(), "window", {0, 0, 1, 1})) ||
      failed(checkList(loc, op.getSize(), "size", {1, 1})))
    return failure();
  RankedTensorType frame = ranked(op.getFrame());
  if (!frame)
    return giveUnranked(results, element);
  auto height = checkFrame(loc, frame, op.getFormat(), op.getWidth());
  if (failed(height))
    return failure();
  SmallVector<int64_t> window{0, 0, *height,
                              static_cast<int64_t>(op.getWidth())};
  if (op.getWindow()) {
    ArrayRef<int64_t> given = *op.getWindow();
    if (given[0] + given[2] > window[2] || given[1] + given[3] > window[3])
      return emitOptionalError(loc, "window ", given[2], " x ", given[3],
                               " at row ", given[0], ", column ", given[1],
                               " is not within the frame of ", window[2], " x ",
                               window[3], " pixels");
    window.assign(given.begin(), given.end());
  }
  ArrayRef<int64_t> size =
      op.getSize().value_or(ArrayRef(window).drop_front(2));
  return give(loc, results, {size[0], size[1], getPixelBytes(op.getColor())},
              element);
}

int64_t ReadFrameOp::getHeight() {
  int64_t rows = getFrame().getType().getShape().front();
  return getFormat() == FrameFormat::Nv12 ? rows / 3 * 2 : rows;
}

std::array<int64_t, 4> ReadFrameOp::getReadWindow() {
  if (std::optional<ArrayRef<int64_t>> window = getWindow())
    return {(*window)[0], (*window)[1], (*window)[2], (*window)[3]};
  return {0, 0, getHeight(), static_cast<int64_t>(getWidth())};
}

int64_t ReadFrameOp::getChannels() { return getPixelBytes(getColor()); }
