//===- TensorStages.cpp - Stages of any tensors ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

/// `normalize: {scale: S, mean: M, std: D}`: (x / S - M) / D in f32, M and D
/// one number, or one for each place of the last dimension.
static FailureOr<Values> normalize(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeOne(stage, values);
  FailureOr<double> scale = stage.fields.getNumber("scale", 1);
  std::vector<double> mean{0}, deviation{1};
  for (auto [key, numbers] :
       {std::pair("mean", &mean), std::pair("std", &deviation)}) {
    if (!stage.fields.find(key))
      continue;
    auto given = stage.fields.getNumbers(key);
    if (failed(given))
      return failure();
    *numbers = std::move(*given);
  }
  if (failed(input) || failed(scale))
    return failure();
  ArrayRef<int64_t> shape = getShape(*input);
  int64_t channels = shape.empty() ? 1 : shape.back();
  for (const std::vector<double> *numbers : {&mean, &deviation})
    if (numbers->size() != 1 &&
        static_cast<int64_t>(numbers->size()) != channels)
      return stage.fail() << "mean and std have " << numbers->size()
                          << " numbers, expected 1 or " << channels
                          << ", one for each channel";
  if (*scale == 0 || llvm::is_contained(deviation, 0.0))
    return stage.fail() << "scale and std must not be 0";
  Type f32 = stage.b.getF32Type();
  auto constant = [&](ArrayRef<double> numbers) {
    SmallVector<int64_t> one;
    if (numbers.size() != 1)
      one.push_back(channels);
    return stage.floats(numbers, one, f32);
  };
  Value result = stage.cast(*input, f32);
  if (*scale != 1)
    result = stage.make<DivOp>(result, constant(*scale));
  if (!llvm::all_of(mean, [](double number) { return number == 0; }))
    result = stage.make<SubOp>(result, constant(mean));
  if (!llvm::all_of(deviation, [](double number) { return number == 1; }))
    result = stage.make<DivOp>(result, constant(deviation));
  return Values{result};
}

/// `layout: {order: nchw}` or `nhwc`: pictures of height x width x channels as
/// a batch of one, in the order of dimensions that the model takes.
static FailureOr<Values> layout(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeOne(stage, values);
  auto order = stage.fields.getChoice("order", {"nchw", "nhwc"});
  if (failed(input) || failed(order))
    return failure();
  ArrayRef<int64_t> shape = getShape(*input);
  if (shape.size() != 3)
    return stage.fail() << "the picture has " << shape.size()
                        << " dimensions, expected height, width and channels";
  SmallVector<int64_t> batch{1};
  llvm::append_range(batch, shape);
  Value picture = makeReshape(stage.b, stage.loc, *input, batch);
  if (*order == 0)
    picture = makeTranspose(stage.b, stage.loc, picture, {0, 3, 1, 2});
  return Values{picture};
}

/// `reshape: {shape: [1, 49, 10]}`
static FailureOr<Values> reshape(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeOne(stage, values);
  auto numbers = stage.fields.getNumbers("shape");
  if (failed(input) || failed(numbers))
    return failure();
  SmallVector<int64_t> shape;
  double elements = 1;
  for (double number : *numbers) {
    if (number < 1 || number != std::floor(number) || number > 1e9)
      return stage.fail() << "shape has the entry " << number
                          << ", expected whole numbers of at least 1";
    shape.push_back(static_cast<int64_t>(number));
    elements *= number;
  }
  auto type = cast<RankedTensorType>(input->getType());
  if (elements != static_cast<double>(type.getNumElements()))
    return stage.fail() << "the tensor is " << type << ", and shape has "
                        << elements << " elements";
  return Values{makeReshape(stage.b, stage.loc, *input, shape)};
}

/// `quantize: {type, scale, zero_point}`: floats as the integers that a model
/// of integers takes.
static FailureOr<Values> quantize(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeOne(stage, values);
  auto type = stage.fields.getChoice("type", {"uint8", "int8"});
  auto scale = stage.fields.getNumber("scale");
  if (failed(input) || failed(type) || failed(scale))
    return failure();
  auto zero =
      stage.fields.getInt("zero_point", *type ? -128 : 0, *type ? 127 : 255, 0);
  if (failed(zero))
    return failure();
  if (!getElementTypeOrSelf(input->getType()).isF32())
    return stage.fail() << "the tensor is " << input->getType()
                        << ", expected f32";
  if (!(*scale > 0))
    return stage.fail() << "scale has to be larger than 0";
  Builder &b = stage.b;
  Type to = *type ? Type(b.getI8Type())
                  : IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  auto scalar = RankedTensorType::get({}, to);
  APInt point(8, static_cast<uint64_t>(*zero), /*isSigned=*/*type == 1,
              /*implicitTrunc=*/true);
  Value zeroPoint =
      stage.make<ConstantOp>(DenseElementsAttr::get(scalar, point));
  return Values{stage.make<QuantizeOp>(*input, stage.number(*scale, *input),
                                       zeroPoint, TypeAttr::get(to),
                                       TypeAttr())};
}

void brisk::processing::addTensorStages(StageTable &pre, StageTable &post) {
  pre.on("normalize", normalize);
  pre.on("layout", layout);
  pre.on("quantize", quantize);
  for (StageTable *table : {&pre, &post})
    table->on("reshape", reshape);
}
