//===- ModuleTarget.h - The machine that a module is for --------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module says in one place, its attribute `brisk.target`, which machine it is
// compiled for. It is set once; passes only read it.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_MODULETARGET_H
#define BRISK_TARGET_MODULETARGET_H

#include "brisk/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace brisk {

/// The target of the module that `op` is or stands in. Null, with an error at
/// `op`, if the module names none, one that is not in the list, or a host that
/// is another machine than this.
const Target *getTarget(mlir::Operation *op);

/// Makes `module` one for the target called `name`; without a name, for that
/// which it is for already, or the host. Null, with an error, if there is none
/// of that name, or if the module is for another.
const Target *setTarget(mlir::ModuleOp module, llvm::StringRef name);

} // namespace brisk

#endif // BRISK_TARGET_MODULETARGET_H
