//===- Observation.cpp - What layers read, sample by sample ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observation.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/System/Progress.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using llvm::Error;
using llvm::Expected;

/// What to do with a value of that number, in a sample.
using Visit = llvm::function_ref<void(unsigned number, uint64_t sample,
                                      ArrayRef<float> elements)>;
/// The values of a plan to look at.
using Select = llvm::function_ref<SmallVector<Value>(const QuantizationPlan &)>;

/// Runs the samples with some of the selected values among the results.
static Error observe(ModuleOp module, Select select, ArrayRef<unsigned> some,
                     const CalibrationData &data, CompileFunction compile,
                     Visit visit) {
  OwningOpRef<ModuleOp> copy(module.clone());
  func::FuncOp function = getModelFunction(*copy);
  SmallVector<Value> all = select(QuantizationPlan::create(function)), observed;
  unsigned outputs = function.getNumResults();
  for (unsigned number : some)
    observed.push_back(all[number]);
  addResults(function, observed);
  auto probe = Probe::create(*copy, data, compile);
  if (!probe)
    return probe.takeError();
  Progress progress("samples", data.size());
  for (uint64_t sample = 0; sample < data.size(); ++sample) {
    if (Error error = probe->run(sample))
      return error;
    for (auto [i, number] : llvm::enumerate(some))
      visit(number, sample, probe->floats(outputs + i));
    progress.step();
  }
  return Error::success();
}

/// The same of all selected values, some at a time where they are large.
static Error observeAll(ModuleOp module, Select select,
                        const CalibrationData &data, CompileFunction compile,
                        Visit visit) {
  SmallVector<Value> all =
      select(QuantizationPlan::create(getModelFunction(module)));
  constexpr uint64_t mostBytes = 1 << 30;
  std::vector<unsigned> some;
  uint64_t bytes = 0;
  for (auto [i, value] : llvm::enumerate(all)) {
    uint64_t size = getByteSize(cast<ShapedType>(value.getType()));
    if (!some.empty() && bytes + size > mostBytes) {
      if (Error error = observe(module, select, some, data, compile, visit))
        return error;
      some.clear();
      bytes = 0;
    }
    some.push_back(i);
    bytes += size;
  }
  return observe(module, select, some, data, compile, visit);
}

/// What a model can be quantized by has to be numbers.
static Error checkFinite(const QuantizationPlan &plan,
                         ArrayRef<Histogram> histograms) {
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    if (uint64_t count = histograms[plan.getGroup(i)].getNotFinite())
      return llvm::createStringError(
          "node '" + layer.name + "' reads " + Twine(count) +
          " values that are NaN or infinite on the calibration data; give "
          "samples that the model can compute");
  return Error::success();
}

Expected<std::vector<Histogram>>
brisk::countValues(ModuleOp module, const QuantizationPlan &plan,
                   const CalibrationData &data, CompileFunction compile) {
  std::vector<Histogram> histograms(plan.groups);
  auto select = [](const QuantizationPlan &plan) {
    return llvm::map_to_vector(
        plan.values, [](const PlannedValue &value) { return value.value; });
  };
  if (Error error =
          observeAll(module, select, data, compile,
                     [&](unsigned number, uint64_t, ArrayRef<float> elements) {
                       histograms[plan.values[number].group].add(elements);
                     }))
    return std::move(error);
  if (Error error = checkFinite(plan, histograms))
    return std::move(error);
  return histograms;
}

Expected<std::vector<InputMoments>>
brisk::observeMoments(ModuleOp module, const QuantizationPlan &plan,
                      const CalibrationData &data, CompileFunction compile) {
  std::vector<InputMoments> moments;
  for (const PlannedLayer &layer : plan.layers)
    moments.emplace_back(layer.getInput(), data.size());
  auto select = [](const QuantizationPlan &plan) {
    return llvm::map_to_vector(plan.layers, [](const PlannedLayer &layer) {
      return layer.op->getOperand(0);
    });
  };
  if (Error error = observeAll(
          module, select, data, compile,
          [&](unsigned number, uint64_t sample, ArrayRef<float> elements) {
            moments[number].add(elements, sample);
          }))
    return std::move(error);
  return moments;
}

std::vector<ByteWeights> brisk::roundAllWeights(const QuantizationPlan &plan) {
  std::vector<ByteWeights> rounded;
  for (const PlannedLayer &layer : plan.layers) {
    Value weights = layer.op->getOperand(1);
    rounded.push_back(
        roundWeights(ElementBytes(getConstant(weights)).as<float>(),
                     getShape(weights).back()));
  }
  return rounded;
}

Error brisk::balanceWeights(ModuleOp module, const QuantizationPlan &plan,
                            const CalibrationData &data,
                            CompileFunction compile,
                            std::vector<ByteWeights> &weights) {
  auto moments = observeMoments(module, plan, data, compile);
  if (!moments)
    return moments.takeError();
  for (auto [layer, moment, rounded] :
       llvm::zip_equal(plan.layers, *moments, weights))
    balanceErrors(
        ElementBytes(getConstant(layer.op->getOperand(1))).as<float>(), moment,
        rounded);
  return Error::success();
}

Expected<std::vector<std::vector<float>>>
brisk::measureChannels(ModuleOp module, ArrayRef<unsigned> layers,
                       const CalibrationData &data, CompileFunction compile) {
  auto plan = QuantizationPlan::create(getModelFunction(module));
  std::vector<std::vector<float>> sizes(plan.layers.size());
  for (unsigned layer : layers)
    sizes[layer].assign(getShape(plan.layers[layer].op->getOperand(0)).back(),
                        0);
  auto select = [&](const QuantizationPlan &plan) {
    return llvm::map_to_vector(layers, [&](unsigned layer) {
      return plan.layers[layer].op->getOperand(0);
    });
  };
  if (Error error =
          observeAll(module, select, data, compile,
                     [&](unsigned number, uint64_t, ArrayRef<float> elements) {
                       std::vector<float> &to = sizes[layers[number]];
                       for (auto [i, element] : llvm::enumerate(elements)) {
                         float &size = to[i % to.size()];
                         size = std::max(size, std::abs(element));
                       }
                     }))
    return std::move(error);
  return sizes;
}
