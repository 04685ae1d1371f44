//===- NodeLocation.cpp - The ONNX node that an op comes from -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/NodeLocation.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace brisk;

/// The first name that is wanted.
static NameLoc find(Location loc, bool (*isWanted)(NameLoc)) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return isWanted(name) ? name : NameLoc();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return find(call.getCallee(), isWanted);
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (NameLoc name = find(inner, isWanted))
        return name;
  return {};
}

NameLoc brisk::findNode(Location loc) {
  return find(loc,
              [](NameLoc name) { return isa<NameLoc>(name.getChildLoc()); });
}

NameLoc brisk::findName(Location loc) {
  return find(loc, [](NameLoc name) { return !name.getName().empty(); });
}

Location brisk::makeStageLocation(Location file, Phase phase, StringRef name,
                                  StringRef kind) {
  MLIRContext *context = file.getContext();
  Location node =
      NameLoc::get(StringAttr::get(context, name),
                   NameLoc::get(StringAttr::get(context, kind), file));
  return FusedLoc::get(context, {node}, PhaseAttr::get(context, phase));
}

Phase brisk::getPhase(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return Phase::Inference;
  if (auto phase = dyn_cast_or_null<PhaseAttr>(fused.getMetadata()))
    return phase.getValue();
  for (Location inner : fused.getLocations())
    if (Phase phase = getPhase(inner); phase != Phase::Inference)
      return phase;
  return Phase::Inference;
}
