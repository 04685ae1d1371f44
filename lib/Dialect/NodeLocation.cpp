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
