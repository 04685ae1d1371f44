//===- Packing.h - Weights in the order kernels read them --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What families that pack weights at compile time share.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_PACKING_H
#define BRISK_LIB_KERNELS_PACKING_H

#include "brisk/Kernels/Kernel.h"

namespace brisk {

/// The group's input that `value` is, or is unpacked from; -1 for none.
int64_t getInputNumber(mlir::Value value);

/// True if `value` is, or is unpacked from, a constant input of the group.
bool isConstantInput(GroupOp group, mlir::Value value);

/// Fails, and says so, unless `value` is unpacked from `layout`.
llvm::LogicalResult verifyPacked(GroupOp group, mlir::Value value,
                                 PackedAttr layout);

} // namespace brisk

#endif // BRISK_LIB_KERNELS_PACKING_H
