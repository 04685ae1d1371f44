//===- Budgets.cpp - What a model may take of a machine's memory ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Budgets.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Lowering/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace brisk;

/// The group that uses a view of the weights first; null for none.
static GroupOp findUser(Value view) {
  GroupOp first;
  for (Operation *user : view.getUsers()) {
    GroupOp group = isa<GroupOp>(user) ? cast<GroupOp>(user) : GroupOp();
    for (Value result : user->getResults())
      if (!group && isa<MemRefType>(result.getType()))
        group = findUser(result);
    if (group && (!first || (first->getBlock() == group->getBlock() &&
                             group->isBeforeInBlock(first))))
      first = group;
  }
  return first;
}

/// Where a view of the weights is used first.
static Location getUserLoc(memref::ViewOp view) {
  GroupOp group = findUser(view);
  if (!group)
    return view->getLoc();
  Operation *anchor = group.getAnchor();
  return anchor ? anchor->getLoc() : group->getLoc();
}

void Budgets::readPlan(ModuleOp module) {
  context = module.getContext();
  if (!options.ramBudget && !options.flashBudget)
    return;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (auto memory =
            function->getAttrOfType<MemoryAttr>(BriskDialect::memoryAttrName))
      for (auto part : memory.getPeak().getAsRange<BufferAttr>())
        peak.push_back({static_cast<uint64_t>(part.getBytes()),
                        Location(part.getWriter())});
    llvm::MapVector<Location, uint64_t> byUser;
    Value whole = getModelArgument(function, ModelArgument::Weights);
    if (!whole)
      continue;
    for (Operation *user : whole.getUsers())
      if (auto view = dyn_cast<memref::ViewOp>(user))
        byUser[getUserLoc(view)] += getByteSize(view.getType());
    for (auto [loc, bytes] : byUser)
      weights.push_back({bytes, loc});
    llvm::sort(weights,
               [](const Part &a, const Part &b) { return a.bytes > b.bytes; });
  }
}

InFlightDiagnostic Budgets::report(const Use &use, uint64_t budget,
                                   bool isWhole) const {
  uint64_t total = use.getTotal();
  InFlightDiagnostic error = emitError(UnknownLoc::get(context), "needs ")
                             << (isWhole ? "" : "at least ") << total
                             << " bytes of " << use.memory << " (";
  llvm::ListSeparator comma;
  for (auto [bytes, what] : use.terms)
    error << StringRef(comma) << bytes << " " << what;
  error << "), over the budget of " << budget << " by " << total - budget
        << "; " << use.remedy << " or raise " << use.flag;
  return error;
}

LogicalResult Budgets::check(const ModelInfo &model, const PackageSizes *sizes,
                             bool codeFollows) const {
  Use ram{"RAM", "--ram-budget", "use smaller input shapes", {}};
  ram.terms = {{model.arenaBytes, "arena"},
               {sumBytes(model.inputs), "inputs"},
               {sumBytes(model.outputs), "outputs"}};
  Use flash{"flash", "--flash-budget", "use a smaller model", {}};
  flash.terms = {{model.weightsBytes, "weights"}};
  if (sizes) {
    ram.terms.push_back({sizes->stackBytes, "stack"});
    flash.terms.push_back({sizes->codeBytes, "code"});
    flash.terms.push_back({sizes->dataBytes, "data"});
  }
  auto exceeds = [](const Use &use, std::optional<uint64_t> budget) {
    return budget && use.getTotal() > *budget;
  };
  bool ramExceeded = exceeds(ram, options.ramBudget);
  bool flashExceeded = exceeds(flash, options.flashBudget);
  if (codeFollows && options.ramBudget && options.flashBudget &&
      ramExceeded != flashExceeded)
    return success();
  constexpr size_t named = 3;
  if (ramExceeded) {
    InFlightDiagnostic error = report(ram, *options.ramBudget, sizes);
    for (const Part &part : ArrayRef(peak).take_front(named))
      error.attachNote(part.loc)
          << "writes " << part.bytes
          << " bytes of the arena that are live at its peak";
  }
  if (flashExceeded) {
    InFlightDiagnostic error = report(flash, *options.flashBudget, sizes);
    // The largest of weights and kernels.
    size_t weight = 0, kernel = 0;
    ArrayRef<KernelSize> kernels;
    if (sizes)
      kernels = sizes->kernels;
    while (weight + kernel < named) {
      bool more = kernel < kernels.size();
      if (weight < weights.size() &&
          (!more || weights[weight].bytes >= kernels[kernel].bytes)) {
        error.attachNote(weights[weight].loc)
            << "has " << weights[weight].bytes << " bytes of weights";
        ++weight;
      } else if (more) {
        error.attachNote(UnknownLoc::get(context))
            << "the code of " << kernels[kernel].name << " has "
            << kernels[kernel].bytes << " bytes";
        ++kernel;
      } else {
        break;
      }
    }
  }
  return success(!ramExceeded && !flashExceeded);
}
