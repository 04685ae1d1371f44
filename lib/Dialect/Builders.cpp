//===- Builders.cpp - Making the ops that passes make ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

ArrayRef<int64_t> brisk::getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

ElementsAttr brisk::getConstant(Value value) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  return constant ? constant.getValue() : ElementsAttr();
}

Value brisk::makeInts(OpBuilder &b, Location loc, ArrayRef<int64_t> values) {
  auto type = makeTensor(values.size(), b.getI64Type());
  return ConstantOp::create(b, loc, makeElements(type, values));
}

ElementsAttr brisk::reshapeElements(ElementsAttr attr,
                                    ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(attr.getShapedType());
  return reshapeElements(attr, type.clone(shape));
}

Value brisk::makeReshape(OpBuilder &b, Location loc, Value value,
                         ArrayRef<int64_t> shape) {
  RankedTensorType type =
      makeTensor(shape, getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  if (ElementsAttr constant = getConstant(value))
    return ConstantOp::create(b, loc, reshapeElements(constant, type));
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    return makeReshape(b, loc, reshape.getInput(), shape);
  bool isEmpty = llvm::is_contained(shape, 0);
  return ReshapeOp::create(b, loc, type, value, makeInts(b, loc, shape),
                           /*allowzero=*/isEmpty);
}

Value brisk::makeTranspose(OpBuilder &b, Location loc, Value value,
                           ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return value;
  if (ElementsAttr constant = getConstant(value))
    return ConstantOp::create(b, loc, transposeElements(constant, permutation));
  auto type = cast<RankedTensorType>(value.getType());
  return TransposeOp::create(
      b, loc, type.clone(applyPermutation(type.getShape(), permutation)), value,
      permutation);
}

Value brisk::makeSpatialPad(OpBuilder &b, Location loc, Value input,
                            ArrayRef<int64_t> pads, Value value) {
  auto type = cast<RankedTensorType>(input.getType());
  size_t spatial = pads.size() / 2;
  SmallVector<int64_t> shape(type.getShape()), all(2 * type.getRank(), 0);
  for (size_t i = 0; i < spatial; ++i) {
    shape[1 + i] += pads[i] + pads[spatial + i];
    all[1 + i] = pads[i];
    all[type.getRank() + 1 + i] = pads[spatial + i];
  }
  return PadOp::create(b, loc, type.clone(shape), input, makeInts(b, loc, all),
                       value, Value(), PadMode::Constant);
}
