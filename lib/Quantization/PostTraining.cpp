//===- PostTraining.cpp - Quantization of trained models ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/PostTraining.h"
#include "Labels.h"
#include "Observation.h"
#include "Simulation.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/System/Progress.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using llvm::Error;
using llvm::Expected;

/// What looking at each layer may take, and what the choice may: some seconds,
/// and some tens of seconds, of a core.
static constexpr double fewMultiplyAdds = 4e11, manyMultiplyAdds = 4e12;
/// More samples say no more of a layer.
static constexpr uint64_t fewSamples = 16;

namespace {
class PostTraining {
public:
  PostTraining(ModuleOp module, const PostTrainingOptions &options,
               CalibrationData data, CompileFunction compile)
      : module(module), options(options), data(std::move(data)),
        compile(compile),
        plan(QuantizationPlan::create(getModelFunction(module))) {}

  Expected<QuantizationReport> run();

private:
  /// As many samples as an evaluation can look at, of which there is one for
  /// each layer, so that all of them take about `multiplyAdds`.
  uint64_t countSamples(double multiplyAdds, uint64_t most) const;
  void describeLayers();
  Error checkFinite() const;
  Error roundAllWeights();
  /// What the samples give for ranges found so, a calibrator for each group.
  Expected<Simulation> simulate(ArrayRef<Calibrator> calibrators);
  /// How good the model is with each layer alone in bytes.
  Expected<std::vector<double>> examineAlone(Simulation &simulation);
  /// The better calibrator for each group.
  Expected<std::vector<Calibrator>> chooseCalibrators();
  Error examineLayers(Simulation &simulation);
  Expected<LayerChoice> chooseInBytes(Simulation &simulation);
  Expected<LayerChoice> chooseBySqnr(Simulation &simulation,
                                     ArrayRef<LayerCost> costs,
                                     PrecisionGoal goal);
  Error finish(Simulation &simulation, const LayerChoice &inBytes);

  ModuleOp module;
  const PostTrainingOptions &options;
  CalibrationData data;
  CompileFunction compile;
  QuantizationPlan plan;
  std::vector<Histogram> histograms;
  QuantizationParameters parameters;
  /// Its first layers are those of the plan.
  QuantizationReport report;
};
} // namespace

uint64_t PostTraining::countSamples(double multiplyAdds, uint64_t most) const {
  double run = 0;
  for (const PlannedLayer &layer : plan.layers)
    run += static_cast<double>(layer.multiplyAdds);
  constexpr double fewest = 2;
  double all = run * static_cast<double>(plan.layers.size());
  double samples = std::max(multiplyAdds / std::max(all, 1.0), fewest);
  return samples < static_cast<double>(most) ? static_cast<uint64_t>(samples)
                                             : most;
}

void PostTraining::describeLayers() {
  report.samples = data.size();
  report.files = data.getPaths();
  if (!options.labels.empty())
    report.files.push_back(options.labels);
  for (const PlannedLayer &layer : plan.layers)
    report.layers.push_back({layer.name, layer.multiplyAdds, true, "", {}, {}});
  for (const UnplannedLayer &layer : plan.unplanned)
    report.layers.push_back(
        {layer.name, layer.multiplyAdds, false, layer.reason, {}, {}});
}

Error PostTraining::checkFinite() const {
  for (const PlannedLayer &layer : plan.layers) {
    unsigned group = plan.values[layer.sources.front()].group;
    if (uint64_t count = histograms[group].getNotFinite())
      return llvm::createStringError(
          "node '" + layer.name + "' reads " + Twine(count) +
          " values that are NaN or infinite on the calibration data; give "
          "samples that the model can compute");
  }
  return Error::success();
}

Error PostTraining::roundAllWeights() {
  for (const PlannedLayer &layer : plan.layers) {
    Value weights = layer.op->getOperand(1);
    parameters.weights.push_back(
        roundWeights(ElementBytes(getConstant(weights)).as<float>(),
                     getShape(weights).back()));
  }
  return balanceWeights(module, plan, data, compile, parameters.weights);
}

Expected<Simulation> PostTraining::simulate(ArrayRef<Calibrator> calibrators) {
  parameters.groups.clear();
  for (auto [histogram, calibrator] : llvm::zip_equal(histograms, calibrators))
    parameters.groups.push_back(
        getByteParameters(chooseRange(histogram, calibrator)));
  parameters.corrections.assign(plan.layers.size(), {});
  auto errors = measureMeanErrors(module, parameters, data, compile);
  if (!errors)
    return errors.takeError();
  parameters.corrections = std::move(*errors);
  return Simulation::create(module, parameters, data, compile);
}

Expected<std::vector<double>>
PostTraining::examineAlone(Simulation &simulation) {
  std::vector<double> result;
  uint64_t samples = countSamples(fewMultiplyAdds, fewSamples);
  Progress progress("layers", plan.layers.size());
  for (unsigned i = 0; i < plan.layers.size(); ++i) {
    LayerChoice alone(plan.layers.size(), false);
    alone[i] = true;
    auto sqnr = simulation.getSqnr(alone, samples);
    if (!sqnr)
      return sqnr.takeError();
    result.push_back(*sqnr);
    progress.step();
  }
  return result;
}

Expected<std::vector<Calibrator>> PostTraining::chooseCalibrators() {
  if (options.calibrator)
    return std::vector(plan.groups, *options.calibrator);
  constexpr Calibrator candidates[] = {Calibrator::Mse, Calibrator::MinMax};
  std::vector<Calibrator> best(plan.groups, candidates[0]);
  std::vector<double> least(plan.groups, INFINITY);
  for (Calibrator candidate : candidates) {
    auto simulation = simulate(std::vector(plan.groups, candidate));
    if (!simulation)
      return simulation.takeError();
    auto alone = examineAlone(*simulation);
    if (!alone)
      return alone.takeError();
    std::vector<double> noise(plan.groups, 0);
    for (auto [layer, sqnr] : llvm::zip_equal(plan.layers, *alone))
      noise[plan.values[layer.sources.front()].group] +=
          std::pow(10, -sqnr / 10);
    for (unsigned group = 0; group < plan.groups; ++group)
      if (noise[group] < least[group]) {
        least[group] = noise[group];
        best[group] = candidate;
      }
  }
  return best;
}

Error PostTraining::examineLayers(Simulation &simulation) {
  auto alone = examineAlone(simulation);
  if (!alone)
    return alone.takeError();
  LayerChoice upTo(plan.layers.size(), false);
  uint64_t samples = countSamples(fewMultiplyAdds, fewSamples);
  Progress progress("layers", plan.layers.size());
  for (unsigned i = 0; i < plan.layers.size(); ++i) {
    upTo[i] = true;
    auto sqnr = simulation.getSqnr(upTo, samples);
    if (!sqnr)
      return sqnr.takeError();
    report.layers[i].alone = (*alone)[i];
    report.layers[i].accumulated = *sqnr;
    progress.step();
  }
  return Error::success();
}

Expected<LayerChoice> PostTraining::chooseBySqnr(Simulation &simulation,
                                                 ArrayRef<LayerCost> costs,
                                                 PrecisionGoal goal) {
  uint64_t samples = countSamples(manyMultiplyAdds, data.size());
  while (true) {
    auto choice = chooseLayers(costs, goal, [&](const LayerChoice &choice) {
      return simulation.getSqnr(choice, samples);
    });
    if (!choice || !options.minSqnr)
      return choice;
    // What was asked for is to hold on all samples, not on some.
    auto reached = simulation.getSqnr(*choice, data.size());
    if (!reached)
      return reached.takeError();
    double lacking = *options.minSqnr - *reached;
    if (!(lacking > 0) || !llvm::is_contained(*choice, true))
      return choice;
    goal.least += std::max(1.0, lacking);
  }
}

Expected<LayerChoice> PostTraining::chooseInBytes(Simulation &simulation) {
  LayerChoice all(plan.layers.size(), true);
  if (options.mixedPrecision == MixedPrecision::Off)
    return all;
  std::vector<LayerCost> costs;
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    costs.push_back({plan.layers[i].multiplyAdds, *report.layers[i].alone});
  if (!options.maxDrop) {
    PrecisionGoal goal{options.minSqnr.value_or(PostTrainingOptions::usualSqnr),
                       options.minSqnr ? 1 : PostTrainingOptions::mostFloats};
    return chooseBySqnr(simulation, costs, goal);
  }
  auto labels = Labels::read(options.labels);
  if (!labels)
    return labels.takeError();
  auto wanted =
      simulation.countRight(LayerChoice(plan.layers.size(), false), *labels);
  if (!wanted)
    return wanted.takeError();
  PrecisionGoal goal{static_cast<double>(*wanted) -
                     *options.maxDrop / 100 *
                         static_cast<double>(labels->values.size())};
  return chooseLayers(costs, goal,
                      [&](const LayerChoice &choice) -> Expected<double> {
                        auto right = simulation.countRight(choice, *labels);
                        if (!right)
                          return right.takeError();
                        return static_cast<double>(*right);
                      });
}

/// Says what was chosen, and rewrites the model itself.
Error PostTraining::finish(Simulation &simulation, const LayerChoice &inBytes) {
  LayerChoice all(plan.layers.size(), true);
  if (Error error =
          simulation.getSqnr(all, UINT64_MAX).moveInto(report.allBytes))
    return error;
  if (Error error =
          simulation.getSqnr(inBytes, UINT64_MAX).moveInto(report.chosen))
    return error;
  std::vector<Choice> layers(plan.layers.size()), values(plan.values.size());
  for (unsigned i = 0; i < plan.layers.size(); ++i) {
    if (!inBytes[i]) {
      report.layers[i].isBytes = false;
      report.layers[i].reason = "bytes cost too much accuracy";
      continue;
    }
    layers[i].kind = Choice::Bytes;
    for (unsigned source : plan.layers[i].sources)
      values[source].kind = Choice::Bytes;
  }
  rewriteQuantized(plan, parameters, values, layers);
  return Error::success();
}

Expected<QuantizationReport> PostTraining::run() {
  describeLayers();
  if (plan.layers.empty())
    return std::move(report);
  if (Error error =
          countValues(module, plan, data, compile).moveInto(histograms))
    return std::move(error);
  if (Error error = checkFinite())
    return std::move(error);
  if (Error error = roundAllWeights())
    return std::move(error);
  auto calibrators = chooseCalibrators();
  if (!calibrators)
    return calibrators.takeError();
  auto simulation = simulate(*calibrators);
  if (!simulation)
    return simulation.takeError();
  if (Error error = examineLayers(*simulation))
    return std::move(error);
  auto inBytes = chooseInBytes(*simulation);
  if (!inBytes)
    return inBytes.takeError();
  if (Error error = finish(*simulation, *inBytes))
    return std::move(error);
  return std::move(report);
}

Error brisk::checkFloats(ModuleOp module) {
  auto find = [](Operation *op) {
    return isa<QuantizeOp, DequantizeOp>(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  };
  if (!module.walk(find).wasInterrupted())
    return Error::success();
  return llvm::createStringError(
      "the model is quantized already; compile it without --quantize, or "
      "quantize the model that it was made of");
}

Expected<QuantizationReport>
brisk::quantizeTrained(ModuleOp module, const PostTrainingOptions &options,
                       CompileFunction compile) {
  func::FuncOp function = getModelFunction(module);
  auto data = readSamples(function, options.calibration);
  if (!data)
    return data.takeError();
  return PostTraining(module, options, std::move(*data), compile).run();
}
