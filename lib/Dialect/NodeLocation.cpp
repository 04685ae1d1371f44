//===- NodeLocation.cpp - The ONNX node that an op comes from -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/NodeLocation.h"

using namespace mlir;

NameLoc brisk::findNode(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return isa<NameLoc>(name.getChildLoc()) ? name : NameLoc();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findNode(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (NameLoc name = findNode(inner))
        return name;
  return {};
}
