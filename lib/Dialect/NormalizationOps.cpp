//===- NormalizationOps.cpp - Normalizations --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/NormalizationOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/NormalizationOps.cpp.inc"

static int64_t fromFront(int64_t axis, Value input) {
  return axis < 0 ? axis + cast<RankedTensorType>(input.getType()).getRank()
                  : axis;
}

int64_t LayerNormOp::getNormalizedAxis() {
  return fromFront(getAxis(), getInput());
}

int64_t RmsNormOp::getNormalizedAxis() {
  return fromFront(getAxis(), getInput());
}

/// The result has the input's type; a parameter has its element type and
/// broadcasts to it.
static LogicalResult inferNorm(std::optional<Location> loc, Value input,
                               int64_t axis,
                               ArrayRef<std::pair<StringRef, Value>> parameters,
                               SmallVectorImpl<Type> &results) {
  results.push_back(input.getType());
  Type element = getElementTypeOrSelf(input);
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (type && failed(normalizeAxis(loc, axis, type.getRank())))
    return failure();
  for (auto [name, value] : parameters) {
    if (!value)
      continue;
    if (getElementTypeOrSelf(value) != element)
      return emitOptionalError(loc, name, " has elements of type ",
                               getElementTypeOrSelf(value),
                               " and input of type ", element);
    if (!type || !isa<RankedTensorType>(value.getType()))
      continue;
    FailureOr<Type> both =
        inferBroadcast(loc, {type, value.getType()}, element);
    if (failed(both))
      return failure();
    if (!areCompatible({*both}, {type}))
      return emitOptionalError(loc, name, " of type ", value.getType(),
                               " does not broadcast to ", type);
  }
  return success();
}

LogicalResult
LayerNormOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange,
                              SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  return inferNorm(loc, op.getInput(), op.getAxis(),
                   {{"scale", op.getScale()}, {"bias", op.getBias()}}, results);
}

LogicalResult
RmsNormOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange,
                            SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  return inferNorm(loc, op.getInput(), op.getAxis(), {{"scale", op.getScale()}},
                   results);
}

LogicalResult LrnOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      ValueRange operands, DictionaryAttr,
                                      OpaqueProperties, RegionRange,
                                      SmallVectorImpl<Type> &results) {
  return inferNorm(loc, operands[0], /*axis=*/-1, {}, results);
}
