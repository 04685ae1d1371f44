//===- NormalizationOps.cpp - Normalizations ------------------------------===//
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
#include "brisk/Dialect/NormalizationOps.cpp.inc"

/// The result has the input's type; a parameter has its element type and
/// broadcasts to it.
static LogicalResult inferNorm(OptionalLoc loc, Value input, int64_t axis,
                               ArrayRef<std::pair<StringRef, Value>> parameters,
                               Types &results) {
  results.push_back(input.getType());
  Type element = elementOf(input);
  RankedTensorType type = ranked(input);
  if (type && failed(normalizeAxis(loc, axis, type.getRank())))
    return failure();
  for (auto [name, value] : parameters) {
    if (!value)
      continue;
    if (elementOf(value) != element)
      return emitOptionalError(loc, name, " has elements of type ",
                               elementOf(value), " and input of type ",
                               element);
    if (!type || !ranked(value))
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

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor op, Types &results) {
  return inferNorm(loc, op.getInput(), op.getAxis(),
                   {{"scale", op.getScale()}, {"bias", op.getBias()}}, results);
}

LogicalResult RmsNormOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor op, Types &results) {
  return inferNorm(loc, op.getInput(), op.getAxis(), {{"scale", op.getScale()}},
                   results);
}

LogicalResult LrnOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                      Adaptor op, Types &results) {
  return inferNorm(loc, op.getInput(), /*axis=*/-1, {}, results);
}
