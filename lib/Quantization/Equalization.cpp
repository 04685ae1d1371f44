//===- Equalization.cpp - Channels of alike sizes -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalization.h"
#include "Constants.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace brisk;

static int64_t getLastDim(Value value) {
  return static_cast<int64_t>(getShape(value).size()) - 1;
}

/// The numbers of the channels that a layer reads, or, of dimension `dim`,
/// those of any value.
static std::vector<unsigned> getChannels(const ChannelGraph &graph, Value value,
                                         int64_t dim) {
  std::vector<unsigned> channels;
  for (int64_t place = 0; place < getShape(value)[dim]; ++place)
    channels.push_back(graph.getChannel(value, dim, place));
  return channels;
}
static std::vector<unsigned> getChannels(const ChannelGraph &graph,
                                         Value value) {
  return getChannels(graph, value, getLastDim(value));
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

/// Channels that only layers of the plan, and others that take scales, read.
static std::vector<ScalableChannels> findShared(const QuantizationPlan &plan,
                                                const ChannelGraph &graph) {
  llvm::MapVector<unsigned, unsigned> readers; // of each channel, the first
  llvm::EquivalenceClasses<unsigned> together;
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    for (unsigned channel : getChannels(graph, layer.op->getOperand(0)))
      if (!graph.isPinned(channel))
        together.unionSets(readers.insert({channel, i}).first->second, i);
  llvm::MapVector<unsigned, ScalableChannels> units;
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    if (together.contains(i))
      units[together.getLeaderValue(i)].readers.push_back(i);
  for (auto [channel, reader] : readers)
    units[together.getLeaderValue(reader)].channels.push_back(channel);
  std::vector<ScalableChannels> result;
  for (auto &[leader, unit] : units) {
    llvm::sort(unit.channels);
    result.push_back(std::move(unit));
  }
  return result;
}

std::vector<ScalableChannels> brisk::findScalable(const QuantizationPlan &plan,
                                                  const ChannelGraph &graph) {
  std::vector<ScalableChannels> found = findShared(plan, graph);
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    numbers[layer.op] = i;
  for (const PlannedValue &planned : plan.values) {
    std::vector<unsigned> readers = findReaders(planned.value, numbers);
    if (planned.value.getDefiningOp() && !readers.empty() &&
        llvm::all_of(getChannels(graph, planned.value),
                     [&](unsigned channel) { return graph.isPinned(channel); }))
      found.push_back({std::move(readers), {}});
  }
  return found;
}

/// For each channel that a reader reads, its place among the scalable ones.
static std::vector<std::optional<size_t>>
findPlaces(const ScalableChannels &scalable, const PlannedLayer &reader,
           const ChannelGraph &graph) {
  std::vector<std::optional<size_t>> places;
  for (unsigned channel : getChannels(graph, reader.op->getOperand(0))) {
    auto at = llvm::lower_bound(scalable.channels, channel);
    if (scalable.channels.empty())
      places.emplace_back(places.size());
    else if (at != scalable.channels.end() && *at == channel)
      places.emplace_back(at - scalable.channels.begin());
    else
      places.emplace_back();
  }
  return places;
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

/// Of scalable channels, the largest elements and the largest weights that they
/// meet.
static std::vector<float> chooseScales(const ScalableChannels &scalable,
                                       const QuantizationPlan &plan,
                                       const ChannelGraph &graph,
                                       ArrayRef<std::vector<float>> sizes) {
  size_t count = scalable.channels.empty()
                     ? sizes[scalable.readers.front()].size()
                     : scalable.channels.size();
  std::vector<float> elements(count, 0), weights(count, 0);
  bool areDepthwise = true;
  for (unsigned number : scalable.readers) {
    const PlannedLayer &reader = plan.layers[number];
    auto places = findPlaces(scalable, reader, graph);
    areDepthwise &= isDepthwise(reader.op);
    auto raise = [&](std::vector<float> &all, size_t channel, float size) {
      if (places[channel]) {
        float &to = all[*places[channel]];
        to = std::max(to, size);
      }
    };
    for (auto [channel, size] : llvm::enumerate(sizes[number]))
      raise(elements, channel, size);
    auto layer = cast<WeightedOpInterface>(reader.op);
    ElementBytes bytes(getConstant(reader.op->getOperand(1)));
    for (auto [i, weight] : llvm::enumerate(bytes.as<float>()))
      raise(weights, layer.getInputChannelOf(i), std::abs(weight));
  }
  return chooseScales(elements, weights, areDepthwise);
}

std::vector<std::vector<float>>
brisk::chooseAllScales(const QuantizationPlan &plan, const ChannelGraph &graph,
                       ArrayRef<ScalableChannels> scalable,
                       ArrayRef<std::vector<float>> sizes) {
  std::vector<std::vector<float>> scales;
  for (const ScalableChannels &channels : scalable)
    scales.push_back(::chooseScales(channels, plan, graph, sizes));
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

/// Multiplies a constant of f32 along a dimension, which is counted from the
/// back, and which it may have to get for that.
static void multiply(OpOperand &operand, int64_t fromBack,
                     ArrayRef<float> factors) {
  ElementsAttr constant = getConstant(operand.get());
  SmallVector<int64_t> shape(constant.getShapedType().getShape());
  if (static_cast<int64_t>(shape.size()) < fromBack)
    shape.insert(shape.begin(), fromBack - shape.size(), 1);
  int64_t &size = shape[shape.size() - fromBack];
  int64_t repeated = size, inner = 1;
  size = static_cast<int64_t>(factors.size());
  for (int64_t dim : ArrayRef(shape).take_back(fromBack - 1))
    inner *= dim;
  auto type =
      RankedTensorType::get(shape, constant.getShapedType().getElementType());
  std::vector<double> from = getAsDoubles(constant);
  std::vector<float> to(type.getNumElements());
  for (auto [i, value] : llvm::enumerate(to)) {
    int64_t place = i / inner % size, block = i / inner / size;
    int64_t at = repeated == 1 ? 0 : place;
    value =
        static_cast<float>(from[(block * repeated + at) * inner + i % inner]) *
        factors[place];
  }
  OpBuilder b(operand.getOwner());
  operand.set(ConstantOp::create(b, operand.get().getLoc(),
                                 makeElements(type, ArrayRef(to))));
}

namespace {
/// Lets layers and constants give and take multiples of channels.
class Scaler {
public:
  Scaler(const ChannelGraph &graph)
      : graph(graph), scales(graph.countChannels(), 1) {}

  void set(ArrayRef<unsigned> channels, ArrayRef<float> by) {
    for (auto [channel, scale] : llvm::zip_equal(channels, by))
      scales[channel] = scale;
  }
  void scale(Operation *op) const {
    if (isa<WeightedOpInterface>(op))
      scaleLayer(op);
    else if (isa<ElementwiseOpInterface>(op))
      scaleConstants(cast<ComputeOpInterface>(op));
  }

private:
  /// What the places of a dimension are divided by.
  std::vector<float> get(Value value, int64_t dim) const {
    std::vector<float> result;
    for (unsigned channel : getChannels(graph, value, dim))
      result.push_back(scales[channel]);
    return result;
  }
  static bool isOne(float scale) { return scale == 1; }
  void scaleLayer(Operation *op) const;
  void scaleConstants(ComputeOpInterface op) const;

  const ChannelGraph &graph;
  std::vector<float> scales; ///< of all channels
};
} // namespace

void Scaler::scaleLayer(Operation *op) const {
  if (!takesScales(op))
    return;
  std::vector<float> in = get(op->getOperand(0), getLastDim(op->getOperand(0))),
                     out = get(op->getResult(0), getLastDim(op->getResult(0)));
  bool givesOthers = !llvm::all_of(out, isOne);
  auto layer = cast<WeightedOpInterface>(op);
  if (givesOthers || !llvm::all_of(in, isOne))
    update(op->getOpOperand(1), [&](int64_t i, float weight) {
      return weight * in[layer.getInputChannelOf(i)] /
             out[layer.getChannelOf(i)];
    });
  if (givesOthers && op->getNumOperands() > 2)
    update(op->getOpOperand(2),
           [&](int64_t i, float bias) { return bias / out[i]; });
}

/// What a constant is to be multiplied by where the channels that an op reads
/// and gives are divided by `in` and `out`.
static float getFactor(Scaling scaling, float in, float out) {
  switch (scaling) {
  case Scaling::Alone:
    return in / out;
  case Scaling::Inverse:
    return out / in;
  case Scaling::Unchanged:
    return 1 / in;
  case Scaling::Together:
    return 1 / out;
  case Scaling::None:
    return 1;
  }
  llvm_unreachable("a kind of scaling");
}

/// The operand that is no constant, and whose scales all others have.
static std::optional<unsigned> findData(ComputeOpInterface op) {
  for (OpOperand &operand : op->getOpOperands())
    if (unsigned number = operand.getOperandNumber();
        !getConstant(operand.get()) && op.getScaling(number) != Scaling::None)
      return number;
  return std::nullopt;
}

void Scaler::scaleConstants(ComputeOpInterface op) const {
  Value result = op->getResult(0);
  std::optional<unsigned> data = findData(op);
  if (!data)
    return;
  SmallVector<int64_t> kept = op.getKeptDims(*data);
  for (int64_t dim = 0, rank = getShape(result).size(); dim < rank; ++dim) {
    std::vector<float> out = get(result, dim), in(out.size(), 1);
    if (const auto *at = llvm::find(kept, dim); at != kept.end())
      in = get(op->getOperand(*data), at - kept.begin());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!getConstant(operand.get()))
        continue;
      Scaling scaling = op.getScaling(operand.getOperandNumber());
      std::vector<float> factors;
      for (auto [from, to] : llvm::zip_equal(in, out))
        factors.push_back(getFactor(scaling, from, to));
      if (!llvm::all_of(factors, isOne))
        multiply(operand, rank - dim, factors);
    }
  }
}

/// A value that other ops than layers make is multiplied.
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
  func::FuncOp function = getModelFunction(module);
  auto plan = QuantizationPlan::create(function);
  ChannelGraph graph(function, ChannelGraph::Kind::Scaled);
  std::vector<ScalableChannels> all = findScalable(plan, graph);
  Scaler scaler(graph);
  for (auto [channels, by] : llvm::zip_equal(all, scales))
    if (!by.empty() && !channels.channels.empty())
      scaler.set(channels.channels, by);
  function.walk([&](Operation *op) { scaler.scale(op); });
  for (auto [channels, by] : llvm::zip_equal(all, scales)) {
    if (by.empty() || !channels.channels.empty())
      continue;
    Value value = plan.layers[channels.readers.front()].op->getOperand(0);
    Value scaled = scaleValue(value, by);
    for (unsigned number : channels.readers) {
      auto reader = cast<WeightedOpInterface>(plan.layers[number].op);
      update(reader->getOpOperand(1), [&](int64_t i, float weight) {
        return weight * by[reader.getInputChannelOf(i)];
      });
      reader->setOperand(0, scaled);
    }
  }
}
