//===- FrameStages.cpp - Stages of pictures -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame begins a path. Stages that crop, convert and resize it amend the op
// that reads it: colours are converted first, then the window is resized,
// whatever their order in the file.
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/Builders.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

/// Sides of frames and pictures, as the op takes them.
static constexpr int64_t maxSide = 1 << 20;

/// In the order of FrameFormat and FrameResize.
static const StringRef formats[] = {"gray", "rgb", "bgr", "nv12"};
static const StringRef methods[] = {"opencv_linear",  "opencv_area",
                                    "opencv_nearest", "pillow_bilinear",
                                    "pillow_box",     "pillow_nearest"};

/// The op that reads the frame a stage is given, which may still be amended.
static ReadFrameOp findFrame(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> value = takeOne(stage, values);
  auto frame =
      succeeded(value) ? value->getDefiningOp<ReadFrameOp>() : ReadFrameOp();
  if (succeeded(value) && !frame)
    stage.fail() << "this stage works on a frame as it is read; put it before "
                    "letterbox and what makes numbers of it";
  return frame;
}

/// `op` with other attributes, in its place.
static Value replace(Stage &stage, ReadFrameOp op, FrameFormat color,
                     DenseI64ArrayAttr window, DenseI64ArrayAttr size,
                     FrameResize resize) {
  Value result =
      stage.make<ReadFrameOp>(op.getFrame(), op.getFormat(), op.getWidth(),
                              color, window, size, resize);
  op.erase();
  return result;
}

/// `frame: {format, height, width, pitch}`
static FailureOr<Values> readFrame(Stage &stage, ArrayRef<Value> values) {
  if (!values.empty())
    return stage.fail() << "a frame is the first stage of a path";
  Fields &fields = stage.fields;
  auto format = fields.getChoice("format", formats);
  auto height = fields.getInt("height", 1, maxSide),
       width = fields.getInt("width", 1, maxSide);
  if (failed(format) || failed(height) || failed(width))
    return failure();
  auto kind = static_cast<FrameFormat>(*format);
  bool isNv12 = kind == FrameFormat::Nv12;
  bool isColor = kind == FrameFormat::Rgb || kind == FrameFormat::Bgr;
  if (isNv12 && (*height % 2 || *width % 2))
    return stage.fail() << "an NV12 frame has an even height and width, and "
                        << *height << " x " << *width << " is given";
  int64_t bytes = *width * (isColor ? 3 : 1);
  auto pitch = fields.getInt("pitch", bytes, maxSide * 4, bytes);
  if (failed(pitch))
    return failure();
  int64_t rows = isNv12 ? *height / 2 * 3 : *height;
  auto byte = IntegerType::get(stage.b.getContext(), 8, IntegerType::Unsigned);
  Value input = stage.addInput(RankedTensorType::get({rows, *pitch}, byte));
  return Values{stage.make<ReadFrameOp>(
      input, kind, static_cast<uint64_t>(*width),
      isNv12 ? FrameFormat::Rgb : kind, DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), FrameResize::OpencvLinear)};
}

/// `color: {to: rgb}`
static FailureOr<Values> convertColor(Stage &stage, ArrayRef<Value> values) {
  ReadFrameOp op = findFrame(stage, values);
  auto color = stage.fields.getChoice("to", ArrayRef(formats).drop_back());
  if (!op || failed(color))
    return failure();
  return Values{replace(stage, op, static_cast<FrameFormat>(*color),
                        op.getWindowAttr(), op.getSizeAttr(), op.getResize())};
}

/// `crop: {top, left, height, width}`, of the frame's pixels.
static FailureOr<Values> crop(Stage &stage, ArrayRef<Value> values) {
  ReadFrameOp op = findFrame(stage, values);
  if (!op)
    return failure();
  if (op.getSize())
    return stage.fail() << "a frame is cropped before it is resized";
  std::array<int64_t, 4> within = op.getReadWindow();
  Fields &fields = stage.fields;
  auto top = fields.getInt("top", 0, maxSide, 0),
       left = fields.getInt("left", 0, maxSide, 0),
       height = fields.getInt("height", 1, maxSide),
       width = fields.getInt("width", 1, maxSide);
  if (failed(top) || failed(left) || failed(height) || failed(width))
    return failure();
  if (*top + *height > within[2] || *left + *width > within[3])
    return stage.fail() << *height << " x " << *width << " pixels at row "
                        << *top << ", column " << *left
                        << " are not within the picture of " << within[2]
                        << " x " << within[3];
  auto window = stage.b.getDenseI64ArrayAttr(
      {within[0] + *top, within[1] + *left, *height, *width});
  return Values{replace(stage, op, op.getColor(), window, op.getSizeAttr(),
                        op.getResize())};
}

namespace {
/// The size and the method that a stage asks for.
struct Resizing {
  int64_t height, width;
  FrameResize method;
};
} // namespace

static FailureOr<Resizing> getResizing(Stage &stage, ReadFrameOp op) {
  if (op.getSize()) {
    stage.fail() << "the frame is resized already";
    return failure();
  }
  auto height = stage.fields.getInt("height", 1, maxSide),
       width = stage.fields.getInt("width", 1, maxSide);
  auto method = stage.fields.getChoice("method", methods, 0);
  if (failed(height) || failed(width) || failed(method))
    return failure();
  return Resizing{*height, *width, static_cast<FrameResize>(*method)};
}

/// `resize: {height, width, method}`
static FailureOr<Values> resize(Stage &stage, ArrayRef<Value> values) {
  ReadFrameOp op = findFrame(stage, values);
  if (!op)
    return failure();
  FailureOr<Resizing> to = getResizing(stage, op);
  if (failed(to))
    return failure();
  return Values{replace(stage, op, op.getColor(), op.getWindowAttr(),
                        stage.b.getDenseI64ArrayAttr({to->height, to->width}),
                        to->method)};
}

/// `letterbox: {height, width, method, fill}`: as large as fits, centred, with
/// bars of `fill` around it. Rounded as YOLO's own letterbox is.
static FailureOr<Values> letterbox(Stage &stage, ArrayRef<Value> values) {
  ReadFrameOp op = findFrame(stage, values);
  if (!op)
    return failure();
  FailureOr<Resizing> to = getResizing(stage, op);
  auto fill = stage.fields.getInt("fill", 0, 255, 114);
  if (failed(to) || failed(fill))
    return failure();
  std::array<int64_t, 4> window = op.getReadWindow();
  double scale =
      std::min(static_cast<double>(to->height) / static_cast<double>(window[2]),
               static_cast<double>(to->width) / static_cast<double>(window[3]));
  auto fit = [&](int64_t side) {
    double size = std::nearbyint(static_cast<double>(side) * scale);
    return std::max<int64_t>(1, static_cast<int64_t>(size));
  };
  int64_t height = fit(window[2]), width = fit(window[3]);
  // What does not come out even goes below and to the right.
  auto before = [](int64_t space) { return space / 2; };
  int64_t top = before(to->height - height), left = before(to->width - width);
  Value picture =
      replace(stage, op, op.getColor(), op.getWindowAttr(),
              stage.b.getDenseI64ArrayAttr({height, width}), to->method);
  Value pads = stage.ints(
      {top, left, 0, to->height - height - top, to->width - width - left, 0});
  return Values{stage.make<PadOp>(
      picture, pads, stage.number(static_cast<double>(*fill), picture), Value(),
      PadMode::Constant)};
}

void brisk::processing::addFrameStages(StageTable &pre) {
  pre.on("frame", readFrame);
  pre.on("color", convertColor);
  pre.on("crop", crop);
  pre.on("resize", resize);
  pre.on("letterbox", letterbox);
}
