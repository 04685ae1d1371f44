//===- Rewrite.cpp - Quantizes values and layers of a function ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "Constants.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

namespace {
class Rewriter {
public:
  Rewriter(const QuantizationPlan &plan,
           const QuantizationParameters &parameters, ArrayRef<Choice> values,
           ArrayRef<Choice> layers)
      : plan(plan), parameters(parameters), values(values), layers(layers) {}

  std::vector<LayerResults> run();

private:
  Value quantizeAndBack(const PlannedValue &planned);
  /// The layer's input, computed from sources as `have` says.
  Value rebuildInput(const PlannedLayer &layer, ArrayRef<Value> have);
  Value rebuild(Value value, IRMapping &known);
  /// Integers, with the scales of the layer's sums where they fit.
  Value makeBias(unsigned number, ArrayRef<float> scales, Location loc);
  Value makeByteLayer(unsigned number);
  Value makeFloatLayer(const PlannedLayer &layer);
  Value makeLayer(unsigned number, LayerResults &made);
  void quantizeValues();
  void replaceUses(unsigned number);

  const QuantizationPlan &plan;
  const QuantizationParameters &parameters;
  ArrayRef<Choice> values, layers;
  OpBuilder b{plan.layers.front().op->getContext()};
  /// What the bytes of values stand for; null where nothing reads it.
  std::vector<Value> quantized;
  /// Where values are read, but for the function's results.
  std::vector<SmallVector<OpOperand *>> uses;
};
} // namespace

Value Rewriter::quantizeAndBack(const PlannedValue &planned) {
  b.setInsertionPointAfterValue(planned.value);
  Location loc = planned.value.getLoc();
  auto type = cast<RankedTensorType>(planned.value.getType());
  auto byte = b.getIntegerType(8, /*isSigned=*/false);
  const ByteParameters &with = parameters.groups[planned.group];
  Value scale = makeConstant<float>(b, loc, {}, b.getF32Type(), with.scale);
  Value zero = makeConstant<uint8_t>(b, loc, {}, byte, with.zero);
  Value bytes =
      QuantizeOp::create(b, loc, type.clone(byte), planned.value, scale, zero,
                         TypeAttr::get(byte), TypeAttr());
  return DequantizeOp::create(b, loc, type, bytes, scale, zero, b.getF32Type());
}

Value Rewriter::rebuild(Value value, IRMapping &known) {
  if (Value found = known.lookupOrNull(value))
    return found;
  Operation *op = value.getDefiningOp();
  for (OpOperand *operand : getChosen(op))
    rebuild(operand->get(), known);
  return b.clone(*op, known)->getResult(0);
}

Value Rewriter::rebuildInput(const PlannedLayer &layer, ArrayRef<Value> have) {
  IRMapping known;
  for (auto [source, value] : llvm::zip_equal(layer.sources, have))
    known.map(plan.values[source].value, value);
  return rebuild(layer.op->getOperand(0), known);
}

Value Rewriter::makeBias(unsigned number, ArrayRef<float> scales,
                         Location loc) {
  const PlannedLayer &layer = plan.layers[number];
  Value old;
  if (layer.bias)
    old = layer.bias->getOperand(layer.bias->getOperand(0) ==
                                 layer.op->getResult(0));
  else if (layer.op->getNumOperands() > 2)
    old = layer.op->getOperand(2);
  ElementsAttr constant = getConstant(old);
  const std::vector<float> &correction = parameters.corrections[number];
  if (!old && correction.empty())
    return {};
  if (old && !constant)
    return old;
  int64_t channels = getShape(layer.op->getResult(0)).back();
  std::vector<double> bias(channels, 0);
  if (constant)
    bias = getAsDoubles(constant);
  for (auto [i, value] : llvm::enumerate(correction))
    bias[i] += value;
  std::vector<int32_t> integers(channels);
  std::vector<float> floats(bias.begin(), bias.end());
  // As much again is left for sums of products.
  constexpr double most = 1 << 30;
  for (int64_t i = 0; i < channels; ++i) {
    double integer = std::nearbyint(bias[i] / scales[i]);
    if (!(std::abs(integer) <= most))
      return makeConstant<float>(b, loc, channels, b.getF32Type(), floats);
    integers[i] = static_cast<int32_t>(integer);
  }
  Value sums =
      makeConstant<int32_t>(b, loc, channels, b.getI32Type(), integers);
  Value scale = makeConstant<float>(b, loc, channels, b.getF32Type(), scales);
  auto type = RankedTensorType::get(channels, b.getF32Type());
  return DequantizeOp::create(b, loc, type, sums, scale, Value(),
                              b.getF32Type());
}

Value Rewriter::makeByteLayer(unsigned number) {
  const PlannedLayer &layer = plan.layers[number];
  const ByteWeights &weights = parameters.weights[number];
  Location loc = layer.op->getLoc();
  SmallVector<Value> sources;
  for (unsigned source : layer.sources)
    sources.push_back(quantized[source]);
  auto type = cast<RankedTensorType>(layer.op->getOperand(1).getType());
  auto channels = static_cast<int64_t>(weights.scales.size());
  Value bytes = parameters.constants.empty()
                    ? makeConstant<int8_t>(b, loc, type.getShape(),
                                           b.getI8Type(), weights.bytes)
                    : ConstantOp::create(b, loc, parameters.constants[number]);
  Value scales =
      makeConstant<float>(b, loc, channels, b.getF32Type(), weights.scales);
  IRMapping map;
  map.map(layer.op->getOperand(0), rebuildInput(layer, sources));
  map.map(
      layer.op->getOperand(1),
      DequantizeOp::create(b, loc, type, bytes, scales, Value(), b.getF32Type())
          .getResult());
  std::vector<float> sumScales = weights.scales;
  for (float &scale : sumScales)
    scale *= parameters.groups[plan.getGroup(number)].scale;
  Value bias = makeBias(number, sumScales, loc);
  if (auto conv = dyn_cast<ConvOp>(layer.op)) {
    auto copy = cast<ConvOp>(b.clone(*conv, map));
    copy.getBiasMutable().clear();
    if (bias)
      copy.getBiasMutable().append(bias);
    return copy;
  }
  Value product = b.clone(*layer.op, map)->getResult(0);
  if (!bias)
    return product;
  Location addLoc = layer.bias ? layer.bias->getLoc() : loc;
  return AddOp::create(b, addLoc, product.getType(), product, bias);
}

Value Rewriter::makeFloatLayer(const PlannedLayer &layer) {
  SmallVector<Value> sources;
  for (unsigned source : layer.sources)
    sources.push_back(plan.values[source].value);
  IRMapping map;
  map.map(layer.op->getOperand(0), rebuildInput(layer, sources));
  Value result = b.clone(*layer.op, map)->getResult(0);
  return layer.bias ? b.clone(*layer.bias, map)->getResult(0) : result;
}

void Rewriter::quantizeValues() {
  std::vector<bool> isRead(plan.values.size(), false);
  for (auto [layer, choice] : llvm::zip_equal(plan.layers, layers))
    for (unsigned source : layer.sources)
      isRead[source] = isRead[source] || choice.kind != Choice::Float;
  for (auto [planned, choice, read] :
       llvm::zip_equal(plan.values, values, isRead)) {
    uses.emplace_back();
    for (OpOperand &use : planned.value.getUses())
      if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>())
        uses.back().push_back(&use);
    read = read || choice.kind != Choice::Float;
  }
  // Uses are those from before anything is added.
  for (auto [planned, read] : llvm::zip_equal(plan.values, isRead))
    quantized.push_back(read ? quantizeAndBack(planned) : Value());
}

/// What takes the place of a layer.
Value Rewriter::makeLayer(unsigned number, LayerResults &made) {
  const PlannedLayer &layer = plan.layers[number];
  const Choice &choice = layers[number];
  b.setInsertionPointAfterValue(layer.getResult());
  if (choice.kind != Choice::Bytes)
    made.floats = makeFloatLayer(layer);
  if (choice.kind != Choice::Float)
    made.bytes = makeByteLayer(number);
  if (choice.kind == Choice::Runtime)
    return SelectOp::create(b, layer.op->getLoc(), made.bytes.getType(),
                            choice.atRun, made.bytes, made.floats);
  return made.floats ? made.floats : made.bytes;
}

/// Lets what is no layer read a value as it was chosen.
void Rewriter::replaceUses(unsigned number) {
  const Choice &choice = values[number];
  if (choice.kind == Choice::Float)
    return;
  Value read = quantized[number];
  if (choice.kind == Choice::Runtime) {
    b.setInsertionPointAfterValue(read);
    read = SelectOp::create(b, read.getLoc(), read.getType(), choice.atRun,
                            read, plan.values[number].value);
  }
  for (OpOperand *use : uses[number])
    use->set(read);
}

std::vector<LayerResults> Rewriter::run() {
  quantizeValues();
  std::vector<LayerResults> results(plan.layers.size());
  std::vector<Value> replacements;
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    replacements.push_back(makeLayer(i, results[i]));
  for (unsigned i = 0; i < plan.values.size(); ++i)
    replaceUses(i);
  for (auto [layer, value] : llvm::zip_equal(plan.layers, replacements)) {
    layer.getResult().replaceAllUsesWith(value);
    if (layer.bias)
      layer.bias->erase();
    layer.op->erase();
  }
  return results;
}

std::vector<LayerResults>
brisk::rewriteQuantized(const QuantizationPlan &plan,
                        const QuantizationParameters &parameters,
                        ArrayRef<Choice> values, ArrayRef<Choice> layers) {
  if (plan.layers.empty())
    return {};
  return Rewriter(plan, parameters, values, layers).run();
}

void brisk::rewriteChosen(const QuantizationPlan &plan,
                          const QuantizationParameters &parameters,
                          const LayerChoice &inBytes) {
  std::vector<Choice> layers(plan.layers.size()), values(plan.values.size());
  for (auto [layer, isBytes, choice] :
       llvm::zip_equal(plan.layers, inBytes, layers)) {
    if (!isBytes)
      continue;
    choice.kind = Choice::Bytes;
    for (unsigned source : layer.sources)
      values[source].kind = Choice::Bytes;
  }
  rewriteQuantized(plan, parameters, values, layers);
}
