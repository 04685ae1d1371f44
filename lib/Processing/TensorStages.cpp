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
  result = stage.make<DivOp>(result, constant(*scale));
  result = stage.make<SubOp>(result, constant(mean));
  return Values{stage.make<DivOp>(result, constant(deviation))};
}

/// `layout: {order: nchw}` or `nhwc`: pictures of height x width x channels as a batch
/// of one, in the order of dimensions that the model takes.
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

void brisk::processing::addTensorStages(StageTable &pre, StageTable &post) {
  pre.on("normalize", normalize);
  pre.on("layout", layout);
  (void)post;
}
