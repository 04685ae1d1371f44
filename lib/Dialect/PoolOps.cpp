//===- PoolOps.cpp - Pooling over sliding windows -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/PoolOps.cpp.inc"

template <typename Op>
static FailureOr<Window> poolWindow(Op op, OptionalLoc loc) {
  RankedTensorType input = ranked(op.getInput());
  if (!input)
    return failure();
  if (input.getRank() < 3)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected N x spatial x C");
  return resolveWindow(loc, input.getShape().drop_front().drop_back(),
                       op.getKernelShape(), op.getStrides(), op.getPads(),
                       op.getDilations(), op.getAutoPad(), op.getCeilMode());
}

template <typename Adaptor>
static LogicalResult inferPool(Adaptor op, OptionalLoc loc, Type indices,
                               Types &results) {
  Type element = elementOf(op.getInput());
  SmallVector<Type> elements{element};
  if (indices)
    elements.push_back(indices);
  RankedTensorType input = ranked(op.getInput());
  if (!input) {
    for (Type type : elements)
      results.push_back(UnrankedTensorType::get(type));
    return success();
  }
  FailureOr<Window> window = poolWindow(op, loc);
  if (failed(window))
    return failure();
  SmallVector<int64_t> shape{input.getDimSize(0)};
  shape.append(window->output);
  shape.push_back(input.getShape().back());
  for (Type type : elements)
    if (failed(give(loc, results, shape, type)))
      return failure();
  return success();
}

#define POOL_OP(OP, INDICES)                                                   \
  FailureOr<Window> OP::getWindow() {                                          \
    return poolWindow(*this, std::nullopt);                                    \
  }                                                                            \
  void OP::addSpatialDim() {                                                   \
    prependWindowDim(*this);                                                   \
    setKernelShape(prependDim(getKernelShape(), 1));                           \
  }                                                                            \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, OptionalLoc loc,    \
                                     Adaptor op, Types &results) {             \
    return inferPool(op, loc, INDICES, results);                               \
  }

POOL_OP(MaxPoolOp, Type())
POOL_OP(AveragePoolOp, Type())
POOL_OP(LpPoolOp, Type())
POOL_OP(MaxPoolWithIndicesOp, IntegerType::get(context, 64))
