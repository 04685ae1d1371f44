//===- ReductionOps.cpp - Reductions along axes ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/ReductionOps.cpp.inc"

/// The axes reduced, ascending; nullopt while they are unknown.
template <typename Op>
static FailureOr<std::optional<SmallVector<int64_t>>>
findAxes(Op op, OptionalLoc loc) {
  RankedTensorType input = ranked(op.getInput());
  if (!input)
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> given = SmallVector<int64_t>();
  if (Value axes = op.getAxes()) {
    given = getConstantInts(axes);
    // The type may say that there are none.
    RankedTensorType type = ranked(axes);
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

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  Type element = elementOf(op.getInput());
  if (element.isInteger(1) && op.getKind() != ReduceKind::Max &&
      op.getKind() != ReduceKind::Min)
    return emitOptionalError(loc, "booleans have no ",
                             stringifyReduceKind(op.getKind()),
                             "; cast them to a number first");
  RankedTensorType input = ranked(op.getInput());
  FailureOr<std::optional<SmallVector<int64_t>>> axes = findAxes(op, loc);
  if (failed(axes))
    return failure();
  SmallVector<int64_t> shape;
  if (!input)
    return giveUnranked(results, element);
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
      RankedTensorType type = ranked(op.getAxes());
      if (!type || !type.hasStaticShape() || type.getNumElements() > rank)
        return giveUnranked(results, element);
      rank -= type.getNumElements();
    }
    shape.assign(rank, dynamic);
  }
  return give(loc, results, shape, element);
}

std::optional<DimSpace> ReduceOp::getDimSpace() {
  auto axes = getReducedAxes();
  if (!axes)
    return std::nullopt;
  return getReducedSpace(*this, *axes, getKeepdims());
}

SmallVector<int64_t> ReduceOp::getKeptDims(unsigned number) {
  SmallVector<int64_t> axes = *getReducedAxes(), kept;
  if (number != 0)
    return {};
  int64_t next = 0;
  for (int64_t dim = 0, rank = getShape(getInput()).size(); dim < rank; ++dim) {
    bool isReduced = llvm::is_contained(axes, dim);
    kept.push_back(isReduced ? -1 : next);
    next += !isReduced || getKeepdims();
  }
  return kept;
}

Value ReduceOp::permute(OpBuilder &b, RankedTensorType type,
                        ValueRange operands, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> axes = *getReducedAxes();
  for (int64_t &axis : axes)
    axis = findDim(permutation, axis);
  llvm::sort(axes);
  return ReduceOp::create(b, getLoc(), type, operands[0],
                          makeInts(b, getLoc(), axes), getKind(), getKeepdims(),
                          /*noop_with_empty_axes=*/true);
}

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context,
                                            OptionalLoc loc, Adaptor op,
                                            Types &results) {
  Type element = IntegerType::get(context, 64);
  RankedTensorType input = ranked(op.getInput());
  if (!input)
    return giveUnranked(results, element);
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
  return give(loc, results, shape, element);
}

std::optional<DimSpace> ArgReduceOp::getDimSpace() {
  return getReducedSpace(*this, getNormalizedAxis(), getKeepdims());
}

std::optional<int64_t> CumsumOp::getNormalizedAxis() {
  RankedTensorType input = ranked(getInput());
  auto axis = getConstantInts(getAxis());
  if (!input || !axis || axis->size() != 1)
    return std::nullopt;
  FailureOr<int64_t> normalized =
      normalizeAxis(std::nullopt, axis->front(), input.getRank());
  return succeeded(normalized) ? std::optional(*normalized) : std::nullopt;
}

LogicalResult CumsumOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  results.push_back(op.getInput().getType());
  RankedTensorType input = ranked(op.getInput());
  auto axis = getConstantInts(op.getAxis());
  if (!axis)
    return success();
  if (axis->size() != 1)
    return emitOptionalError(loc, "axis has ", axis->size(),
                             " elements, expected one");
  if (input && failed(normalizeAxis(loc, axis->front(), input.getRank())))
    return failure();
  return success();
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor op, Types &results) {
  results.push_back(op.getInput().getType());
  RankedTensorType input = ranked(op.getInput());
  if (input && failed(normalizeAxis(loc, op.getAxis(), input.getRank())))
    return failure();
  return success();
}
