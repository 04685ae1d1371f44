//===- ReductionOps.cpp - Reductions along axes --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ReductionOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/ReductionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

/// The axes reduced, ascending; nullopt while they are unknown.
template <typename Op>
static FailureOr<std::optional<SmallVector<int64_t>>>
findAxes(Op op, std::optional<Location> loc) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input)
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> given = SmallVector<int64_t>();
  if (Value axes = op.getAxes()) {
    given = getConstantInts(axes);
    // The type may say that there are none.
    auto type = dyn_cast<RankedTensorType>(axes.getType());
    if (!given && type && type.hasStaticShape() && type.getNumElements() == 0)
      given = SmallVector<int64_t>();
  }
  if (!given)
    return given;
  if (given->empty() && !op.getNoopWithEmptyAxes())
    return std::optional(
        llvm::to_vector(llvm::seq<int64_t>(0, input.getRank())));
  FailureOr<SmallVector<int64_t>> axes =
      normalizeAxes(loc, *given, input.getRank());
  if (failed(axes))
    return failure();
  llvm::sort(*axes);
  return std::optional(std::move(*axes));
}

std::optional<SmallVector<int64_t>> ReduceOp::getReducedAxes() {
  auto axes = findAxes(*this, std::nullopt);
  return succeeded(axes) ? *axes : std::nullopt;
}

LogicalResult
ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange,
                           SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = getElementTypeOrSelf(op.getInput());
  if (element.isInteger(1) && op.getKind() != ReduceKind::Max &&
      op.getKind() != ReduceKind::Min)
    return emitOptionalError(loc, "booleans have no ",
                             stringifyReduceKind(op.getKind()),
                             "; cast them to a number first");
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  FailureOr<std::optional<SmallVector<int64_t>>> axes = findAxes(op, loc);
  if (failed(axes))
    return failure();
  SmallVector<int64_t> shape;
  if (!input) {
    results.push_back(UnrankedTensorType::get(element));
    return success();
  }
  if (*axes) {
    for (auto [i, dim] : llvm::enumerate(input.getShape())) {
      if (!llvm::is_contained(**axes, static_cast<int64_t>(i)))
        shape.push_back(dim);
      else if (op.getKeepdims())
        shape.push_back(1);
    }
  } else {
    // The number of axes may be known where the axes are not.
    int64_t rank = input.getRank();
    if (!op.getKeepdims()) {
      auto type = dyn_cast<RankedTensorType>(op.getAxes().getType());
      if (!type || !type.hasStaticShape() || type.getNumElements() > rank) {
        results.push_back(UnrankedTensorType::get(element));
        return success();
      }
      rank -= type.getNumElements();
    }
    shape.assign(rank, ShapedType::kDynamic);
  }
  results.push_back(makeTensor(shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// ArgReduceOp
//===----------------------------------------------------------------------===//

int64_t ArgReduceOp::getNormalizedAxis() {
  int64_t axis = getAxis();
  return axis < 0
             ? axis + cast<RankedTensorType>(getInput().getType()).getRank()
             : axis;
}

LogicalResult
ArgReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange,
                              SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = IntegerType::get(context, 64);
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input) {
    results.push_back(UnrankedTensorType::get(element));
    return success();
  }
  FailureOr<int64_t> axis = normalizeAxis(loc, op.getAxis(), input.getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  if (shape[*axis] == 0)
    return emitOptionalError(
        loc, "dimension ", *axis,
        " is empty and has no largest or smallest element");
  if (op.getKeepdims())
    shape[*axis] = 1;
  else
    shape.erase(shape.begin() + *axis);
  results.push_back(makeTensor(shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// CumsumOp and SoftmaxOp
//===----------------------------------------------------------------------===//

std::optional<int64_t> CumsumOp::getNormalizedAxis() {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  auto axis = getConstantInts(getAxis());
  if (!input || !axis || axis->size() != 1)
    return std::nullopt;
  FailureOr<int64_t> normalized =
      normalizeAxis(std::nullopt, axis->front(), input.getRank());
  return succeeded(normalized) ? std::optional(*normalized) : std::nullopt;
}

LogicalResult CumsumOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &results) {
  results.push_back(operands[0].getType());
  auto input = dyn_cast<RankedTensorType>(operands[0].getType());
  auto axis = getConstantInts(operands[1]);
  if (!axis)
    return success();
  if (axis->size() != 1)
    return emitOptionalError(loc, "axis has ", axis->size(),
                             " elements, expected one");
  if (input && failed(normalizeAxis(loc, axis->front(), input.getRank())))
    return failure();
  return success();
}

int64_t SoftmaxOp::getNormalizedAxis() {
  int64_t axis = getAxis();
  return axis < 0
             ? axis + cast<RankedTensorType>(getInput().getType()).getRank()
             : axis;
}

LogicalResult
SoftmaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange,
                            SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  results.push_back(op.getInput().getType());
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (input && failed(normalizeAxis(loc, op.getAxis(), input.getRank())))
    return failure();
  return success();
}
