//===- PostTraining.cpp - Quantization of trained models ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/PostTraining.h"
#include "Equalization.h"
#include "ExactLayers.h"
#include "Observation.h"
#include "Simulation.h"
#include "TimeEstimate.h"
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
               const CalibrationData &data, CompileFunction compile,
               EstimateFunction estimate)
      : module(module), options(options), data(data), compile(compile),
        estimate(estimate),
        plan(QuantizationPlan::create(getModelFunction(module))) {}

  /// Makes channels alike where that makes the noise less.
  Error equalize();
  Expected<QuantizationReport> run();

private:
  /// As many samples as an evaluation can look at, of which there is one for
  /// each layer, so that all of them take about `multiplyAdds`.
  uint64_t countSamples(double multiplyAdds, uint64_t most) const;
  void describeLayers();
  /// Sees where values lie, and rounds the weights.
  Error observe();
  /// How long the model takes on its target.
  Expected<TimeEstimate> estimateTime();
  void findRanges(ArrayRef<Calibrator> calibrators);
  /// Finds by how much bytes change the means of output channels.
  Error correctMeans();
  Expected<Simulation> simulate() const {
    return Simulation::create(module, parameters, data, compile);
  }
  /// How good the model is with each of `some` layers alone in bytes, in dB.
  Expected<std::vector<double>> examineAlone(Simulation &simulation,
                                             const LayerChoice &some);
  /// The noise of each of `some` layers, before weights are balanced and means
  /// corrected; 0 for others.
  Expected<std::vector<double>> measureNoise(const LayerChoice &some);
  /// The better calibrator for each group; where none is asked for, the report
  /// says how good layers are with it.
  Error chooseRanges();
  Error examineLayers(Simulation &simulation);
  /// Of `candidates`, the layers that cost no more accuracy than they may.
  Expected<LayerChoice> chooseExact(Simulation &simulation,
                                    const LayerChoice &candidates);
  /// The layers in bytes; the report says why others are not.
  Expected<LayerChoice> choose(Simulation &simulation,
                               const TimeEstimate &time);
  Error finish(Simulation &simulation, const TimeEstimate &time,
               const LayerChoice &inBytes);

  ModuleOp module;
  const PostTrainingOptions &options;
  const CalibrationData &data;
  CompileFunction compile;
  EstimateFunction estimate;
  QuantizationPlan plan;
  std::vector<Histogram> histograms;
  QuantizationParameters parameters;
  std::vector<unsigned> equalized; ///< layers that read scaled channels
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
    report.layers.push_back({layer.name, layer.multiplyAdds, true});
  for (unsigned layer : equalized)
    report.layers[layer].isEqualized = true;
  for (const UnplannedLayer &layer : plan.unplanned)
    report.layers.push_back(
        {layer.name, layer.multiplyAdds, false, layer.reason});
}

Expected<TimeEstimate> PostTraining::estimateTime() {
  findRanges(std::vector(plan.groups, Calibrator::MinMax));
  auto time = TimeEstimate::create(module, plan, parameters, estimate);
  if (!time)
    return time.takeError();
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    report.layers[i].cyclesWon = time->getWon(i);
  return time;
}

void PostTraining::findRanges(ArrayRef<Calibrator> calibrators) {
  parameters.groups.clear();
  for (auto [histogram, calibrator] : llvm::zip_equal(histograms, calibrators))
    parameters.groups.push_back(
        getByteParameters(chooseRange(histogram, calibrator)));
  parameters.corrections.assign(plan.layers.size(), {});
}

Error PostTraining::correctMeans() {
  return measureMeanErrors(module, parameters, data, compile)
      .moveInto(parameters.corrections);
}

Expected<std::vector<double>>
PostTraining::examineAlone(Simulation &simulation, const LayerChoice &some) {
  std::vector<double> result;
  uint64_t samples = countSamples(fewMultiplyAdds, fewSamples);
  Progress progress("layers", llvm::count(some, true));
  for (unsigned i = 0; i < plan.layers.size(); ++i) {
    result.push_back(INFINITY);
    if (!some[i])
      continue;
    LayerChoice alone(plan.layers.size(), false);
    alone[i] = true;
    auto sqnr = simulation.getSqnr(alone, samples);
    if (!sqnr)
      return sqnr.takeError();
    result.back() = *sqnr;
    progress.step();
  }
  return result;
}

static double toNoise(double sqnr) { return std::pow(10, -sqnr / 10); }

Error PostTraining::observe() {
  if (Error error =
          countValues(module, plan, data, compile).moveInto(histograms))
    return error;
  parameters.weights = roundAllWeights(plan);
  return Error::success();
}

Expected<std::vector<double>>
PostTraining::measureNoise(const LayerChoice &some) {
  if (Error error = observe())
    return std::move(error);
  findRanges(
      std::vector(plan.groups, options.calibrator.value_or(Calibrator::Mse)));
  auto simulation = simulate();
  if (!simulation)
    return simulation.takeError();
  auto alone = examineAlone(*simulation, some);
  if (alone)
    llvm::transform(*alone, alone->begin(), toNoise);
  return alone;
}

Error PostTraining::equalize() {
  func::FuncOp function = getModelFunction(module);
  if (!ChannelGraph::canHold(function))
    return Error::success();
  std::vector<ScalableChannels> all =
      findScalable(plan, ChannelGraph(function, ChannelGraph::Kind::Scaled));
  if (all.empty())
    return Error::success();
  auto scales = chooseAllScales(module, data, compile);
  if (!scales)
    return scales.takeError();
  OwningOpRef<ModuleOp> copy(module.clone());
  applyScales(*copy, *scales);
  LayerChoice readers(plan.layers.size(), false);
  for (const ScalableChannels &channels : all)
    for (unsigned reader : channels.readers)
      readers[reader] = true;
  auto measure = [&](ModuleOp which) {
    return PostTraining(which, options, data, compile, estimate)
        .measureNoise(readers);
  };
  auto before = measure(module), after = measure(*copy);
  if (!before || !after)
    return llvm::joinErrors(before.takeError(), after.takeError());
  for (auto [channels, by] : llvm::zip_equal(all, *scales)) {
    double less = 0;
    for (unsigned reader : channels.readers)
      less += (*before)[reader] - (*after)[reader];
    if (less > 0)
      llvm::append_range(equalized, channels.readers);
    else
      by.clear();
  }
  applyScales(module, *scales);
  plan = QuantizationPlan::create(getModelFunction(module));
  return Error::success();
}

Error PostTraining::chooseRanges() {
  constexpr Calibrator candidates[] = {Calibrator::Mse, Calibrator::MinMax};
  std::vector<Calibrator> best(plan.groups,
                               options.calibrator.value_or(candidates[0]));
  if (options.calibrator) {
    findRanges(best);
    return correctMeans();
  }
  std::vector<double> least(plan.groups, INFINITY);
  std::vector<std::vector<float>> corrections(plan.layers.size());
  for (Calibrator candidate : candidates) {
    findRanges(std::vector(plan.groups, candidate));
    if (Error error = correctMeans())
      return error;
    auto simulation = simulate();
    if (!simulation)
      return simulation.takeError();
    auto alone =
        examineAlone(*simulation, LayerChoice(plan.layers.size(), true));
    if (!alone)
      return alone.takeError();
    std::vector<double> noise(plan.groups, 0);
    for (auto [i, sqnr] : llvm::enumerate(*alone))
      noise[plan.getGroup(i)] += toNoise(sqnr);
    for (unsigned group = 0; group < plan.groups; ++group)
      if (noise[group] < least[group]) {
        least[group] = noise[group];
        best[group] = candidate;
      }
    // What a layer gives by itself depends on no other group's range.
    for (auto [i, sqnr] : llvm::enumerate(*alone))
      if (best[plan.getGroup(i)] == candidate) {
        report.layers[i].alone = sqnr;
        corrections[i] = std::move(parameters.corrections[i]);
      }
  }
  findRanges(best);
  parameters.corrections = std::move(corrections);
  return Error::success();
}

Error PostTraining::examineLayers(Simulation &simulation) {
  LayerChoice all(plan.layers.size(), true), upTo(plan.layers.size(), false);
  if (options.calibrator) {
    auto alone = examineAlone(simulation, all);
    if (!alone)
      return alone.takeError();
    for (auto [i, sqnr] : llvm::enumerate(*alone))
      report.layers[i].alone = sqnr;
  }
  uint64_t samples = countSamples(fewMultiplyAdds, fewSamples);
  Progress progress("layers", plan.layers.size());
  for (unsigned i = 0; i < plan.layers.size(); ++i) {
    upTo[i] = true;
    auto sqnr = simulation.getSqnr(upTo, samples);
    if (!sqnr)
      return sqnr.takeError();
    report.layers[i].accumulated = *sqnr;
    progress.step();
  }
  return Error::success();
}

Expected<LayerChoice> PostTraining::chooseExact(Simulation &simulation,
                                                const LayerChoice &candidates) {
  std::vector<LayerCost> costs;
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    costs.push_back(
        {plan.layers[i].multiplyAdds, *report.layers[i].alone, candidates[i]});
  return brisk::chooseExact(simulation, costs, options,
                            countSamples(manyMultiplyAdds, data.size()));
}

Expected<LayerChoice> PostTraining::choose(Simulation &simulation,
                                           const TimeEstimate &time) {
  LayerChoice all(plan.layers.size(), true);
  if (options.mixedPrecision == MixedPrecision::Off)
    return all;
  auto exclude = [&](const LayerChoice &choice, StringRef reason) {
    for (auto [layer, isBytes] : llvm::zip_first(choice, report.layers))
      if (!layer && isBytes.reason.empty())
        isBytes.reason = reason.str();
  };
  auto faster = time.chooseFaster(all);
  if (!faster)
    return faster.takeError();
  exclude(*faster, "bytes are not faster");
  auto exact = chooseExact(simulation, *faster);
  if (!exact)
    return exact.takeError();
  exclude(*exact, "bytes cost too much accuracy");
  auto chosen = time.chooseFaster(*exact);
  if (!chosen || *chosen == *exact)
    return chosen;
  // Errors may make up for each other.
  auto reaches = reachesGoal(simulation, *chosen, options);
  if (!reaches)
    return reaches.takeError();
  return std::move(*reaches ? chosen : exact);
}

/// Says what was chosen, and rewrites the model itself.
Error PostTraining::finish(Simulation &simulation, const TimeEstimate &time,
                           const LayerChoice &inBytes) {
  const LayerChoice all(plan.layers.size(), true),
      none(plan.layers.size(), false);
  for (auto [to, choice] :
       {std::pair(&report.allBytes, &all), std::pair(&report.chosen, &inBytes)})
    if (Error error =
            simulation.getSqnr(*choice, UINT64_MAX).moveInto(to->emplace()))
      return error;
  for (auto [to, choice] : {std::pair(&report.cyclesOfFloats, &none),
                            std::pair(&report.cyclesOfBytes, &all),
                            std::pair(&report.cyclesChosen, &inBytes)})
    if (Error error = time.getCycles(*choice).moveInto(*to))
      return error;
  for (auto [layer, isBytes] : llvm::zip_first(inBytes, report.layers)) {
    isBytes.isBytes = layer;
    if (!layer && isBytes.reason.empty())
      isBytes.reason = "bytes are not faster next to layers of floats";
  }
  rewriteChosen(plan, parameters, inBytes);
  return Error::success();
}

Expected<QuantizationReport> PostTraining::run() {
  describeLayers();
  if (plan.layers.empty())
    return std::move(report);
  if (Error error = observe())
    return std::move(error);
  auto time = estimateTime();
  if (!time)
    return time.takeError();
  if (Error error =
          balanceWeights(module, plan, data, compile, parameters.weights))
    return std::move(error);
  if (Error error = chooseRanges())
    return std::move(error);
  auto simulation = simulate();
  if (!simulation)
    return simulation.takeError();
  if (Error error = examineLayers(*simulation))
    return std::move(error);
  auto inBytes = choose(*simulation, *time);
  if (!inBytes)
    return inBytes.takeError();
  if (Error error = finish(*simulation, *time, *inBytes))
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
                       CompileFunction compile, EstimateFunction estimate) {
  func::FuncOp function = getModelFunction(module);
  auto data = readSamples(function, options.calibration);
  if (!data)
    return data.takeError();
  PostTraining training(module, options, *data, compile, estimate);
  if (Error error = training.equalize())
    return std::move(error);
  return training.run();
}
