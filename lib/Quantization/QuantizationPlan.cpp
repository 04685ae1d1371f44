//===- QuantizationPlan.cpp - What of a model can be quantized ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizationPlan.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/NodeLocation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

SmallVector<OpOperand *> brisk::getChosen(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  SmallVector<OpOperand *> result;
  if (!compute || !compute.choosesElements() || op->getNumResults() != 1)
    return result;
  for (OpOperand &operand : op->getOpOperands())
    if (!compute.isParameter(operand.getOperandNumber()))
      result.push_back(&operand);
  // A constant would need the scale of the others.
  bool hasConstant = llvm::any_of(
      result, [](OpOperand *operand) { return getConstant(operand->get()); });
  return hasConstant ? SmallVector<OpOperand *>() : result;
}

static void findSources(Value value, llvm::SetVector<Value> &sources) {
  SmallVector<OpOperand *> chosen = getChosen(value.getDefiningOp());
  for (OpOperand *operand : chosen)
    findSources(operand->get(), sources);
  if (chosen.empty())
    sources.insert(value);
}

std::string brisk::getLayerName(Operation *op) {
  if (NameLoc node = findNode(op->getLoc()))
    return node.getName().str();
  return op->getName().stripDialect().str();
}

bool brisk::isFinite(ElementsAttr weights) {
  ElementBytes bytes(weights);
  return llvm::all_of(bytes.as<float>(),
                      [](float weight) { return std::isfinite(weight); });
}

/// Why a layer has to stay as it is; empty where it need not.
static StringRef whyNot(Operation *op, func::FuncOp function) {
  if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return "it is not of f32";
  if (op->getBlock() != &function.getBody().front())
    return "it stands in a branch";
  ElementsAttr weights = getConstant(op->getOperand(1));
  if (!weights)
    return "its weights are no constant";
  if (weights.getNumElements() == 0 || !isFinite(weights))
    return "its weights are not finite";
  if (auto conv = dyn_cast<ConvOp>(op)) {
    if (llvm::any_of(conv.getResolvedPads(), [](int64_t p) { return p < 0; }))
      return "its padding is negative";
    return "";
  }
  if (!isa<MatmulOp>(op))
    return "there are no integer kernels for it";
  return getShape(op->getOperand(1)).size() == 2 &&
                 getShape(op->getOperand(0)).size() >= 2
             ? ""
             : "its weights are no matrix";
}

static uint64_t countMultiplyAdds(Operation *op) {
  return cast<ComputeOpInterface>(op).countFlops() / 2;
}

/// The op that adds a bias to a matrix product; null if there is none.
static AddOp findBias(Operation *op) {
  if (!isa<MatmulOp>(op) || !op->hasOneUse())
    return nullptr;
  auto add = dyn_cast<AddOp>(*op->user_begin());
  if (!add || add.getType() != op->getResult(0).getType())
    return nullptr;
  Value other = add->getOperand(add->getOperand(0) == op->getResult(0));
  ArrayRef<int64_t> shape = getShape(other);
  bool isBias = getConstant(other) && shape.size() == 1 &&
                shape.front() == getShape(add).back();
  return isBias ? add : nullptr;
}

LayerInput PlannedLayer::getInput() const {
  LayerInput input;
  ArrayRef<int64_t> shape = getShape(op->getOperand(0));
  input.channels = shape.back();
  if (auto conv = dyn_cast<ConvOp>(op)) {
    input.window = *conv.getWindow();
    input.batch = shape.front();
    input.groups = static_cast<int64_t>(conv.getGroup());
    return input;
  }
  // Each row of a matrix is a pixel of its own.
  int64_t rows = ShapedType::getNumElements(shape.drop_back());
  input.window = {{rows}, {1}, {1}, {1}, {0}, {0}, {rows}};
  return input;
}

QuantizationPlan QuantizationPlan::create(func::FuncOp function) {
  QuantizationPlan plan;
  llvm::SetVector<Value> values;
  llvm::EquivalenceClasses<unsigned> alike;
  function.walk([&](Operation *op) {
    if (!isa<WeightedOpInterface>(op))
      return;
    StringRef reason = whyNot(op, function);
    llvm::SetVector<Value> sources;
    if (reason.empty()) {
      findSources(op->getOperand(0), sources);
      for (Value source : sources)
        if (getConstant(source))
          reason = "its input is a constant";
    }
    if (!reason.empty()) {
      plan.unplanned.push_back(
          {getLayerName(op), countMultiplyAdds(op), reason.str()});
      return;
    }
    PlannedLayer layer{
        op, findBias(op), getLayerName(op), countMultiplyAdds(op), {}};
    for (Value source : sources) {
      values.insert(source);
      layer.sources.push_back(llvm::find(values, source) - values.begin());
      alike.unionSets(layer.sources.front(), layer.sources.back());
    }
    plan.layers.push_back(std::move(layer));
  });
  llvm::DenseMap<unsigned, unsigned> groups;
  for (auto [i, value] : llvm::enumerate(values)) {
    auto [group, isNew] =
        groups.try_emplace(alike.getOrInsertLeaderValue(i), plan.groups);
    plan.groups += isNew;
    plan.values.push_back({value, group->second});
  }
  return plan;
}
