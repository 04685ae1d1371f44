//===- Host.h - What this machine is ----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the target `host` finds out what to make code for, in pieces that can be
// asked about other machines.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_HOST_H
#define BRISK_TARGET_HOST_H

#include "brisk/Target/Isa.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace brisk {

/// What kernels can ask of a CPU that LLVM calls `cpu`, with the features that
/// are true in `features`.
Isa describeCpu(const llvm::Triple &triple, llvm::StringRef cpu,
                const llvm::StringMap<bool> &features);

/// Takes the sizes of caches from `folder`, which is laid out as Linux has
/// /sys/devices/system/cpu/cpu0/cache. What it doesn't say stays.
void readCaches(llvm::StringRef folder, Isa &isa);

} // namespace brisk

#endif // BRISK_TARGET_HOST_H
