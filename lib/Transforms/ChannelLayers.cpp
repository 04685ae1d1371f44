//===- ChannelLayers.cpp - Layers that channels lead through --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Transforms/ChannelLayers.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;

static bool hasConstantWeights(Operation *op) {
  if (!isa<WeightedOpInterface>(op) ||
      !isFoldable(op->getResult(0).getType()) || getConstant(op->getOperand(0)))
    return false;
  ElementsAttr weights = getConstant(op->getOperand(1));
  if (!weights || !isFoldable(weights.getType()) ||
      weights.getNumElements() == 0)
    return false;
  // What repeats one element may be larger than memory, and is not written out.
  constexpr int64_t most = 1 << 24;
  return weights.getNumElements() <= most || !getSplatElement(weights);
}

bool brisk::mixesChannels(Operation *op) {
  return hasConstantWeights(op) &&
         cast<WeightedOpInterface>(op).countGroups() == 1;
}

bool brisk::isDepthwise(Operation *op) {
  if (!hasConstantWeights(op))
    return false;
  int64_t groups = cast<WeightedOpInterface>(op).countGroups();
  return groups > 1 && groups == getShape(op->getOperand(0)).back() &&
         groups == getShape(op->getOperand(1)).back();
}

bool brisk::hasConstantBias(Operation *op) {
  return op->getNumOperands() < 3 || getConstant(op->getOperand(2));
}

bool brisk::takesScales(Operation *op) {
  return hasConstantWeights(op) && hasConstantBias(op) &&
         getElementTypeOrSelf(op->getResult(0)).isF32() &&
         cast<WeightedOpInterface>(op).countGroups() > 0;
}
