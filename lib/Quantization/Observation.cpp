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
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using llvm::Error;
using llvm::Expected;

/// What to do with the elements that a value has in a sample.
using Visit = std::function<void(uint64_t sample, ArrayRef<float> elements)>;

namespace {
/// Looks at values of a module, each of them for one reason or for several.
class Observer {
public:
  void add(Value value, Visit visit) {
    visits[value].push_back(std::move(visit));
  }
  /// Runs the samples.
  Error run(ModuleOp module, const CalibrationData &data,
            CompileFunction compile) const;

private:
  using Visits = std::pair<Value, SmallVector<Visit, 2>>;
  static Error run(ModuleOp module, ArrayRef<Visits> some,
                   const CalibrationData &data, CompileFunction compile);

  llvm::MapVector<Value, SmallVector<Visit, 2>> visits;
};
} // namespace

/// Runs the samples with some of the values among the results.
Error Observer::run(ModuleOp module, ArrayRef<Visits> some,
                    const CalibrationData &data, CompileFunction compile) {
  IRMapping map;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(map)));
  func::FuncOp function = getModelFunction(*copy);
  unsigned outputs = function.getNumResults();
  addResults(function, llvm::map_to_vector(some, [&](const Visits &visits) {
               return map.lookup(visits.first);
             }));
  auto probe = Probe::create(*copy, data, compile);
  if (!probe)
    return probe.takeError();
  Progress progress("samples observed", data.size());
  for (uint64_t sample = 0; sample < data.size(); ++sample) {
    if (Error error = probe->run(sample))
      return error;
    for (auto [i, visits] : llvm::enumerate(some))
      for (const Visit &visit : visits.second)
        visit(sample, probe->floats(outputs + i));
    progress.step();
  }
  return Error::success();
}

Error Observer::run(ModuleOp module, const CalibrationData &data,
                    CompileFunction compile) const {
  // Some values at a time where they are large.
  constexpr uint64_t mostBytes = 1 << 30;
  ArrayRef<Visits> rest(visits.begin(), visits.end());
  while (!rest.empty()) {
    uint64_t bytes = 0;
    ArrayRef<Visits> some = rest.take_while([&](const Visits &visits) {
      bytes += getByteSize(cast<ShapedType>(visits.first.getType()));
      return bytes <= mostBytes;
    });
    if (some.empty())
      some = rest.take_front();
    if (Error error = run(module, some, data, compile))
      return error;
    rest = rest.drop_front(some.size());
  }
  return Error::success();
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

/// Raises the sizes of channels, the last dimension, to those of elements.
static void raiseSizes(std::vector<float> &sizes, ArrayRef<float> elements) {
  for (; !elements.empty(); elements = elements.drop_front(sizes.size()))
    for (auto [size, element] : llvm::zip_first(sizes, elements))
      size = std::max(size, std::abs(element));
}

Expected<Observation> brisk::observe(ModuleOp module,
                                     const QuantizationPlan &plan,
                                     const CalibrationData &data,
                                     CompileFunction compile,
                                     Interest interest) {
  Observation seen;
  Observer observer;
  if (interest.histograms) {
    seen.histograms.resize(plan.groups);
    for (const PlannedValue &value : plan.values)
      observer.add(value.value, [&](uint64_t, ArrayRef<float> elements) {
        seen.histograms[value.group].add(elements);
      });
  }
  if (interest.moments)
    for (const PlannedLayer &layer : plan.layers)
      seen.moments.emplace_back(layer.getInput(), data.size());
  seen.sizes.resize(interest.sizes ? plan.layers.size() : 0);
  for (auto [i, layer] : llvm::enumerate(plan.layers)) {
    Value input = layer.op->getOperand(0);
    if (interest.moments)
      observer.add(input,
                   [&, i = i](uint64_t sample, ArrayRef<float> elements) {
                     seen.moments[i].add(elements, sample);
                   });
    if (interest.sizes) {
      seen.sizes[i].resize(getShape(input).back(), 0);
      observer.add(input, [&, i = i](uint64_t, ArrayRef<float> elements) {
        raiseSizes(seen.sizes[i], elements);
      });
    }
  }
  if (Error error = observer.run(module, data, compile))
    return std::move(error);
  if (interest.histograms)
    if (Error error = checkFinite(plan, seen.histograms))
      return std::move(error);
  return seen;
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

void brisk::balanceWeights(const QuantizationPlan &plan,
                           ArrayRef<InputMoments> moments,
                           std::vector<ByteWeights> &weights) {
  for (auto [layer, moment, rounded] :
       llvm::zip_equal(plan.layers, moments, weights))
    balanceErrors(
        ElementBytes(getConstant(layer.op->getOperand(1))).as<float>(), moment,
        rounded);
}
