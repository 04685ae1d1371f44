//===- SelectKernels.cpp - Kernels and schedules for groups --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

namespace brisk {
#define GEN_PASS_DEF_SELECTKERNELS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// The cheapest schedule for `group` and its kernel; none if nothing fits.
static std::pair<const Kernel *, ScheduleAttr> findCheapest(GroupOp group,
                                                            const Isa &isa) {
  const Kernel *best = nullptr;
  ScheduleAttr bestSchedule;
  double bestCost = std::numeric_limits<double>::infinity();
  for (const Kernel *kernel : getKernels()) {
    SmallVector<ScheduleAttr> schedules;
    kernel->getSchedules(group, isa, schedules);
    for (ScheduleAttr schedule : schedules) {
      double cost = kernel->getCost(group, schedule, isa);
      if (cost >= bestCost)
        continue;
      best = kernel;
      bestSchedule = schedule;
      bestCost = cost;
    }
  }
  return {best, bestSchedule};
}

/// Frees the constants that packed ones have replaced: large models would not
/// fit into memory twice.
static void releaseReplaced(func::FuncOp function) {
  SmallVector<ConstantOp> dead;
  function.walk([&](ConstantOp op) {
    if (op->use_empty())
      dead.push_back(op);
  });
  // Constants of different shapes may share their bytes.
  llvm::SmallMapVector<const void *, ElementsAttr, 8> replaced;
  auto getBytes = [](ElementsAttr value) -> const void * {
    auto resource = dyn_cast<DenseResourceElementsAttr>(value);
    AsmResourceBlob *blob =
        resource ? resource.getRawHandle().getBlob() : nullptr;
    return blob ? blob->getData().data() : nullptr;
  };
  for (ConstantOp op : dead) {
    if (const void *bytes = getBytes(op.getValue()))
      replaced.insert({bytes, op.getValue()});
    op.erase();
  }
  function->getParentOfType<ModuleOp>().walk(
      [&](ConstantOp op) { replaced.erase(getBytes(op.getValue())); });
  for (auto &[bytes, value] : replaced)
    releaseResource(value);
}

namespace {
struct SelectKernels : brisk::impl::SelectKernelsBase<SelectKernels> {
  using SelectKernelsBase::SelectKernelsBase;
  void runOnOperation() override {
    const Target *target = getTarget(getOperation());
    if (!target || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    const Isa &isa = target->isa;
    IRRewriter rewriter(&getContext());
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) {
      if (!group.getScheduleAttr())
        groups.push_back(group);
    });
    PackedWeights weights;
    bool failed = false;
    for (GroupOp group : groups) {
      auto [kernel, schedule] = findCheapest(group, isa);
      if (!kernel) {
        Operation *anchor = group.getAnchor();
        InFlightDiagnostic diagnostic =
            emitError(anchor->getLoc(), "no kernel computes ")
            << anchor->getName() << " on " << anchor->getOperandTypes();
        diagnostic.attachNote() << "target is " << target->name;
        failed = true;
        continue;
      }
      group.setScheduleAttr(schedule);
      kernel->pack(group, isa, weights, rewriter);
    }
    if (failed || weights.hasFailed())
      return signalPassFailure();
    releaseReplaced(getOperation());
  }
};
} // namespace
