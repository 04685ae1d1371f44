//===- Equalization.cpp - Channels of alike sizes -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalization.h"
#include "Constants.h"
#include "Observation.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/DenseSet.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using llvm::Expected;

namespace {
/// Follows the output of a layer to all that reads it.
class Follower {
public:
  Follower(const llvm::DenseMap<Operation *, unsigned> &numbers,
           ScalableChannels &result)
      : numbers(numbers), result(result) {}

  bool follow(Value value) {
    channels[value] = static_cast<int64_t>(getShape(value).size()) - 1;
    SmallVector<Value> open = {value};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      for (OpOperand &use : next.getUses())
        if (!step(use, open))
          return false;
    }
    return !result.readers.empty() &&
           llvm::all_of(joins, [&](Operation *op) { return isClosed(op); });
  }

private:
  /// False for a use that does not commute with scales.
  bool step(OpOperand &use, SmallVectorImpl<Value> &open) {
    Operation *op = use.getOwner();
    int64_t channel = channels.lookup(use.get());
    if (auto found = numbers.find(op); found != numbers.end()) {
      bool isLast =
          channel == static_cast<int64_t>(getShape(use.get()).size()) - 1;
      if (use.getOperandNumber() == 0 && isLast)
        result.readers.push_back(found->second);
      return use.getOperandNumber() == 0 && isLast;
    }
    if (op->getNumResults() != 1)
      return false;
    Value value = op->getResult(0);
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      const auto *place = llvm::find(transpose.getPermutation(), channel);
      return add(value, place - transpose.getPermutation().begin(), open);
    }
    if (isa<MaxPoolOp, AveragePoolOp>(op))
      return add(value, channel, open);
    if (getShape(value) != getShape(use.get()))
      return false;
    if (isa<LessOp, GreaterOp>(op))
      return use.getOperandNumber() == 0 && isZero(op->getOperand(1)) &&
             areConditions(op);
    if (isa<MulOp>(op))
      return getConstant(op->getOperand(1 - use.getOperandNumber())) &&
             add(value, channel, open);
    joins.push_back(op);
    if (isa<MaxOp, MinOp>(op))
      return bound(op->getOpOperand(1 - use.getOperandNumber()), channel) &&
             add(value, channel, open);
    return isa<SelectOp>(op) && add(value, channel, open);
  }

  bool add(Value value, int64_t channel, SmallVectorImpl<Value> &open) {
    if (channels.try_emplace(value, channel).second)
      open.push_back(value);
    return true;
  }

  static bool isZero(Value value) {
    ElementsAttr constant = getConstant(value);
    return constant && llvm::all_of(getAsDoubles(constant),
                                    [](double v) { return v == 0; });
  }

  /// True if signs of values only choose between values.
  static bool areConditions(Operation *op) {
    return llvm::all_of(op->getUses(), [](OpOperand &use) {
      return isa<SelectOp>(use.getOwner()) && use.getOperandNumber() == 0;
    });
  }

  /// True if an op joins nothing with the values but what is scaled likewise.
  bool isClosed(Operation *op) const {
    int64_t channel = channels.lookup(op->getResult(0));
    // A condition only chooses.
    auto data = op->getOperands().drop_front(isa<SelectOp>(op));
    return llvm::all_of(data, [&](Value operand) {
      auto found = channels.find(operand);
      return found != channels.end()
                 ? found->second == channel
                 : getConstant(operand) &&
                       (!isa<SelectOp>(op) || isZero(operand));
    });
  }

  bool bound(OpOperand &other, int64_t channel) {
    ElementsAttr constant = getConstant(other.get());
    if (!constant || !getSplatElement(constant))
      return !constant;
    if (!isZero(other.get()))
      result.bounds.emplace_back(&other, channel);
    return true;
  }

  const llvm::DenseMap<Operation *, unsigned> &numbers;
  ScalableChannels &result;
  /// The values found, and which of their dimensions has the channels.
  llvm::DenseMap<Value, int64_t> channels;
  SmallVector<Operation *> joins;
};
} // namespace

/// The bias of a layer, which may be null.
static OpOperand *findBias(const PlannedLayer &layer) {
  if (layer.bias)
    return &layer.bias->getOpOperand(layer.bias->getOperand(0) ==
                                     layer.op->getResult(0));
  return layer.op->getNumOperands() > 2 ? &layer.op->getOpOperand(2) : nullptr;
}

/// The layers that read a value, if nothing else does.
static std::vector<unsigned>
findReaders(Value value, const llvm::DenseMap<Operation *, unsigned> &numbers) {
  std::vector<unsigned> readers;
  for (OpOperand &use : value.getUses()) {
    auto found = numbers.find(use.getOwner());
    if (found == numbers.end() || use.getOperandNumber() != 0)
      return {};
    readers.push_back(found->second);
  }
  return readers;
}

std::vector<ScalableChannels>
brisk::findScalable(const QuantizationPlan &plan) {
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    numbers[layer.op] = i;
  std::vector<ScalableChannels> found;
  llvm::DenseSet<unsigned> reached;
  for (auto [i, layer] : llvm::enumerate(plan.layers)) {
    ScalableChannels candidate{{}, i, {}};
    OpOperand *bias = findBias(layer);
    if ((bias && !getConstant(bias->get())) ||
        !Follower(numbers, candidate).follow(layer.getResult()))
      continue;
    reached.insert_range(candidate.readers);
    found.push_back(std::move(candidate));
  }
  for (const PlannedValue &planned : plan.values) {
    std::vector<unsigned> readers = findReaders(planned.value, numbers);
    bool isReached = llvm::any_of(
        readers, [&](unsigned reader) { return reached.contains(reader); });
    if (planned.value.getDefiningOp() && !readers.empty() && !isReached)
      found.push_back({std::move(readers), {}, {}});
  }
  return found;
}

static bool isDepthwise(const PlannedLayer &layer) {
  auto conv = dyn_cast<ConvOp>(layer.op);
  return conv && conv.getGroup() != 1;
}

/// For every element of a layer's weights, the input channel that it meets.
static int64_t getInputChannel(const PlannedLayer &layer, int64_t element) {
  ArrayRef<int64_t> shape = getShape(layer.op->getOperand(1));
  int64_t columns = shape.back();
  return isDepthwise(layer) ? element % columns
                            : element / columns % shape[shape.size() - 2];
}

std::vector<float> brisk::chooseScales(ArrayRef<float> elements,
                                       ArrayRef<float> weights,
                                       bool areReadersDepthwise) {
  std::vector<float> scales;
  for (auto [element, weight] : llvm::zip_equal(elements, weights)) {
    float scale = areReadersDepthwise ? element : std::sqrt(element / weight);
    scales.push_back(element > 0 && weight > 0 && std::isnormal(scale) ? scale
                                                                       : 0);
  }
  // A channel that is never seen to be anything but zero is left alone, and
  // others are kept within what floats can stand.
  float largest = *llvm::max_element(scales);
  constexpr float furthest = 1 << 12;
  for (float &scale : scales)
    scale = scale > 0 ? std::max(scale / largest, 1 / furthest) : 1;
  return scales;
}

Expected<std::vector<std::vector<float>>>
brisk::chooseAllScales(ModuleOp module, const CalibrationData &data,
                       CompileFunction compile) {
  auto plan = QuantizationPlan::create(getModelFunction(module));
  std::vector<ScalableChannels> all = findScalable(plan);
  std::vector<unsigned> read;
  for (const ScalableChannels &channels : all)
    llvm::append_range(read, channels.readers);
  llvm::sort(read);
  read.erase(llvm::unique(read), read.end());
  auto sizes = measureChannels(module, read, data, compile);
  if (!sizes)
    return sizes.takeError();
  std::vector<std::vector<float>> scales;
  for (const ScalableChannels &channels : all) {
    std::vector<float> elements((*sizes)[channels.readers.front()].size(), 0),
        weights = elements;
    bool areDepthwise = true;
    for (unsigned number : channels.readers) {
      const PlannedLayer &reader = plan.layers[number];
      areDepthwise &= isDepthwise(reader);
      for (auto [to, size] : llvm::zip_equal(elements, (*sizes)[number]))
        to = std::max(to, size);
      ElementBytes bytes(getConstant(reader.op->getOperand(1)));
      for (auto [i, weight] : llvm::enumerate(bytes.as<float>())) {
        float &to = weights[getInputChannel(reader, i)];
        to = std::max(to, std::abs(weight));
      }
    }
    scales.push_back(chooseScales(elements, weights, areDepthwise));
  }
  return scales;
}

/// Replaces a constant of f32 by what `update` makes of each element.
static void update(OpOperand &operand,
                   llvm::function_ref<float(int64_t, float)> update) {
  ElementsAttr constant = getConstant(operand.get());
  ElementBytes bytes(constant);
  std::vector<float> values;
  for (auto [i, value] : llvm::enumerate(bytes.as<float>()))
    values.push_back(update(static_cast<int64_t>(i), value));
  OpBuilder b(operand.getOwner());
  auto type = cast<RankedTensorType>(constant.getShapedType());
  operand.set(ConstantOp::create(b, operand.get().getLoc(),
                                 makeElements(type, ArrayRef(values))));
}

/// A bound of all channels becomes one of each.
static void spreadBound(OpOperand &operand, int64_t channel,
                        ArrayRef<float> scales) {
  Operation *op = operand.getOwner();
  auto bound = static_cast<float>(
      getAsDoubles(getSplatElement(getConstant(operand.get()))).front());
  std::vector<float> values;
  for (float scale : scales)
    values.push_back(bound / scale);
  SmallVector<int64_t> shape(getShape(op->getResult(0)).size() - channel, 1);
  shape.front() = static_cast<int64_t>(scales.size());
  OpBuilder b(op);
  operand.set(ConstantOp::create(
      b, operand.get().getLoc(),
      makeElements(RankedTensorType::get(shape, b.getF32Type()),
                   ArrayRef(values))));
}

/// The layer that gives channels gives less or more of them.
static void scaleLayer(const PlannedLayer &layer, ArrayRef<float> scales) {
  auto divide = [&](int64_t i, float value) {
    return value / scales[i % static_cast<int64_t>(scales.size())];
  };
  update(layer.op->getOpOperand(1), divide);
  if (OpOperand *bias = findBias(layer))
    update(*bias, divide);
}

/// A value of which others are made than the layer's is multiplied.
static Value scaleValue(Value value, ArrayRef<float> scales) {
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  std::vector<float> factors;
  for (float scale : scales)
    factors.push_back(1 / scale);
  Value by = makeConstant<float>(b, value.getLoc(),
                                 static_cast<int64_t>(factors.size()),
                                 b.getF32Type(), factors);
  return MulOp::create(b, value.getLoc(), value.getType(), value, by);
}

void brisk::applyScales(ModuleOp module, ArrayRef<std::vector<float>> scales) {
  auto plan = QuantizationPlan::create(getModelFunction(module));
  for (auto [channels, by] : llvm::zip_equal(findScalable(plan), scales)) {
    if (by.empty())
      continue;
    Value scaled;
    if (channels.layer)
      scaleLayer(plan.layers[*channels.layer], by);
    else
      scaled = scaleValue(
          plan.layers[channels.readers.front()].op->getOperand(0), by);
    for (auto [operand, channel] : channels.bounds)
      spreadBound(*operand, channel, by);
    for (unsigned number : channels.readers) {
      const PlannedLayer &reader = plan.layers[number];
      update(reader.op->getOpOperand(1), [&](int64_t i, float value) {
        return value * by[getInputChannel(reader, i)];
      });
      if (scaled)
        reader.op->setOperand(0, scaled);
    }
  }
}
