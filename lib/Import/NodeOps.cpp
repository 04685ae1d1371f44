//===- NodeOps.cpp - Ops that many handlers make --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

Value Node::add(Value a, Value b) { return make<AddOp>(a, b); }
Value Node::sub(Value a, Value b) { return make<SubOp>(a, b); }
Value Node::mul(Value a, Value b) { return make<MulOp>(a, b); }
Value Node::div(Value a, Value b) { return make<DivOp>(a, b); }
Value Node::min(Value a, Value b) { return make<MinOp>(a, b); }
Value Node::max(Value a, Value b) { return make<MaxOp>(a, b); }

Value Node::cast(Value value, Type elementType) {
  if (getElementType(value) == elementType)
    return value;
  return make<CastOp>(value, TypeAttr::get(elementType));
}

Value Node::select(Value condition, Value a, Value b) {
  return make<SelectOp>(condition, a, b);
}

Value Node::reshape(Value value, ArrayRef<int64_t> shape) {
  return make<ReshapeOp>(value, ints(shape));
}

Value Node::reshapeLike(Value value, Value like) {
  return make<ReshapeOp>(value, shapeOf(like));
}

Value Node::unsqueeze(Value value, ArrayRef<int64_t> axes) {
  return axes.empty() ? value : make<UnsqueezeOp>(value, ints(axes));
}

Value Node::transpose(Value value, ArrayRef<int64_t> permutation) {
  return make<TransposeOp>(value, permutation);
}

Value Node::shapeOf(Value value, int64_t start, std::optional<int64_t> end) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.hasStaticShape() && start == 0 && !end)
    return ints(type.getShape());
  return make<ShapeOp>(value, builder.getI64IntegerAttr(start),
                       end ? builder.getI64IntegerAttr(*end) : IntegerAttr());
}

Value Node::dimOf(Value value, int64_t dim) {
  if (int64_t size = getDim(value, dim); !ShapedType::isDynamic(size))
    return intScalar(size);
  return make<SqueezeOp>(shapeOf(value, dim, dim + 1), ints({0}));
}

Value Node::concat(ValueRange values, int64_t axis) {
  if (values.size() == 1)
    return values[0];
  return make<ConcatOp>(values, builder.getI64IntegerAttr(axis));
}

Value Node::reduce(ReduceKind kind, Value value, ArrayRef<int64_t> axes,
                   bool keepdims) {
  return make<ReduceOp>(value, ints(axes), kind, keepdims,
                        /*noop_with_empty_axes=*/true);
}

Value Node::widen(Value value) {
  Type element = getElementType(value);
  return element.isF16() || element.isBF16() ? cast(value, builder.getF32Type())
                                             : value;
}

Value Node::toChannelsLast(Value value, int64_t rank) {
  SmallVector<int64_t> permutation = getAxes(2, rank);
  permutation.insert(permutation.begin(), 0);
  permutation.push_back(1);
  return transpose(value, permutation);
}

Value Node::toChannelsLast(Value value) {
  return toChannelsLast(value, getRank(value));
}

Value Node::toChannelsFirst(Value value) {
  int64_t rank = getRank(value);
  SmallVector<int64_t> permutation{0, rank - 1};
  permutation.append(getAxes(1, rank - 1));
  return transpose(value, permutation);
}

void Node::checkShape(Value value, StringRef name, ArrayRef<int64_t> expected) {
  auto type = RankedTensorType::get(expected, getElementType(value));
  if (failed(verifyCompatibleShape(type, value.getType())))
    error() << name << " has type " << value.getType() << ", expected " << type;
}

void Node::checkElementType(Value value, StringRef name, Value like) {
  Type have = getElementType(value), expected = getElementType(like);
  if (have != expected)
    error() << name << " has elements of type " << have << ", expected "
            << expected;
}

Value Node::keepShape(Value value, StringRef name, Value like) {
  if (failed(verifyCompatibleShape(value.getType(), like.getType())))
    error() << name << " does not broadcast to the shape of " << like.getType();
  return value;
}

void Node::checkVector(Value vector, int64_t axis, Value like) {
  checkShape(vector, "a parameter", {getDim(like, axis)});
}

Value Node::alongAxis(Value vector, int64_t axis, Value like) {
  checkVector(vector, axis, like);
  int64_t rank = needRank(like);
  return unsqueeze(vector, getAxes(1, rank - axis));
}
