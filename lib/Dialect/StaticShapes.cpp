//===- StaticShapes.cpp - What passes after shapes rest on ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

static LogicalResult check(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped)
      continue;
    if (!shaped.hasStaticShape())
      return op->emitError("has a value of type ")
             << type << ", expected static shapes; run --brisk-shapes first";
    if (!isa<VectorType>(type) && !shaped.getElementType().isIntOrFloat())
      return op->emitError("has a value of type ")
             << type << ", expected elements that are numbers or booleans";
    if (!brisk::isAddressable(shaped.getShape()))
      return op->emitError("has a value of type ")
             << type << ", which is larger than any memory";
  }
  return success();
}

LogicalResult brisk::checkStaticShapes(Operation *root) {
  WalkResult walk = root->walk([](Operation *op) {
    if (failed(check(op, op->getResultTypes())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(check(op, block.getArgumentTypes())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
