//===- Simulation.cpp - A model with switches for its layers --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Execution/Accuracy.h"
#include "brisk/System/Progress.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>

using namespace mlir;
using namespace brisk;

/// A copy of the module, whose layers are chosen by switches: those of the
/// layers, then those of the values.
static OwningOpRef<ModuleOp>
addSwitches(ModuleOp module, const QuantizationParameters &parameters,
            std::vector<LayerResults> &layers) {
  OwningOpRef<ModuleOp> copy(module.clone());
  func::FuncOp function = getModelFunction(*copy);
  auto plan = QuantizationPlan::create(function);
  auto makeChoices = [&](size_t count) {
    std::vector<Choice> choices(count);
    for (Choice &choice : choices)
      choice = {Choice::Runtime, addSwitch(function)};
    return choices;
  };
  std::vector<Choice> layerChoices = makeChoices(plan.layers.size());
  std::vector<Choice> valueChoices = makeChoices(plan.values.size());
  layers = rewriteQuantized(plan, parameters, valueChoices, layerChoices);
  return copy;
}

llvm::Expected<Simulation>
Simulation::create(ModuleOp module, const QuantizationParameters &parameters,
                   const CalibrationData &data, CompileFunction compile) {
  std::vector<LayerResults> layers;
  OwningOpRef<ModuleOp> copy = addSwitches(module, parameters, layers);
  // A value is quantized where a layer in bytes reads it.
  std::vector<std::vector<unsigned>> switches;
  auto plan = QuantizationPlan::create(getModelFunction(module));
  for (auto [i, layer] : llvm::enumerate(plan.layers)) {
    switches.push_back({static_cast<unsigned>(i)});
    for (unsigned source : layer.sources)
      switches.back().push_back(plan.layers.size() + source);
  }
  return create(*copy, std::move(switches), data, compile);
}

llvm::Expected<Simulation>
Simulation::create(ModuleOp switched,
                   std::vector<std::vector<unsigned>> switches,
                   const CalibrationData &data, CompileFunction compile) {
  auto probe = Probe::create(switched, data, compile);
  if (!probe)
    return probe.takeError();
  Simulation result(std::move(*probe));
  result.switches = std::move(switches);
  for (ArrayRef<unsigned> some : result.switches)
    for (unsigned number : some)
      result.switchCount = std::max(result.switchCount, number + 1);
  result.outputs = result.probe.countOutputs();
  result.samples = data.size();
  if (llvm::Error error = result.runReference())
    return std::move(error);
  return result;
}

llvm::Error Simulation::runReference() {
  set(LayerChoice(switches.size(), false));
  for (uint64_t sample = 0; sample < samples; ++sample) {
    if (llvm::Error error = probe.run(sample))
      return error;
    reference.emplace_back();
    for (unsigned i = 0; i < outputs; ++i)
      if (probe.output(i).dtype == BRISK_F32)
        reference.back().push_back(probe.floats(i).vec());
  }
  return llvm::Error::success();
}

void Simulation::set(const LayerChoice &chosen) {
  std::vector<bool> isOn(switchCount, false);
  for (auto [choice, numbers] : llvm::zip_equal(chosen, switches))
    for (unsigned number : numbers)
      isOn[number] = isOn[number] || choice;
  for (unsigned i = 0; i < switchCount; ++i)
    probe.set(i, isOn[i]);
}

llvm::Expected<double> Simulation::getSqnr(const LayerChoice &chosen,
                                           uint64_t most) {
  set(chosen);
  std::vector<execution::Deviation> deviations(reference.front().size());
  for (uint64_t sample = 0; sample < std::min(samples, most); ++sample) {
    if (llvm::Error error = probe.run(sample))
      return std::move(error);
    unsigned next = 0;
    for (unsigned i = 0; i < outputs; ++i) {
      if (probe.output(i).dtype != BRISK_F32)
        continue;
      for (auto [value, exact] :
           llvm::zip_equal(probe.floats(i), reference[sample][next]))
        deviations[next].add(value, exact);
      ++next;
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (const execution::Deviation &deviation : deviations)
    if (deviation.getCount())
      least = std::min(least, deviation.getSqnr());
  return least;
}

llvm::Expected<uint64_t> Simulation::countRight(const LayerChoice &chosen,
                                                const Labels &labels) {
  set(chosen);
  unsigned scores = 0;
  while (scores < outputs && probe.output(scores).dtype != BRISK_F32)
    ++scores;
  if (scores == outputs || probe.output(scores).dims.empty())
    return llvm::createStringError("the model has no output of class scores");
  int64_t classes = probe.output(scores).dims.back();
  uint64_t rows = classes ? reference.front().front().size() / classes : 0;
  if (rows * samples != labels.values.size())
    return llvm::createStringError(
        "'" + labels.path + "': expected " + Twine(rows * samples) +
        " labels, one for each row of scores, found " +
        Twine(labels.values.size()));
  for (int64_t label : labels.values)
    if (label < 0 || label >= classes)
      return llvm::createStringError("'" + labels.path + "': label " +
                                     Twine(label) + " is none of the " +
                                     Twine(classes) + " classes");
  uint64_t right = 0;
  for (uint64_t sample = 0; sample < samples; ++sample) {
    if (llvm::Error error = probe.run(sample))
      return std::move(error);
    for (uint64_t row = 0; row < rows; ++row) {
      size_t found = execution::findLargest(
          probe.floats(scores).slice(row * classes, classes));
      right +=
          static_cast<int64_t>(found) == labels.values[sample * rows + row];
    }
  }
  return right;
}

/// The mean over all dimensions but the last, which has the channels.
static Value makeChannelMean(OpBuilder &b, Location loc, Value value) {
  int64_t rank = getShape(value).size();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank - 1));
  auto type = RankedTensorType::get(getShape(value).back(), b.getF32Type());
  return ReduceOp::create(b, loc, type, value, makeInts(b, loc, axes),
                          ReduceKind::Mean, /*keepdims=*/false,
                          /*noop_with_empty_axes=*/true);
}

llvm::Expected<std::vector<std::vector<float>>>
brisk::measureMeanErrors(ModuleOp module,
                         const QuantizationParameters &parameters,
                         const CalibrationData &data, CompileFunction compile) {
  std::vector<LayerResults> layers;
  OwningOpRef<ModuleOp> copy = addSwitches(module, parameters, layers);
  SmallVector<Value> means;
  for (const LayerResults &layer : layers) {
    OpBuilder b(module.getContext());
    Location loc = layer.bytes.getLoc();
    // Behind both.
    b.setInsertionPointAfterValue(layer.bytes);
    Value error = SubOp::create(b, loc, layer.floats.getType(), layer.floats,
                                layer.bytes);
    means.push_back(makeChannelMean(b, loc, error));
  }
  func::FuncOp function = getModelFunction(*copy);
  unsigned outputs = function.getNumResults();
  addResults(function, means);
  auto probe = Probe::create(*copy, data, compile);
  if (!probe)
    return probe.takeError();
  auto plan = QuantizationPlan::create(getModelFunction(module));
  for (unsigned i = 0; i < layers.size() + plan.values.size(); ++i)
    probe->set(i, false);
  std::vector<std::vector<float>> errors;
  Progress progress("samples", data.size());
  for (uint64_t sample = 0; sample < data.size(); ++sample) {
    if (llvm::Error error = probe->run(sample))
      return std::move(error);
    errors.resize(layers.size());
    for (auto [i, sum] : llvm::enumerate(errors)) {
      ArrayRef<float> mean = probe->floats(outputs + i);
      sum.resize(mean.size(), 0);
      for (auto [to, value] : llvm::zip_equal(sum, mean))
        to += value / static_cast<float>(data.size());
    }
    progress.step();
  }
  return errors;
}
