//===- AnswerStages.cpp - Stages that make answers of outputs -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers have fixed shapes: where there may be fewer, a count says how many,
// and zeros are behind them.
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/Builders.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

static constexpr int64_t most = int64_t(1) << 31;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// An axis of `value` that the field `axis` names, the last by default.
static FailureOr<int64_t> getAxis(Stage &stage, Value value) {
  auto rank = static_cast<int64_t>(getShape(value).size());
  if (rank == 0)
    return stage.fail() << "the tensor has no dimensions";
  auto axis = stage.fields.getInt("axis", -rank, rank - 1, -1);
  if (failed(axis))
    return failure();
  return *axis < 0 ? *axis + rank : *axis;
}

/// The one value of floats that a stage takes.
static FailureOr<Value> takeFloats(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> value = takeOne(stage, values);
  if (succeeded(value) && !isFloat(*value))
    return stage.fail() << "the tensor is " << value->getType()
                        << ", expected floats";
  return value;
}

/// The one value of numbers that a stage takes: no booleans.
static FailureOr<Value> takeNumbers(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> value = takeOne(stage, values);
  if (succeeded(value) && getElementTypeOrSelf(value->getType()).isInteger(1))
    return stage.fail() << "the tensor is " << value->getType()
                        << ", expected numbers";
  return value;
}

/// `softmax: {axis}`
static FailureOr<Values> softmax(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeFloats(stage, values);
  if (failed(input))
    return failure();
  FailureOr<int64_t> axis = getAxis(stage, *input);
  if (failed(axis))
    return failure();
  return Values{stage.make<SoftmaxOp>(*input, *axis, /*log=*/false)};
}

/// `sigmoid`
static FailureOr<Values> sigmoid(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeFloats(stage, values);
  if (failed(input))
    return failure();
  return Values{stage.make<SigmoidOp>(*input)};
}

/// `argmax: {axis}`: the place of the largest, as the class of each pixel.
static FailureOr<Values> argmax(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeNumbers(stage, values);
  if (failed(input))
    return failure();
  FailureOr<int64_t> axis = getAxis(stage, *input);
  if (failed(axis))
    return failure();
  return Values{stage.make<ArgReduceOp>(*input, ArgReduceKind::Max, *axis,
                                        /*keepdims=*/false,
                                        /*select_last_index=*/false)};
}

/// `top_k: {k, axis}`: the largest and their places.
static FailureOr<Values> topK(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeNumbers(stage, values);
  if (failed(input))
    return failure();
  FailureOr<int64_t> axis = getAxis(stage, *input);
  if (failed(axis))
    return failure();
  auto k = stage.fields.getInt("k", 1, getShape(*input)[*axis]);
  if (failed(k))
    return failure();
  auto op = TopKOp::create(stage.b, stage.loc, *input, stage.ints({*k}), *axis,
                           /*largest=*/true, /*sorted=*/true);
  return Values{op.getValues(), op.getIndices()};
}

/// `dequantize: {scale, zero_point}`: integers as the floats they stand for.
static FailureOr<Values> dequantize(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeNumbers(stage, values);
  auto scale = stage.fields.getNumber("scale");
  auto zero = stage.fields.getNumber("zero_point", 0);
  if (failed(input) || failed(scale) || failed(zero))
    return failure();
  if (isFloat(*input))
    return stage.fail() << "the tensor is " << input->getType()
                        << ", expected integers";
  if (*scale <= 0)
    return stage.fail() << "scale has to be larger than 0";
  Value x = stage.cast(*input, stage.b.getF32Type());
  x = stage.make<SubOp>(x, stage.number(*zero, x));
  return Values{stage.make<MulOp>(x, stage.number(*scale, x))};
}

/// `ctc: {blank}`: of scores [1 x] steps x classes the best class of each step,
/// without repetitions and blanks; and how many are left.
static FailureOr<Values> decodeCtc(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeNumbers(stage, values);
  if (failed(input))
    return failure();
  ArrayRef<int64_t> shape = getShape(*input);
  if (shape.size() == 3 && shape.front() == 1)
    shape = shape.drop_front();
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1)
    return stage.fail() << "the scores are " << input->getType()
                        << ", expected steps x classes";
  auto blank = stage.fields.getInt("blank", 0, shape[1] - 1, 0);
  if (failed(blank))
    return failure();
  int64_t steps = shape[0];
  Value scores = makeReshape(stage.b, stage.loc, *input, shape);
  Value ids = stage.make<ArgReduceOp>(scores, ArgReduceKind::Max, 1,
                                      /*keepdims=*/false,
                                      /*select_last_index=*/false);
  Value none = stage.number(static_cast<double>(*blank), ids);
  Value keep = stage.make<LogicalNotOp>(stage.make<EqualOp>(ids, none));
  // In front of the first step, there is a blank.
  Value first = makeReshape(stage.b, stage.loc, none, {1});
  Value before = stage.make<SliceOp>(
      ids, stage.ints({0}), stage.ints({steps - 1}), stage.ints({0}), Value());
  before = stage.make<ConcatOp>(ValueRange{first, before},
                                stage.b.getI64IntegerAttr(0));
  Value changes = stage.make<LogicalNotOp>(stage.make<EqualOp>(ids, before));
  auto op = CompactOp::create(stage.b, stage.loc, ids,
                              stage.make<LogicalAndOp>(keep, changes));
  return Values{op.getValues(), op.getCount()};
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// The boxes that a detector gives: corners, and the best class of each.
struct Detections {
  Value corners, scores, classes;
};

/// How a picture was fitted to the model's input.
struct Fit {
  double scaleX = 1, scaleY = 1, left = 0, top = 0;
  double width = 0, height = 0; ///< of the frame; 0: boxes stay as they are
};
} // namespace

static Value slice(Stage &stage, Value x, int64_t from, int64_t to) {
  return stage.make<SliceOp>(x, stage.ints({from}), stage.ints({to}),
                             stage.ints({1}), Value());
}

/// Boxes of centres and sizes, n x 4, as corners.
static Value makeCorners(Stage &stage, Value boxes) {
  Value centre = slice(stage, boxes, 0, 2);
  Value half = slice(stage, boxes, 2, 4);
  half = stage.make<MulOp>(half, stage.number(0.5, half));
  return stage.make<ConcatOp>(ValueRange{stage.make<SubOp>(centre, half),
                                         stage.make<AddOp>(centre, half)},
                              stage.b.getI64IntegerAttr(1));
}

/// What YOLO gives: for each box its centre, its size, in versions before 8 how
/// sure it is that there is anything, and a score for each class. Version 8 has
/// the boxes in the last dimension.
static FailureOr<Detections> readYolo(Stage &stage, Value output) {
  auto version = stage.fields.getInt("version", 3, 12, 8);
  if (failed(version))
    return failure();
  bool isNew = *version >= 8;
  int64_t first = isNew ? 4 : 5;
  ArrayRef<int64_t> shape = getShape(output);
  if (shape.size() == 3 && shape.front() == 1)
    shape = shape.drop_front();
  if (!isFloat(output) || shape.size() != 2 || shape[isNew ? 0 : 1] <= first ||
      shape[isNew ? 1 : 0] < 1)
    return stage.fail() << "the boxes are " << output.getType()
                        << (isNew ? ", expected floats, 4 + classes x boxes"
                                  : ", expected floats, boxes x 5 + classes");
  Value rows = makeReshape(stage.b, stage.loc, output, shape);
  if (isNew)
    rows = makeTranspose(stage.b, stage.loc, rows, {1, 0});
  int64_t width = getShape(rows)[1];
  Value classes = slice(stage, rows, first, width);
  Value scores =
      stage.make<ReduceOp>(classes, stage.ints({1}), ReduceKind::Max,
                           /*keepdims=*/false, /*noop_with_empty_axes=*/true);
  if (!isNew)
    scores = stage.make<MulOp>(scores, makeReshape(stage.b, stage.loc,
                                                   slice(stage, rows, 4, 5),
                                                   {getShape(rows)[0]}));
  Value best = stage.make<ArgReduceOp>(classes, ArgReduceKind::Max, 1,
                                       /*keepdims=*/false,
                                       /*select_last_index=*/false);
  return Detections{makeCorners(stage, slice(stage, rows, 0, 4)), scores, best};
}

/// `frame: {height, width}`, what was fitted into `input: {height, width}`;
/// `letterbox: false` where it was stretched.
static FailureOr<Fit> readFit(Stage &stage) {
  Fit fit;
  auto isBoxed = stage.fields.getBool("letterbox", true);
  const Node *frame = stage.fields.find("frame"),
             *input = stage.fields.find("input");
  if (failed(isBoxed))
    return failure();
  if (!frame && !input)
    return fit;
  if (!frame || !input)
    return stage.fail() << "frame and input go with each other";
  double sizes[2][2];
  for (auto [node, what, size] :
       {std::tuple(frame, "frame", sizes[0]), {input, "input", sizes[1]}}) {
    auto fields = Fields::get(*node, what);
    if (failed(fields))
      return failure();
    auto height = fields->getInt("height", 1, most),
         width = fields->getInt("width", 1, most);
    if (failed(height) || failed(width) || failed(fields->finish()))
      return failure();
    size[0] = static_cast<double>(*height);
    size[1] = static_cast<double>(*width);
  }
  fit.height = sizes[0][0];
  fit.width = sizes[0][1];
  fit.scaleY = sizes[1][0] / fit.height;
  fit.scaleX = sizes[1][1] / fit.width;
  if (*isBoxed) {
    fit.scaleX = fit.scaleY = std::min(fit.scaleX, fit.scaleY);
    // As the stage letterbox places the picture.
    auto getBar = [&](double room, double side) {
      return std::floor((room - std::nearbyint(side * fit.scaleX)) / 2);
    };
    fit.top = getBar(sizes[1][0], fit.height);
    fit.left = getBar(sizes[1][1], fit.width);
  }
  return fit;
}

/// Corners in pixels of the frame, within it.
static Value mapBack(Stage &stage, Value corners, const Fit &fit) {
  if (fit.width == 0)
    return corners;
  Type element = getElementTypeOrSelf(corners.getType());
  auto each = [&](double x, double y) {
    return stage.floats({x, y, x, y}, {4}, element);
  };
  Value result = stage.make<SubOp>(corners, each(fit.left, fit.top));
  result = stage.make<DivOp>(result, each(fit.scaleX, fit.scaleY));
  result = stage.make<MaxOp>(result, each(0, 0));
  return stage.make<MinOp>(result, each(fit.width, fit.height));
}

/// `yolo: {version, score, iou, max, frame, input, letterbox}`: boxes of the
/// best that overlap (corners x1, y1, x2, y2), their scores, classes and
/// number.
static FailureOr<Values> detectYolo(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> output = takeOne(stage, values);
  auto score = stage.fields.getNumber("score", 0.25),
       iou = stage.fields.getNumber("iou", 0.45);
  auto count = stage.fields.getInt("max", 1, 1 << 20, 300);
  FailureOr<Fit> fit = readFit(stage);
  if (failed(output) || failed(score) || failed(iou) || failed(count) ||
      failed(fit))
    return failure();
  if (!(*score >= 0 && *score <= 1 && *iou >= 0 && *iou <= 1))
    return stage.fail() << "score and iou have to be between 0 and 1";
  auto found = readYolo(stage, *output);
  if (failed(found))
    return failure();
  auto taken = NonMaxSuppressionOp::create(
      stage.b, stage.loc, found->corners, found->scores, found->classes, *count,
      APFloat(static_cast<float>(*iou)), APFloat(static_cast<float>(*score)));
  Value places = taken.getIndices();
  Value isNone = stage.make<LessOp>(places, stage.number(0, places));
  auto pick = [&](Value from) {
    Value picked = stage.make<GatherOp>(
        from, stage.make<MaxOp>(places, stage.number(0, places)), 0);
    Value none = isNone;
    if (getShape(picked).size() == 2)
      none = makeReshape(stage.b, stage.loc, none, {*count, 1});
    return stage.make<SelectOp>(none, stage.number(0, picked), picked);
  };
  Value corners = mapBack(stage, found->corners, *fit);
  return Values{pick(corners), pick(found->scores), pick(found->classes),
                taken.getCount()};
}

void brisk::processing::addAnswerStages(StageTable &post) {
  post.on("softmax", softmax);
  post.on("sigmoid", sigmoid);
  post.on("argmax", argmax);
  post.on("top_k", topK);
  post.on("dequantize", dequantize);
  post.on("ctc", decodeCtc);
  post.on("yolo", detectYolo);
}
