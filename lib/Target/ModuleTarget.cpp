//===- ModuleTarget.cpp - The machine that a module is for ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/ModuleTarget.h"
#include "brisk/Dialect/BriskDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace brisk;

/// What a module for `target` says.
static TargetAttr describe(const Target &target, MLIRContext *context) {
  if (target.isNameEnough)
    return TargetAttr::get(context, target.name, {}, {}, {});
  Builder b(context);
  return TargetAttr::get(
      context, target.name, b.getStringAttr(target.platform.triple),
      b.getStringAttr(target.cpu), b.getStringAttr(target.features));
}

static TargetAttr findAttr(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  return module
             ? module->getAttrOfType<TargetAttr>(BriskDialect::targetAttrName)
             : TargetAttr();
}

/// The target that `attr` means; null, with an error at `op`, if there is none.
static const Target *find(TargetAttr attr, Operation *op) {
  auto target = findTarget(attr.getName());
  if (!target) {
    op->emitError(llvm::toString(target.takeError()));
    return nullptr;
  }
  TargetAttr known = describe(**target, op->getContext());
  if (attr == known)
    return *target;
  op->emitError("is for ") << attr << ", and here '" << attr.getName()
                           << "' is " << known
                           << "; go on where it was begun, or begin with the "
                              "model";
  return nullptr;
}

const Target *brisk::getTarget(Operation *op) {
  if (TargetAttr attr = findAttr(op))
    return find(attr, op);
  op->emitError("is in a module without a target; run --set-target=NAME first, "
                "or write 'module attributes {brisk.target = "
                "#brisk.target<\"NAME\">}'");
  return nullptr;
}

const Target *brisk::setTarget(ModuleOp module, StringRef name) {
  TargetAttr attr = findAttr(module);
  if (attr && (name.empty() || name == attr.getName()))
    return find(attr, module);
  if (attr) {
    module.emitError("is for target '")
        << attr.getName() << "', not for '" << name
        << "'; go on with that target, or begin with the model";
    return nullptr;
  }
  auto target = findTarget(name.empty() ? "host" : name);
  if (!target) {
    module.emitError(llvm::toString(target.takeError()));
    return nullptr;
  }
  module->setAttr(BriskDialect::targetAttrName,
                  describe(**target, module.getContext()));
  return *target;
}
