//===- Pruning.cpp - Zeros in the weights of trained models ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/Pruning.h"
#include "Observation.h"
#include "PruningChoice.h"
#include "PruningUnits.h"
#include "Simulation.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/System/Progress.h"
#include "brisk/Transforms/ChannelGraph.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using llvm::Error;
using llvm::Expected;

std::string brisk::describePattern(const PruningOptions &options) {
  switch (options.pattern) {
  case PruningPattern::Channels:
    return "channels";
  case PruningPattern::TwoOfFour:
    return "2:4";
  case PruningPattern::Fraction:
    return llvm::formatv("{0}", options.fraction).str();
  }
  llvm_unreachable("no such pattern");
}

/// How much of a layer may become zero, in rising order.
static std::vector<double> getParts(const PruningOptions &options) {
  switch (options.pattern) {
  case PruningPattern::Channels:
    return {0.125, 0.25, 0.5, 0.75};
  case PruningPattern::TwoOfFour:
    return {0.5};
  case PruningPattern::Fraction:
    return {0.25 * options.fraction, 0.5 * options.fraction,
            0.75 * options.fraction, options.fraction};
  }
  llvm_unreachable("no such pattern");
}

/// The layer with other weights, in front of what follows it.
static Value makePruned(OpBuilder &b, const PlannedLayer &layer,
                        const SparseWeights &pruned) {
  b.setInsertionPointAfterValue(layer.getResult());
  Location loc = layer.op->getLoc();
  Value old = layer.op->getOperand(1);
  IRMapping map;
  map.map(old, ConstantOp::create(
                   b, old.getLoc(),
                   makeElements<float>(cast<RankedTensorType>(old.getType()),
                                       pruned.weights)));
  auto type = cast<RankedTensorType>(layer.op->getResult(0).getType());
  Value bias;
  if (layer.bias)
    bias = layer.bias->getOperand(layer.bias->getOperand(0) ==
                                  layer.op->getResult(0));
  else if (layer.op->getNumOperands() > 2)
    bias = layer.op->getOperand(2);
  std::vector<float> sum = pruned.correction;
  ElementsAttr constant = getConstant(bias);
  if (constant)
    for (auto [to, value] : llvm::zip_equal(sum, getAsDoubles(constant)))
      to += static_cast<float>(value);
  Value newBias = ConstantOp::create(
      b, loc,
      makeElements<float>(type.clone(type.getShape().take_back()), sum));
  Operation *copy = b.clone(*layer.op, map);
  if (auto conv = dyn_cast<ConvOp>(copy); conv && (constant || !bias)) {
    conv.getBiasMutable().assign(newBias);
    return conv;
  }
  return AddOp::create(b, layer.bias ? layer.bias->getLoc() : loc, type,
                       copy->getResult(0), newBias);
}

namespace {
class Pruning {
public:
  Pruning(ModuleOp module, const PruningOptions &options, CalibrationData data,
          CompileFunction compile)
      : module(module), options(options), data(std::move(data)),
        compile(compile),
        plan(QuantizationPlan::create(getModelFunction(module))),
        units(findUnits(getModelFunction(module), plan, options.pattern)) {}

  Expected<PruningReport> run();

private:
  /// A unit's weights with some of them zero.
  struct Candidate {
    unsigned unit;
    double part;
    std::vector<SparseWeights> weights; ///< of the unit's layers
  };

  Error describeLayers();
  uint64_t countMultiplyAdds(const PruningUnit &unit) const;
  Error makeCandidates();
  Expected<Simulation> simulate();
  /// As many samples as all evaluations can look at in some tens of seconds of
  /// a core.
  uint64_t countSamples() const;
  /// What each candidate alone brings and costs, unit by unit.
  Expected<std::vector<std::vector<PruningStep>>>
  examineAlone(Simulation &simulation);
  /// The candidates that are chosen.
  LayerChoice getChosen(const PruningChoice &choice) const;
  Expected<double> evaluate(Simulation &simulation, const PruningChoice &choice,
                            uint64_t samples);
  Expected<double> findGoal(Simulation &simulation);
  Expected<PruningChoice> choose(Simulation &simulation,
                                 ArrayRef<std::vector<PruningStep>> steps);
  void apply(const LayerChoice &chosen);
  void countAllZeros();

  ModuleOp module;
  const PruningOptions &options;
  CalibrationData data;
  CompileFunction compile;
  QuantizationPlan plan;
  std::vector<PruningUnit> units;
  /// Unit by unit, by rising parts.
  std::vector<Candidate> candidates;
  std::optional<Labels> labels;
  /// Its first layers are those of the plan.
  PruningReport report;
};
} // namespace

Error Pruning::describeLayers() {
  report.samples = data.size();
  report.files = data.getPaths();
  if (options.maxDrop) {
    if (Error error = Labels::read(options.labels).moveInto(labels))
      return error;
    report.files.push_back(options.labels);
  }
  for (const PlannedLayer &layer : plan.layers) {
    auto weights = static_cast<uint64_t>(
        getConstant(layer.op->getOperand(1)).getNumElements());
    report.layers.push_back({layer.name, weights, 0,
                             layer.getInput().groups != 1
                                 ? "its channels are in groups"
                                 : "what it reads has to stay"});
  }
  for (const PruningUnit &unit : units)
    for (unsigned layer : unit.layers)
      report.layers[layer].reason = "pruning it costs too much accuracy";
  for (const UnplannedLayer &layer : plan.unplanned)
    report.layers.push_back({layer.name, 0, 0, layer.reason});
  return Error::success();
}

uint64_t Pruning::countMultiplyAdds(const PruningUnit &unit) const {
  uint64_t sum = 0;
  for (unsigned layer : unit.layers)
    sum += plan.layers[layer].multiplyAdds;
  return sum;
}

Error Pruning::makeCandidates() {
  auto seen = observe(module, plan, data, compile, {.moments = true});
  if (!seen)
    return seen.takeError();
  Progress progress("weights", units.size());
  for (auto [number, unit] : llvm::enumerate(units)) {
    for (double part : getParts(options)) {
      Candidate candidate{
          static_cast<unsigned>(number), part,
          pruneUnit(unit, plan, seen->moments, options.pattern, part)};
      if (!candidate.weights.empty())
        candidates.push_back(std::move(candidate));
    }
    progress.step();
  }
  return Error::success();
}

/// A copy of the model with a switch for each candidate.
Expected<Simulation> Pruning::simulate() {
  OwningOpRef<ModuleOp> copy(module.clone());
  func::FuncOp function = getModelFunction(*copy);
  auto copied = QuantizationPlan::create(function);
  std::vector<std::vector<unsigned>> switches;
  for (const Candidate &candidate : candidates) {
    switches.push_back({static_cast<unsigned>(switches.size())});
    Value isOn = addSwitch(function);
    for (auto [number, weights] :
         llvm::zip_equal(units[candidate.unit].layers, candidate.weights)) {
      const PlannedLayer &layer = copied.layers[number];
      OpBuilder b(module.getContext());
      Value whole = layer.getResult();
      Value pruned = makePruned(b, layer, weights);
      // Behind those that are there, whose switches are off where this is on.
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : whole.getUses())
        uses.push_back(&use);
      b.setInsertionPointAfterValue(pruned);
      Value select = SelectOp::create(b, layer.op->getLoc(), whole.getType(),
                                      isOn, pruned, whole);
      for (OpOperand *use : uses)
        use->set(select);
    }
  }
  return Simulation::create(*copy, std::move(switches), data, compile);
}

uint64_t Pruning::countSamples() const {
  constexpr double multiplyAdds = 1e12, fewest = 2;
  // Each evaluation computes all candidates.
  double parts = static_cast<double>(getParts(options).size()) + 1, run = 1;
  for (const PlannedLayer &layer : plan.layers)
    run += parts * static_cast<double>(layer.multiplyAdds);
  double samples = std::max(
      multiplyAdds / (run * static_cast<double>(candidates.size())), fewest);
  return samples < static_cast<double>(data.size())
             ? static_cast<uint64_t>(samples)
             : data.size();
}

Expected<std::vector<std::vector<PruningStep>>>
Pruning::examineAlone(Simulation &simulation) {
  // More samples say no more of a layer.
  constexpr uint64_t fewSamples = 16;
  std::vector<std::vector<PruningStep>> steps(units.size());
  Progress progress("layers", candidates.size());
  LayerChoice alone(candidates.size(), false);
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    alone[i] = true;
    auto sqnr = simulation.getSqnr(alone, std::min(fewSamples, countSamples()));
    if (!sqnr)
      return sqnr.takeError();
    alone[i] = false;
    const PruningUnit &unit = units[candidate.unit];
    steps[candidate.unit].push_back(
        {candidate.part * static_cast<double>(countMultiplyAdds(unit)),
         std::pow(10, -*sqnr / 10)});
    for (unsigned layer : unit.layers)
      report.layers[layer].alone = *sqnr;
    progress.step();
  }
  return steps;
}

LayerChoice Pruning::getChosen(const PruningChoice &choice) const {
  LayerChoice chosen;
  PruningChoice seen(units.size(), 0);
  for (const Candidate &candidate : candidates)
    chosen.push_back(++seen[candidate.unit] == choice[candidate.unit]);
  return chosen;
}

Expected<double> Pruning::evaluate(Simulation &simulation,
                                   const PruningChoice &choice,
                                   uint64_t samples) {
  if (!labels)
    return simulation.getSqnr(getChosen(choice), samples);
  auto right = simulation.countRight(getChosen(choice), *labels);
  if (!right)
    return right.takeError();
  return static_cast<double>(*right);
}

Expected<double> Pruning::findGoal(Simulation &simulation) {
  if (!labels)
    return options.minSqnr.value_or(PruningOptions::usualSqnr);
  auto right =
      evaluate(simulation, PruningChoice(units.size(), 0), data.size());
  if (!right)
    return right.takeError();
  return *right -
         *options.maxDrop / 100 * static_cast<double>(labels->values.size());
}

Expected<PruningChoice>
Pruning::choose(Simulation &simulation,
                ArrayRef<std::vector<PruningStep>> steps) {
  auto goal = findGoal(simulation);
  if (!goal)
    return goal.takeError();
  double wanted = *goal;
  while (true) {
    auto choice =
        choosePruning(steps, wanted, [&](const PruningChoice &choice) {
          return evaluate(simulation, choice, countSamples());
        });
    if (!choice)
      return choice;
    // The goal is to hold on all samples, not on some.
    auto reached = evaluate(simulation, *choice, data.size());
    if (!reached)
      return reached.takeError();
    double lacking = *goal - *reached;
    if (!(lacking > 0) ||
        llvm::all_of(*choice, [](unsigned step) { return step == 0; }))
      return choice;
    wanted += std::max(1.0, lacking);
  }
}

/// Puts the chosen weights into the model.
void Pruning::apply(const LayerChoice &chosen) {
  for (auto [candidate, isChosen] : llvm::zip_equal(candidates, chosen)) {
    if (!isChosen)
      continue;
    for (auto [number, weights] :
         llvm::zip_equal(units[candidate.unit].layers, candidate.weights)) {
      const PlannedLayer &layer = plan.layers[number];
      report.layers[number].reason.clear();
      OpBuilder b(module.getContext());
      layer.getResult().replaceAllUsesWith(makePruned(b, layer, weights));
      if (layer.bias)
        AddOp(layer.bias)->erase();
      layer.op->erase();
    }
  }
}

void Pruning::countAllZeros() {
  func::FuncOp function = getModelFunction(module);
  plan = QuantizationPlan::create(function);
  std::vector<BitVector> dead = findDeadColumns(function, plan);
  for (auto [i, layer] : llvm::enumerate(plan.layers))
    report.layers[i].zeros = countZeros(layer, dead[i]);
}

Expected<PruningReport> Pruning::run() {
  if (Error error = describeLayers())
    return std::move(error);
  if (units.empty())
    return std::move(report);
  if (Error error = makeCandidates())
    return std::move(error);
  auto simulation = simulate();
  if (!simulation)
    return simulation.takeError();
  auto steps = examineAlone(*simulation);
  if (!steps)
    return steps.takeError();
  auto choice = choose(*simulation, *steps);
  if (!choice)
    return choice.takeError();
  LayerChoice chosen = getChosen(*choice);
  auto sqnr = simulation->getSqnr(chosen, data.size());
  if (!sqnr)
    return sqnr.takeError();
  report.sqnr = *sqnr;
  apply(chosen);
  countAllZeros();
  return std::move(report);
}

Expected<PruningReport> brisk::pruneTrained(ModuleOp module,
                                            const PruningOptions &options,
                                            CompileFunction compile) {
  func::FuncOp function = getModelFunction(module);
  if (!ChannelGraph::canHold(function))
    return llvm::createStringError(
        "the model's tensors are too large to be pruned");
  auto data = readSamples(function, options.calibration);
  if (!data)
    return data.takeError();
  return Pruning(module, options, std::move(*data), compile).run();
}
