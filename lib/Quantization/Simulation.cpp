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

llvm::Expected<Simulation>
Simulation::create(ModuleOp module, const QuantizationParameters &parameters,
                   const LayerChoice &some, const CalibrationData &data,
                   CompileFunction compile) {
  OwningOpRef<ModuleOp> copy(module.clone());
  func::FuncOp function = getModelFunction(*copy);
  auto plan = QuantizationPlan::create(function);
  std::vector<Choice> layers(plan.layers.size()), values(plan.values.size());
  std::vector<std::vector<unsigned>> switches(plan.layers.size());
  llvm::DenseMap<unsigned, unsigned> ofValues;
  unsigned count = 0;
  auto makeSwitched = [&](Choice &choice) {
    choice = {Choice::Runtime, addSwitch(function)};
    return count++;
  };
  for (auto [i, layer] : llvm::enumerate(plan.layers)) {
    if (!some[i])
      continue;
    switches[i].push_back(makeSwitched(layers[i]));
    // A value is quantized where a layer in bytes reads it.
    for (unsigned source : layer.sources) {
      auto [known, isNew] = ofValues.try_emplace(source);
      if (isNew)
        known->second = makeSwitched(values[source]);
      switches[i].push_back(known->second);
    }
  }
  rewriteQuantized(plan, parameters, values, layers);
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
  return result;
}

llvm::Error Simulation::runReference(uint64_t samples) {
  set(LayerChoice(switches.size(), false));
  while (reference.size() < samples) {
    if (llvm::Error error = probe.run(reference.size()))
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
  uint64_t count = std::min(samples, most);
  if (llvm::Error error = runReference(count))
    return std::move(error);
  set(chosen);
  std::vector<execution::Deviation> deviations(reference.front().size());
  for (uint64_t sample = 0; sample < count; ++sample) {
    if (llvm::Error error = probe.run(sample))
      return std::move(error);
    unsigned next = 0;
    for (unsigned i = 0; i < outputs; ++i) {
      if (probe.output(i).dtype != BRISK_F32)
        continue;
      deviations[next].addAll<float>(probe.floats(i), reference[sample][next]);
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
  uint64_t rows = classes ? probe.floats(scores).size() / classes : 0;
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

/// Lets a function compute some of its layers in bytes as well, and gives the
/// mean errors of these.
static SmallVector<Value>
makeMeanErrors(func::FuncOp function, const QuantizationParameters &parameters,
               const LayerChoice &some) {
  auto plan = QuantizationPlan::create(function);
  std::vector<Choice> values(plan.values.size()), layers(plan.layers.size());
  for (auto [choice, isChosen] : llvm::zip_equal(layers, some))
    choice.kind = isChosen ? Choice::Both : Choice::Float;
  SmallVector<Value> means;
  for (const LayerResults &layer :
       rewriteQuantized(plan, parameters, values, layers)) {
    if (!layer.bytes)
      continue;
    OpBuilder b(function.getContext());
    Location loc = layer.bytes.getLoc();
    // Behind both.
    b.setInsertionPointAfterValue(layer.bytes);
    Value error = SubOp::create(b, loc, layer.floats.getType(), layer.floats,
                                layer.bytes);
    means.push_back(makeChannelMean(b, loc, error));
  }
  return means;
}

llvm::Error brisk::measureMeanErrors(ModuleOp module,
                                     MutableArrayRef<Trial> trials,
                                     const CalibrationData &data,
                                     CompileFunction compile) {
  OwningOpRef<ModuleOp> copy(module.clone());
  func::FuncOp function = getModelFunction(*copy);
  unsigned outputs = function.getNumResults();
  // Where what the probe gives is added up.
  std::vector<std::vector<float> *> sums;
  for (Trial &trial : trials) {
    auto &corrections = trial.parameters.corrections;
    corrections.assign(trial.layers.size(), {});
    addResults(function,
               makeMeanErrors(function, trial.parameters, trial.layers));
    for (auto [sum, isTried] : llvm::zip_equal(corrections, trial.layers))
      if (isTried)
        sums.push_back(&sum);
  }
  auto probe = Probe::create(*copy, data, compile);
  if (!probe)
    return probe.takeError();
  Progress progress("samples in floats and bytes", data.size());
  for (uint64_t sample = 0; sample < data.size(); ++sample) {
    if (llvm::Error error = probe->run(sample))
      return error;
    for (auto [i, sum] : llvm::enumerate(sums)) {
      ArrayRef<float> mean = probe->floats(outputs + i);
      sum->resize(mean.size(), 0);
      for (auto [to, value] : llvm::zip_equal(*sum, mean))
        to += value / static_cast<float>(data.size());
    }
    progress.step();
  }
  return llvm::Error::success();
}
