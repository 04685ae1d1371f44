//===- DynamicQuantization.cpp - Ranges found in each run -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/DynamicQuantization.h"
#include "Constants.h"
#include "Probe.h"
#include "RecurrentColumns.h"
#include "Rewrite.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/System/Progress.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace brisk;
using llvm::Error;
using llvm::Expected;

static SmallVector<RecurrentOpInterface> getRecurrentLayers(ModuleOp module) {
  SmallVector<RecurrentOpInterface> layers;
  getModelFunction(module).walk(
      [&](RecurrentOpInterface layer) { layers.push_back(layer); });
  return layers;
}

namespace {
/// A product's weights as bytes, and the scales of its columns.
struct ProductWeights {
  ElementsAttr bytes, scales;
};

/// Floats as unsigned bytes by the range of their values.
struct RangedBytes {
  Value centered; ///< less their zero point, as i32
  Value scale;
};

class Rewriter {
public:
  explicit Rewriter(MLIRContext *context) : b(context) {}

  /// The layer's states are quantized at each step.
  void rewrite(RecurrentOpInterface layer, const ProductWeights &weights) {
    OpOperand &states = layer.getRMutable();
    Location loc = layer.getLoc();
    b.setInsertionPoint(layer);
    Value bytes = ConstantOp::create(b, loc, weights.bytes);
    Value floats = DequantizeOp::create(
        b, loc, cast<RankedTensorType>(bytes.getType()).clone(b.getF32Type()),
        bytes, ConstantOp::create(b, loc, weights.scales), Value(),
        b.getF32Type());
    states.set(RecurrentColumns(states.get()).restore(b, floats));
    layer.setQuantizesStates(true);
  }

  void rewrite(Operation *product, const ProductWeights &weights) {
    const RangedBytes &input = quantize(product->getOperand(0));
    Location loc = product->getLoc();
    b.setInsertionPoint(product);
    Type i32 = b.getI32Type();
    Value bytes = ConstantOp::create(b, loc, weights.bytes);
    Value integers = DequantizeOp::create(
        b, loc, cast<RankedTensorType>(bytes.getType()).clone(i32), bytes,
        Value(), Value(), i32);
    auto type = cast<RankedTensorType>(product->getResult(0).getType());
    Value sums =
        MatmulOp::create(b, loc, type.clone(i32), input.centered, integers);
    Value scales = ConstantOp::create(b, loc, weights.scales);
    scales = MulOp::create(b, loc, scales.getType(), scales, input.scale);
    Value result = DequantizeOp::create(b, loc, type, sums, scales, Value(),
                                        b.getF32Type());
    product->getResult(0).replaceAllUsesWith(result);
    product->erase();
  }

private:
  Value makeScalar(Location loc, float value) {
    return makeConstant<float>(b, loc, {}, b.getF32Type(), value);
  }

  /// Once for all products that read it.
  const RangedBytes &quantize(Value value) {
    auto [found, isNew] = known.try_emplace(value);
    if (!isNew)
      return found->second;
    Location loc = value.getLoc();
    b.setInsertionPointAfterValue(value);
    auto byte = b.getIntegerType(8, /*isSigned=*/false);
    auto scalar = RankedTensorType::get({}, b.getF32Type());
    Value zero = makeScalar(loc, 0);
    auto reduce = [&](ReduceKind kind) {
      return ReduceOp::create(b, loc, scalar, value, Value(), kind,
                              /*keepdims=*/false,
                              /*noop_with_empty_axes=*/false);
    };
    Value low = MinOp::create(b, loc, scalar, reduce(ReduceKind::Min), zero);
    Value high = MaxOp::create(b, loc, scalar, reduce(ReduceKind::Max), zero);
    constexpr float steps = 255;
    Value scale =
        DivOp::create(b, loc, scalar, SubOp::create(b, loc, scalar, high, low),
                      makeScalar(loc, steps));
    auto toBytes = [&](Value from, Value zeroPoint) -> Value {
      auto type = cast<RankedTensorType>(from.getType()).clone(byte);
      return QuantizeOp::create(b, loc, type, from, scale, zeroPoint,
                                TypeAttr::get(byte), TypeAttr());
    };
    Value zeroPoint =
        toBytes(SubOp::create(b, loc, scalar, zero, low), Value());
    Value bytes = toBytes(value, zeroPoint);
    auto type = cast<RankedTensorType>(value.getType()).clone(b.getI32Type());
    Value centered = DequantizeOp::create(b, loc, type, bytes, Value(),
                                          zeroPoint, b.getI32Type());
    return found->second = {centered, scale};
  }

  OpBuilder b;
  llvm::MapVector<Value, RangedBytes> known;
};

/// The products of a plan and recurrent layers, and which of them are worth it.
class DynamicQuantization {
public:
  DynamicQuantization(ModuleOp module, EstimateFunction estimate)
      : module(module), estimate(estimate) {
    auto plan = QuantizationPlan::create(getModelFunction(module));
    for (auto [i, layer] : llvm::enumerate(plan.layers))
      if (isa<MatmulOp>(layer.op))
        addProduct(i, layer);
      else
        addFloats(layer.name, layer.multiplyAdds,
                  "it is no matrix product; quantize it by samples");
    for (RecurrentOpInterface layer : getRecurrentLayers(module))
      addRecurrent(layer);
    for (const UnplannedLayer &layer : plan.unplanned)
      addFloats(layer.name, layer.multiplyAdds, layer.reason);
  }

  Expected<QuantizationReport> run();

private:
  void addProduct(unsigned number, const PlannedLayer &layer);
  void addRecurrent(RecurrentOpInterface layer);
  /// Weights that may be bytes: those of a product, or of a layer's states.
  void addCandidate(StringRef name, uint64_t multiplyAdds, Type input,
                    ElementsAttr source, ElementsAttr matrix);
  void addFloats(StringRef name, uint64_t multiplyAdds, StringRef reason) {
    report.layers.push_back({name.str(), multiplyAdds, false, reason.str()});
  }
  void rewrite(ModuleOp target, const LayerChoice &inBytes) const;
  Expected<double> getCycles(const LayerChoice &inBytes) const;
  /// Leaves products in floats that are not faster in bytes.
  Expected<LayerChoice> choose();

  ModuleOp module;
  EstimateFunction estimate;
  std::vector<unsigned> numbers; ///< of the products, among the plan's layers
  /// Those of recurrent layers, among all of these; behind the products.
  std::vector<unsigned> recurrent;
  unsigned recurrentLayers = 0;        ///< all of these
  std::vector<ProductWeights> weights; ///< of both
  /// Those that take the same time.
  llvm::MapVector<std::pair<Type, Type>, std::vector<unsigned>> alike;
  /// Its first layers are those whose weights are above.
  QuantizationReport report;
};
} // namespace

/// Why a recurrent layer multiplies floats; empty where it need not.
static StringRef whyNot(RecurrentOpInterface layer) {
  Value weights = layer.getRMutable().get();
  if (!getElementTypeOrSelf(weights.getType()).isF32())
    return "it is not of f32";
  if (!layer.getWMutable().empty() || !getConstant(weights))
    return "its weights are no constant";
  return isFinite(getConstant(weights)) ? "" : "its weights are not finite";
}

void DynamicQuantization::addCandidate(StringRef name, uint64_t multiplyAdds,
                                       Type input, ElementsAttr source,
                                       ElementsAttr matrix) {
  auto type = cast<RankedTensorType>(matrix.getType());
  int64_t columns = type.getShape().back();
  ByteWeights rounded = roundWeights(ElementBytes(matrix).as<float>(), columns);
  Builder b(type.getContext());
  alike[{input, source.getType()}].push_back(weights.size());
  report.layers.insert(report.layers.begin() +
                           static_cast<ptrdiff_t>(weights.size()),
                       {name.str(), multiplyAdds, true});
  weights.push_back(
      {makeElements(type.clone(b.getI8Type()), ArrayRef(rounded.bytes)),
       makeElements(RankedTensorType::get({columns}, b.getF32Type()),
                    ArrayRef(rounded.scales))});
}

void DynamicQuantization::addProduct(unsigned number,
                                     const PlannedLayer &layer) {
  ElementsAttr matrix = getConstant(layer.op->getOperand(1));
  addCandidate(layer.name, layer.multiplyAdds,
               layer.op->getOperand(0).getType(), matrix, matrix);
  numbers.push_back(number);
}

void DynamicQuantization::addRecurrent(RecurrentOpInterface layer) {
  unsigned number = recurrentLayers++;
  Value input = layer.getXMutable().get(), states = layer.getRMutable().get();
  uint64_t steps = ShapedType::getNumElements(getShape(input).drop_back());
  uint64_t multiplyAdds = steps * ShapedType::getNumElements(getShape(states));
  if (StringRef reason = whyNot(layer); !reason.empty())
    return addFloats(getLayerName(layer), multiplyAdds, reason);
  ElementsAttr weights = getConstant(states);
  addCandidate(getLayerName(layer), multiplyAdds, input.getType(), weights,
               RecurrentColumns(states).get(weights));
  recurrent.push_back(number);
}

void DynamicQuantization::rewrite(ModuleOp target,
                                  const LayerChoice &inBytes) const {
  auto plan = QuantizationPlan::create(getModelFunction(target));
  SmallVector<RecurrentOpInterface> layers = getRecurrentLayers(target);
  Rewriter rewriter(target.getContext());
  for (auto [i, number] : llvm::enumerate(numbers))
    if (inBytes[i])
      rewriter.rewrite(plan.layers[number].op, weights[i]);
  for (auto [i, number] : llvm::enumerate(recurrent))
    if (inBytes[numbers.size() + i])
      rewriter.rewrite(layers[number], weights[numbers.size() + i]);
}

Expected<double>
DynamicQuantization::getCycles(const LayerChoice &inBytes) const {
  OwningOpRef<ModuleOp> copy(ModuleOp(module).clone());
  rewrite(*copy, inBytes);
  return estimate(*copy);
}

Expected<LayerChoice> DynamicQuantization::choose() {
  LayerChoice none(weights.size(), false), choice(weights.size(), true);
  if (Error error = getCycles(none).moveInto(report.cyclesOfFloats))
    return std::move(error);
  if (Error error = getCycles(choice).moveInto(report.cyclesOfBytes))
    return std::move(error);
  report.cyclesChosen = report.cyclesOfBytes;
  Progress progress("estimates", alike.size());
  for (auto &[types, products] : alike) {
    LayerChoice without = choice;
    for (unsigned product : products)
      without[product] = false;
    auto cycles = getCycles(without);
    if (!cycles)
      return cycles.takeError();
    for (unsigned product : products)
      report.layers[product].cyclesWon = (*cycles - report.cyclesChosen) /
                                         static_cast<double>(products.size());
    if (*cycles <= report.cyclesChosen) {
      choice = std::move(without);
      report.cyclesChosen = *cycles;
    }
    progress.step();
  }
  if (report.cyclesOfFloats > report.cyclesChosen)
    return choice;
  report.cyclesChosen = report.cyclesOfFloats;
  return none;
}

Expected<QuantizationReport> DynamicQuantization::run() {
  if (weights.empty())
    return std::move(report);
  auto choice = choose();
  if (!choice)
    return choice.takeError();
  for (auto [isBytes, layer] : llvm::zip_first(*choice, report.layers))
    if (!isBytes) {
      layer.isBytes = false;
      layer.reason = "bytes are not faster";
    }
  rewrite(module, *choice);
  return std::move(report);
}

Expected<QuantizationReport>
brisk::quantizeDynamically(ModuleOp module, EstimateFunction estimate) {
  return DynamicQuantization(module, estimate).run();
}
