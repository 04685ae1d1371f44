//===- PassTarget.cpp - The target that a pass's option names --- -*- C++
//-*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace brisk;

/// The target that the passes before worked for; null if none did. A pass on
/// functions tells the next by its function, one on modules by the module.
static StringAttr findRecorded(Operation *op) {
  constexpr StringRef name = passTargetAttrName;
  if (auto own = op->getAttrOfType<StringAttr>(name))
    return own;
  if (auto module = dyn_cast<ModuleOp>(op)) {
    for (auto function : module.getOps<func::FuncOp>())
      if (auto recorded = function->getAttrOfType<StringAttr>(name))
        return recorded;
    return nullptr;
  }
  Operation *parent = op->getParentOp();
  return parent ? parent->getAttrOfType<StringAttr>(name) : nullptr;
}

const Target *brisk::findPassTarget(Operation *op, StringRef name) {
  StringAttr recorded = findRecorded(op);
  if (name.empty())
    name = recorded ? recorded.getValue() : "host";
  const Target *target = findTarget(name);
  if (!target) {
    op->emitError("unknown target '") << name << "'";
    return nullptr;
  }
  auto refuse = [&](StringAttr other) -> const Target * {
    op->emitError("was prepared for target '")
        << other.getValue() << "', not for '" << name
        << "'; give that target to every stage, or begin with the model";
    return nullptr;
  };
  if (recorded && recorded != name)
    return refuse(recorded);
  if (auto module = dyn_cast<ModuleOp>(op))
    for (auto function : module.getOps<func::FuncOp>())
      if (StringAttr other = findRecorded(function); other && other != name)
        return refuse(other);
  op->setAttr(passTargetAttrName, StringAttr::get(op->getContext(), name));
  return target;
}
