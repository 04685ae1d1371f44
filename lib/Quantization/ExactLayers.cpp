//===- ExactLayers.cpp - Which layers bytes keep exact --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactLayers.h"
#include "llvm/ADT/STLExtras.h"

using namespace brisk;
using llvm::Expected;

static Expected<LayerChoice> chooseBySqnr(Simulation &simulation,
                                          llvm::ArrayRef<LayerCost> costs,
                                          const PostTrainingOptions &options,
                                          uint64_t samples) {
  PrecisionGoal goal{options.minSqnr.value_or(PostTrainingOptions::usualSqnr),
                     options.minSqnr ? 1 : PostTrainingOptions::mostFloats};
  while (true) {
    auto choice = chooseLayers(costs, goal, [&](const LayerChoice &choice) {
      return simulation.getSqnr(choice, samples);
    });
    if (!choice || !options.minSqnr)
      return choice;
    // What was asked for is to hold on all samples, not on some.
    auto reached = simulation.getSqnr(*choice, UINT64_MAX);
    if (!reached)
      return reached.takeError();
    double lacking = *options.minSqnr - *reached;
    if (!(lacking > 0) || !llvm::is_contained(*choice, true))
      return choice;
    goal.least += std::max(1.0, lacking);
  }
}

namespace {
/// The classes of samples, and how many are to be found.
struct LabelGoal {
  Labels labels;
  double least;
};
} // namespace

static Expected<LabelGoal> readLabelGoal(Simulation &simulation, size_t layers,
                                         const PostTrainingOptions &options) {
  auto labels = Labels::read(options.labels);
  if (!labels)
    return labels.takeError();
  auto wanted = simulation.countRight(LayerChoice(layers, false), *labels);
  if (!wanted)
    return wanted.takeError();
  double least =
      static_cast<double>(*wanted) -
      *options.maxDrop / 100 * static_cast<double>(labels->values.size());
  return LabelGoal{std::move(*labels), least};
}

static Expected<LayerChoice>
chooseByLabels(Simulation &simulation, llvm::ArrayRef<LayerCost> costs,
               const PostTrainingOptions &options) {
  auto goal = readLabelGoal(simulation, costs.size(), options);
  if (!goal)
    return goal.takeError();
  return chooseLayers(
      costs, {goal->least}, [&](const LayerChoice &choice) -> Expected<double> {
        auto right = simulation.countRight(choice, goal->labels);
        if (!right)
          return right.takeError();
        return static_cast<double>(*right);
      });
}

Expected<bool> brisk::reachesGoal(Simulation &simulation,
                                  const LayerChoice &inBytes,
                                  const PostTrainingOptions &options) {
  if (options.maxDrop) {
    auto goal = readLabelGoal(simulation, inBytes.size(), options);
    if (!goal)
      return goal.takeError();
    auto right = simulation.countRight(inBytes, goal->labels);
    if (!right)
      return right.takeError();
    return static_cast<double>(*right) >= goal->least;
  }
  if (!options.minSqnr)
    return true;
  auto sqnr = simulation.getSqnr(inBytes, UINT64_MAX);
  if (!sqnr)
    return sqnr.takeError();
  return *sqnr >= *options.minSqnr;
}

Expected<LayerChoice> brisk::chooseExact(Simulation &simulation,
                                         llvm::ArrayRef<LayerCost> costs,
                                         const PostTrainingOptions &options,
                                         uint64_t samples) {
  return options.maxDrop ? chooseByLabels(simulation, costs, options)
                         : chooseBySqnr(simulation, costs, options, samples);
}
