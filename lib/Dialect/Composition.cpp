//===- Composition.cpp - What composite ops are made of -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace brisk;

Value Composer::number(double value, Value like) const {
  Type element = getElementTypeOrSelf(like);
  return make<ConstantOp>(DenseElementsAttr::get(
      makeTensor({}, element), Attribute(b.getFloatAttr(element, value))));
}

Value Composer::ints(ArrayRef<int64_t> values) const {
  return makeInts(b, loc, values);
}

Value Composer::integer(int64_t value) const {
  return make<ConstantOp>(
      DenseElementsAttr::get(makeTensor({}, b.getI64Type()), value));
}

Value Composer::cast(Value value, Type element) const {
  return getElementTypeOrSelf(value) == element ? value
                                                : make<CastOp>(value, element);
}

Value brisk::buildComposedElement(
    Operation *op, OpBuilder &b, Location loc, ValueRange operands,
    function_ref<Value(const Composer &, ValueRange)> compose) {
  // The parts on tensors of one element, each of which says what it builds.
  Block block;
  OpBuilder parts(b.getContext());
  parts.setInsertionPointToEnd(&block);
  IRMapping built;
  for (auto [tensor, operand] : llvm::zip_equal(op->getOperands(), operands))
    built.map(
        block.addArgument(makeTensor({}, getElementTypeOrSelf(tensor)), loc),
        operand);
  Value result = compose(Composer(parts, loc), block.getArguments());
  ElementBuilder e(b, loc);
  for (Operation &part : block) {
    Value value;
    if (auto constant = dyn_cast<ConstantOp>(part)) {
      Type type = ElementBuilder::withElement(
          operands.front().getType(), getElementTypeOrSelf(constant.getType()));
      value = e.constant(type, getAsDoubles(constant.getValue()).front());
    } else {
      SmallVector<Value> inputs = llvm::map_to_vector(
          part.getOperands(), [&](Value v) { return built.lookup(v); });
      value = cast<ElementwiseOpInterface>(part).buildElement(b, loc, inputs);
    }
    built.map(part.getResult(0), value);
  }
  return built.lookup(result);
}
