//===- WeightScaling.cpp - Scales and offsets of weights ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace brisk;

bool brisk::isFoldable(Type type) {
  Type element = cast<ShapedType>(type).getElementType();
  return element.isF32() || element.isF64();
}

/// The operand that has the weights of a conv or a matrix product by a
/// constant; null for other ops.
static OpOperand *getWeights(Operation *op) {
  if (!isa<WeightedOpInterface>(op))
    return nullptr;
  OpOperand &weights = op->getOpOperand(1);
  // A splat would have to be written out.
  constexpr int64_t maxSplat = 1 << 22;
  ElementsAttr constant = getConstant(weights.get());
  if (!constant || !isFoldable(constant.getType()) ||
      (getSplatElement(constant) && constant.getNumElements() > maxSplat))
    return nullptr;
  if (isa<MatmulOp>(op) && getShape(weights.get()).size() != 2)
    return nullptr;
  return &weights;
}

static double at(const PerChannel &values, int64_t channel) {
  return values.size() == 1 ? values.front() : values[channel];
}

std::optional<Factor> brisk::getFactor(Value constant,
                                       ArrayRef<int64_t> shape) {
  ElementsAttr attr = getConstant(constant);
  if (!attr || !isFoldable(constant.getType()))
    return std::nullopt;
  ArrayRef<int64_t> own = getShape(constant);
  if (attr.getNumElements() == 0 || own.size() > shape.size())
    return std::nullopt;
  if (ElementsAttr one = getSplatElement(attr))
    return Factor{getAsDoubles(one), {}};
  Factor factor;
  for (auto [i, size] : llvm::enumerate(own)) {
    if (size == 1)
      continue;
    if (factor.dim)
      return std::nullopt;
    factor.dim = shape.size() - own.size() + i;
  }
  factor.values = getAsDoubles(attr);
  return factor;
}

/// `attr` with element i replaced by `update(i, element)`, in order.
template <typename T>
static ElementsAttr mapElements(ElementsAttr attr,
                                function_ref<double(size_t, double)> update) {
  ElementBytes bytes(attr);
  return makeElements(cast<RankedTensorType>(attr.getShapedType()),
                      [&](MutableArrayRef<char> result) {
                        T *to = reinterpret_cast<T *>(result.data());
                        for (auto [i, value] : llvm::enumerate(bytes.as<T>()))
                          to[i] = static_cast<T>(update(i, value));
                      });
}

static ElementsAttr mapElements(ElementsAttr attr,
                                function_ref<double(size_t, double)> update) {
  return attr.getElementType().isF32() ? mapElements<float>(attr, update)
                                       : mapElements<double>(attr, update);
}

void brisk::updateConstant(OpOperand &operand, PatternRewriter &rewriter,
                           function_ref<double(size_t, double)> update) {
  Operation *op = operand.getOwner();
  rewriter.setInsertionPoint(op);
  Value value =
      ConstantOp::create(rewriter, operand.get().getLoc(),
                         mapElements(getConstant(operand.get()), update));
  rewriter.modifyOpInPlace(op, [&] { operand.set(value); });
}

/// The constant bias, if any; false if there is another one.
static bool getBias(Operation *op, PerChannel &values) {
  if (op->getNumOperands() < 3)
    return true;
  ElementsAttr bias = getConstant(op->getOperand(2));
  if (bias)
    values = getAsDoubles(bias);
  return bias != nullptr;
}

namespace {
/// Of the absolute values of each output channel's weights.
struct ChannelSizes {
  PerChannel largest, sums;
};
} // namespace

/// Row by row, since the weights are most of a model.
template <typename T>
static ChannelSizes measureChannels(Operation *op, ArrayRef<T> weights) {
  size_t channels = getShape(op->getResult(0)).back();
  size_t width = getShape(op->getOperand(1)).back();
  auto weighted = cast<WeightedOpInterface>(op);
  ChannelSizes sizes{PerChannel(channels, 0), PerChannel(channels, 0)};
  for (size_t begin = 0; begin < weights.size(); begin += width) {
    size_t first = weighted.getChannelOf(begin);
    double *largest = &sizes.largest[first], *sums = &sizes.sums[first];
    for (size_t i = 0; i != width; ++i) {
      double size = std::abs(weights[begin + i]);
      largest[i] = size > largest[i] ? size : largest[i];
      sums[i] += size;
    }
  }
  return sizes;
}

static ChannelSizes measureChannels(Operation *op, OpOperand &weights) {
  ElementBytes bytes(getConstant(weights.get()));
  if (getElementTypeOrSelf(weights.get()).isF32())
    return measureChannels(op, bytes.as<float>());
  return measureChannels(op, bytes.as<double>());
}

static double getLargest(const PerChannel &values) {
  double largest = 0;
  for (double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

bool brisk::isLargeOffset(Operation *op, const PerChannel &values) {
  OpOperand *weights = op ? getWeights(op) : nullptr;
  if (!weights)
    return true;
  // By whole tensors: channels that training has left without weights are no
  // reason.
  double sum = getLargest(measureChannels(op, *weights).sums);
  constexpr double limit = 1024;
  return sum != 0 && !(getLargest(values) <= limit * sum);
}

bool brisk::canScale(Operation *op, const PerChannel &values) {
  OpOperand *weights = op ? getWeights(op) : nullptr;
  PerChannel bias;
  if (!weights || !getBias(op, bias) ||
      (!bias.empty() && isLargeOffset(op, bias)))
    return false;
  double factor = getLargest(values);
  if (factor <= 1)
    return true;
  double largest = getLargest(bias) * factor;
  PerChannel sizes = measureChannels(op, *weights).largest;
  for (auto [channel, size] : llvm::enumerate(sizes))
    largest = std::max(largest, size * std::abs(at(values, channel)));
  // What overflows would meet zeros.
  return largest <= (getElementTypeOrSelf(weights->get()).isF32()
                         ? std::numeric_limits<float>::max()
                         : std::numeric_limits<double>::max());
}

void brisk::scale(Operation *op, const PerChannel &values,
                  PatternRewriter &rewriter) {
  auto weighted = cast<WeightedOpInterface>(op);
  OpOperand &weights = *getWeights(op);
  size_t width = getShape(weights.get()).back(), rowEnd = 0;
  int64_t channel = 0;
  updateConstant(weights, rewriter, [&](size_t i, double weight) {
    if (i == rowEnd) {
      channel = weighted.getChannelOf(i);
      rowEnd += width;
    }
    return weight * at(values, channel++);
  });
  if (op->getNumOperands() > 2)
    updateConstant(op->getOpOperand(2), rewriter,
                   [&](size_t i, double bias) { return bias * at(values, i); });
}

bool brisk::canOffset(Operation *op, const PerChannel &values) {
  PerChannel bias;
  auto weighted = dyn_cast_or_null<WeightedOpInterface>(op);
  return weighted && weighted.takesBias() && getBias(op, bias) &&
         !isLargeOffset(op, values) &&
         (bias.empty() || !isLargeOffset(op, bias));
}

void brisk::offset(Operation *op, const PerChannel &values,
                   PatternRewriter &rewriter) {
  auto add = [&](size_t i, double bias) { return bias + at(values, i); };
  if (op->getNumOperands() > 2)
    return updateConstant(op->getOpOperand(2), rewriter, add);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  RankedTensorType type = result.clone(result.getShape().back());
  rewriter.setInsertionPoint(op);
  auto zero = cast<ElementsAttr>(rewriter.getZeroAttr(type));
  Value bias =
      ConstantOp::create(rewriter, op->getLoc(), mapElements(zero, add));
  rewriter.modifyOpInPlace(op, [&] { op->insertOperands(2, bias); });
}
