//===- AvailableMemory.h - What the compiler may still take -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants that must be written out are checked against the memory of the
// machine that compiles before any of it is taken.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_AVAILABLEMEMORY_H
#define BRISK_DIALECT_AVAILABLEMEMORY_H

#include "brisk/Dialect/Ops.h"

namespace brisk {

/// Bytes of memory that this process can still take: what the machine has left,
/// within the limits of its cgroups and of its address space.
uint64_t getAvailableMemory();

/// Bytes of memory that the machine has in all; 0 if that is not known.
uint64_t getMachineMemory();

/// Fails, at `constant`, if writing out the constants up to this one takes
/// `bytes` of memory and there is less.
llvm::LogicalResult checkMemory(ConstantOp constant, uint64_t bytes);

} // namespace brisk

#endif // BRISK_DIALECT_AVAILABLEMEMORY_H
