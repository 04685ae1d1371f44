//===- PoolOps.cpp - Pooling over sliding windows --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/PoolOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/PoolOps.cpp.inc"

template <typename Op>
static FailureOr<Window> poolWindow(Op op, std::optional<Location> loc) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
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
static LogicalResult inferPool(Adaptor op, std::optional<Location> loc,
                               Type indices, SmallVectorImpl<Type> &results) {
  Type element = getElementTypeOrSelf(op.getInput());
  SmallVector<Type> elements{element};
  if (indices)
    elements.push_back(indices);
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
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
    results.push_back(makeTensor(shape, type));
  return success();
}

#define POOL_OP(OP, INDICES)                                                   \
  FailureOr<Window> OP::getWindow() {                                          \
    return poolWindow(*this, std::nullopt);                                    \
  }                                                                            \
  SmallVector<int64_t> OP::getResolvedPads() {                                 \
    FailureOr<Window> window = getWindow();                                    \
    return failed(window) ? SmallVector<int64_t>() : window->getPads();        \
  }                                                                            \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> loc, ValueRange operands,  \
      DictionaryAttr attributes, OpaqueProperties properties, RegionRange,     \
      SmallVectorImpl<Type> &results) {                                        \
    return inferPool(Adaptor(operands, attributes, properties), loc, INDICES,  \
                     results);                                                 \
  }

POOL_OP(MaxPoolOp, Type())
POOL_OP(AveragePoolOp, Type())
POOL_OP(LpPoolOp, Type())
POOL_OP(MaxPoolWithIndicesOp, IntegerType::get(context, 64))
