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
  /// Takes where values were seen to lie, and rounds the weights.
  void prepare(std::vector<Histogram> seen);
  /// How long the model takes on its target.
  Expected<TimeEstimate> estimateTime();
  /// The parameters with ranges by a calibrator, without corrections.
  QuantizationParameters findRanges(Calibrator calibrator) const;
  /// How good the model is with each of `some` layers alone in bytes, in dB.
  Expected<std::vector<double>> examineAlone(Simulation &simulation,
                                             const LayerChoice &some);
  /// The noise of each of `some` layers, before weights are balanced and means
  /// corrected; 0 for others.
  Expected<std::vector<double>> measureNoise(std::vector<Histogram> seen,
                                             const LayerChoice &some);
  /// Takes the ranges of the better calibrator for each group, and finds by how
  /// much bytes change the means of channels; where none is asked for, the
  /// report says how good layers are with it.
  Error chooseRanges();
  /// Takes the ranges of a trial for those groups for which they make less
  /// noise than `least`.
  Error tryRanges(const Trial &trial, std::vector<double> &least);
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
  auto time = TimeEstimate::create(module, plan, findRanges(Calibrator::MinMax),
                                   estimate);
  if (!time)
    return time.takeError();
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    report.layers[i].cyclesWon = time->getWon(i);
  return time;
}

QuantizationParameters PostTraining::findRanges(Calibrator calibrator) const {
  QuantizationParameters result = parameters;
  result.groups.clear();
  for (const Histogram &histogram : histograms)
    result.groups.push_back(
        getByteParameters(chooseRange(histogram, calibrator)));
  result.corrections.assign(plan.layers.size(), {});
  return result;
}

Expected<std::vector<double>>
PostTraining::examineAlone(Simulation &simulation, const LayerChoice &some) {
  std::vector<double> result;
  uint64_t samples = countSamples(fewMultiplyAdds, fewSamples);
  Progress progress("layers in bytes, each alone", llvm::count(some, true));
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

void PostTraining::prepare(std::vector<Histogram> seen) {
  histograms = std::move(seen);
  parameters.weights = roundAllWeights(plan);
}

Expected<std::vector<double>>
PostTraining::measureNoise(std::vector<Histogram> seen,
                           const LayerChoice &some) {
  prepare(std::move(seen));
  auto simulation = Simulation::create(
      module, findRanges(options.calibrator.value_or(Calibrator::Mse)), some,
      data, compile);
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
  ChannelGraph graph(function, ChannelGraph::Kind::Scaled);
  std::vector<ScalableChannels> all = findScalable(plan, graph);
  if (all.empty())
    return Error::success();
  auto seen =
      observe(module, plan, data, compile, {.histograms = true, .sizes = true});
  if (!seen)
    return seen.takeError();
  auto scales = chooseAllScales(plan, graph, all, seen->sizes);
  OwningOpRef<ModuleOp> copy(module.clone());
  applyScales(*copy, scales);
  PostTraining alike(*copy, options, data, compile, estimate);
  auto seenAlike =
      observe(*copy, alike.plan, data, compile, {.histograms = true});
  if (!seenAlike)
    return seenAlike.takeError();
  LayerChoice readers(plan.layers.size(), false);
  for (const ScalableChannels &channels : all)
    for (unsigned reader : channels.readers)
      readers[reader] = true;
  auto before = measureNoise(std::move(seen->histograms), readers),
       after = alike.measureNoise(std::move(seenAlike->histograms), readers);
  if (!before || !after)
    return llvm::joinErrors(before.takeError(), after.takeError());
  for (auto [channels, by] : llvm::zip_equal(all, scales)) {
    double less = 0;
    for (unsigned reader : channels.readers)
      less += (*before)[reader] - (*after)[reader];
    if (less > 0)
      llvm::append_range(equalized, channels.readers);
    else
      by.clear();
  }
  applyScales(module, scales);
  plan = QuantizationPlan::create(getModelFunction(module));
  return Error::success();
}

Error PostTraining::tryRanges(const Trial &trial, std::vector<double> &least) {
  auto simulation =
      Simulation::create(module, trial.parameters, trial.layers, data, compile);
  if (!simulation)
    return simulation.takeError();
  auto alone = examineAlone(*simulation, trial.layers);
  if (!alone)
    return alone.takeError();
  std::vector<double> noise(plan.groups, 0);
  for (auto [i, sqnr] : llvm::enumerate(*alone))
    noise[plan.getGroup(i)] += toNoise(sqnr);
  for (auto [i, sqnr] : llvm::enumerate(*alone)) {
    unsigned group = plan.getGroup(i);
    bool isFirst = !report.layers[i].alone;
    if (!trial.layers[i] || (!isFirst && noise[group] >= least[group]))
      continue;
    // What a layer gives by itself depends on no other group's range.
    parameters.groups[group] = trial.parameters.groups[group];
    parameters.corrections[i] = trial.parameters.corrections[i];
    report.layers[i].alone = sqnr;
  }
  for (unsigned i = 0; i < plan.layers.size(); ++i)
    if (unsigned group = plan.getGroup(i); trial.layers[i])
      least[group] = std::min(least[group], noise[group]);
  return Error::success();
}

Error PostTraining::chooseRanges() {
  std::vector<Trial> trials = {
      {findRanges(options.calibrator.value_or(Calibrator::Mse)),
       LayerChoice(plan.layers.size(), true)}};
  if (!options.calibrator) {
    Trial other{findRanges(Calibrator::MinMax), {}};
    // Not where the ranges are the same.
    for (unsigned i = 0; i < plan.layers.size(); ++i)
      other.layers.push_back(
          other.parameters.groups[plan.getGroup(i)] !=
          trials.front().parameters.groups[plan.getGroup(i)]);
    if (llvm::is_contained(other.layers, true))
      trials.push_back(std::move(other));
  }
  if (Error error = measureMeanErrors(module, trials, data, compile))
    return error;
  parameters = trials.front().parameters;
  if (options.calibrator)
    return Error::success();
  std::vector<double> least(plan.groups, INFINITY);
  for (const Trial &trial : trials)
    if (Error error = tryRanges(trial, least))
      return error;
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
  Progress progress("layers in bytes, with those before", plan.layers.size());
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
  auto seen = observe(module, plan, data, compile,
                      {.histograms = true, .moments = true});
  if (!seen)
    return seen.takeError();
  prepare(std::move(seen->histograms));
  auto time = estimateTime();
  if (!time)
    return time.takeError();
  balanceWeights(plan, seen->moments, parameters.weights);
  if (Error error = chooseRanges())
    return std::move(error);
  auto simulation = Simulation::create(
      module, parameters, LayerChoice(plan.layers.size(), true), data, compile);
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
