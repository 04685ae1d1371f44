//===- PassTarget.h - The target that a pass's option names --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_PASSTARGET_H
#define BRISK_LIB_LOWERING_PASSTARGET_H

#include "brisk/Target/Target.h"
#include "mlir/IR/Operation.h"

namespace brisk {

/// The attribute of functions and modules that names the target for which
/// passes have prepared them.
inline constexpr llvm::StringLiteral passTargetAttrName = "brisk.target";

/// The target called `name`, which `op` is of from now on; without a name, the
/// one that `op` is of already, or the host. Null, with an error at `op`, if
/// there is none of that name, or if passes before had another: half a model
/// for one machine and half for another is right on neither.
const Target *findPassTarget(mlir::Operation *op, llvm::StringRef name);

} // namespace brisk

#endif // BRISK_LIB_LOWERING_PASSTARGET_H
