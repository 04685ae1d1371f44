//===- TimeEstimate.cpp - How long a mixed model takes --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeEstimate.h"
#include "Probe.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace brisk;
using llvm::Expected;

namespace {
/// Finds the layers that values come from.
class LinkFinder {
public:
  explicit LinkFinder(const QuantizationPlan &plan) : plan(plan) {
    for (auto [i, layer] : llvm::enumerate(plan.layers))
      producers[layer.getResult()] = i;
    for (const PlannedValue &value : plan.values)
      planned.insert(value.value);
  }

  LayerLinks find() {
    std::vector<std::vector<unsigned>> readers(plan.values.size());
    for (auto [i, layer] : llvm::enumerate(plan.layers))
      for (unsigned source : layer.sources)
        readers[source].push_back(i);
    for (auto [value, of] : llvm::zip_equal(plan.values, readers)) {
      seen.clear();
      follow(value.value, of);
      // Who else reads the value wants it in one type, too.
      for (size_t i = 1; i < of.size(); ++i)
        links.insert({of[i - 1], of[i]});
    }
    return {links.begin(), links.end()};
  }

private:
  void follow(Value value, ArrayRef<unsigned> readers) {
    if (!seen.insert(value).second)
      return;
    if (auto producer = producers.find(value); producer != producers.end()) {
      for (unsigned reader : readers)
        links.insert({producer->second, reader});
      return;
    }
    if (Operation *op = value.getDefiningOp())
      for (Value operand : op->getOperands())
        // Others are bytes, or not, for their own readers.
        if (!planned.contains(operand) || producers.contains(operand))
          follow(operand, readers);
  }

  const QuantizationPlan &plan;
  llvm::DenseMap<Value, unsigned> producers;
  llvm::DenseSet<Value> planned, seen;
  llvm::SetVector<std::pair<unsigned, unsigned>> links;
};
} // namespace

Expected<TimeEstimate> TimeEstimate::create(ModuleOp module,
                                            const QuantizationPlan &plan,
                                            QuantizationParameters parameters,
                                            EstimateFunction estimate) {
  TimeEstimate result(module, std::move(parameters), estimate);
  Builder b(module.getContext());
  for (auto [layer, weights] :
       llvm::zip_equal(plan.layers, result.parameters.weights))
    result.parameters.constants.push_back(makeElements(
        RankedTensorType::get(getShape(layer.op->getOperand(1)), b.getI8Type()),
        ArrayRef(weights.bytes)));
  result.links = LinkFinder(plan).find();
  auto times =
      measureLayers(plan.layers.size(), [&](const LayerChoice &inBytes) {
        return result.getCycles(inBytes);
      });
  if (!times)
    return times.takeError();
  result.times = std::move(*times);
  return result;
}

Expected<double> TimeEstimate::getCycles(const LayerChoice &inBytes) const {
  OwningOpRef<ModuleOp> copy(ModuleOp(module).clone());
  auto plan = QuantizationPlan::create(getModelFunction(*copy));
  rewriteChosen(plan, parameters, inBytes);
  return estimate(*copy);
}

Expected<LayerChoice>
TimeEstimate::chooseFaster(const LayerChoice &mayBeBytes) const {
  LayerChoice best;
  double least = 0;
  for (LayerChoice choice :
       {brisk::chooseFaster(times, links, mayBeBytes), mayBeBytes,
        LayerChoice(mayBeBytes.size(), false)}) {
    auto cycles = getCycles(choice);
    if (!cycles)
      return cycles.takeError();
    if (best.empty() || *cycles < least) {
      best = std::move(choice);
      least = *cycles;
    }
  }
  return best;
}
