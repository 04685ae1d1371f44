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

/// The target called `name`; null, with an error at `op`, if there is none.
inline const Target *findPassTarget(mlir::Operation *op, llvm::StringRef name) {
  const Target *target = findTarget(name);
  if (!target)
    op->emitError("unknown target '") << name << "'";
  return target;
}

} // namespace brisk

#endif // BRISK_LIB_LOWERING_PASSTARGET_H
