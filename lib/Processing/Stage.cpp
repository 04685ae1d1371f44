//===- Stage.cpp - How stages become ops ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

Value Stage::floats(ArrayRef<double> values, ArrayRef<int64_t> shape,
                    Type element) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> elements;
  for (double value : values)
    elements.push_back(FloatAttr::get(element, value));
  return make<ConstantOp>(DenseElementsAttr::get(type, elements));
}

Value Stage::number(double value, Value like) {
  Type element = getElementTypeOrSelf(like.getType());
  if (isa<FloatType>(element))
    return floats(value, {}, element);
  auto type = RankedTensorType::get({}, element);
  return make<ConstantOp>(DenseElementsAttr::get(
      type, b.getIntegerAttr(element, static_cast<int64_t>(value))));
}

Value Stage::ints(ArrayRef<int64_t> values) { return makeInts(b, loc, values); }

Value Stage::cast(Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  return make<CastOp>(value, element);
}

Value Stage::addInput(RankedTensorType type) {
  StringAttr name = b.getStringAttr(inputName);
  auto attributes =
      b.getDictionaryAttr(b.getNamedAttr(BriskDialect::nameAttrName, name));
  (void)function.insertArgument(input, type, attributes, loc);
  return function.getArgument(input);
}

std::string StageTable::list() const {
  return llvm::join(llvm::make_first_range(rows), ", ");
}

const StageTable &StageTable::get(Phase phase) {
  struct Tables {
    StageTable pre, post;
    Tables() {
      addFrameStages(pre);
      addSoundStages(pre);
      addTensorStages(pre, post);
      addAnswerStages(post);
    }
  };
  static const Tables tables;
  return phase == Phase::Pre ? tables.pre : tables.post;
}

FailureOr<Value> brisk::processing::takeOne(Stage &stage,
                                            ArrayRef<Value> values) {
  if (values.size() == 1)
    return values.front();
  if (values.empty())
    return stage.fail() << "this stage cannot be the first; a path begins with "
                           "one that reads, as frame or sound";
  return stage.fail() << "this stage takes one tensor, and was given "
                      << values.size();
}
