//===- SelectKernels.cpp - Kernels and schedules for groups ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Packing.h"
#include "brisk/Kernels/Selection.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace brisk {
#define GEN_PASS_DEF_SELECTKERNELS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// Makes inputs that repeat one element constants in the region.
static void takeSplats(GroupOp group, RewriterBase &rewriter) {
  Block *block = group.getBlock();
  rewriter.setInsertionPointToStart(block);
  for (unsigned i = group.getIns().size(); i-- > 0;) {
    auto constant = group.getIns()[i].getDefiningOp<ConstantOp>();
    if (!constant || !getSplatElement(constant.getValue()))
      continue;
    block->getArgument(i).replaceAllUsesWith(
        ConstantOp::create(rewriter, constant.getLoc(), constant.getValue()));
    block->eraseArgument(i);
    group.getInsMutable().erase(i);
  }
}

/// Frees those of `constants` that packed ones have replaced: large models
/// would not fit into memory twice.
static void releaseReplaced(func::FuncOp function,
                            ArrayRef<ConstantOp> constants) {
  // Constants of different shapes may share their bytes.
  llvm::SmallMapVector<const void *, ElementsAttr, 8> replaced;
  auto getBytes = [](ElementsAttr value) -> const void * {
    auto resource = dyn_cast<DenseResourceElementsAttr>(value);
    AsmResourceBlob *blob =
        resource ? resource.getRawHandle().getBlob() : nullptr;
    return blob ? blob->getData().data() : nullptr;
  };
  for (ConstantOp op : constants) {
    if (!op->use_empty())
      continue;
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
    llvm::SetVector<ConstantOp> constants;
    bool failed = false;
    for (GroupOp group : groups) {
      GroupView view(group, isa);
      auto [match, schedule, cycles] =
          chooseKernel(view, exhaustive ? Search::All : Search::Default);
      if (!match) {
        Operation *anchor = view.getAnchor();
        Operation *op = anchor ? anchor : group.getOperation();
        InFlightDiagnostic diagnostic =
            emitError(op->getLoc(), "no kernel computes ")
            << op->getName() << " on " << op->getOperandTypes();
        diagnostic.attachNote() << "target is " << target->name;
        failed = true;
        continue;
      }
      group.setScheduleAttr(schedule);
      for (Value in : group.getIns())
        if (auto constant = in.getDefiningOp<ConstantOp>())
          constants.insert(constant);
      for (const Packing &packing : match->getPacking(schedule))
        failed |= mlir::failed(weights.pack(group, packing, rewriter));
      if (match->takesSplats())
        takeSplats(group, rewriter);
    }
    if (failed)
      return signalPassFailure();
    releaseReplaced(getOperation(), constants.getArrayRef());
  }
};
} // namespace
