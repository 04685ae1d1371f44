//===- GroupPlan.h - Which ops go into which group --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_GROUPPLAN_H
#define BRISK_LIB_TRANSFORMS_GROUPPLAN_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace brisk {

/// The ops of a group in program order. Without an anchor, all are elementwise.
struct PlannedGroup {
  llvm::SetVector<mlir::Operation *> ops;
  mlir::Operation *anchor = nullptr;

  bool contains(mlir::Operation *op) const { return ops.contains(op); }
};

/// Divides the ops of a block that need a kernel among groups.
llvm::SmallVector<PlannedGroup> planGroups(mlir::Block &block);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_GROUPPLAN_H
