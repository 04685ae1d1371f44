//===- Families.h - The rows of the kernel table ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_FAMILIES_H
#define BRISK_KERNELS_FAMILIES_H

#include "brisk/Kernels/Kernel.h"

namespace brisk {

using MatchPtr = std::unique_ptr<KernelMatch>;

// One function a family, defined in the family's file; see Kernel::match.
MatchPtr matchBorder(GroupView &view);
MatchPtr matchConvTranspose(GroupView &view);
MatchPtr matchDepthwise(GroupView &view);
MatchPtr matchElementwise(GroupView &view);
MatchPtr matchGather(GroupView &view);
MatchPtr matchGemm(GroupView &view);
MatchPtr matchGroupedConv(GroupView &view);
MatchPtr matchLayerNorm(GroupView &view);
MatchPtr matchLoops(GroupView &view);
MatchPtr matchLrn(GroupView &view);
MatchPtr matchPool(GroupView &view);
MatchPtr matchRecurrent(GroupView &view);
MatchPtr matchReduction(GroupView &view);
MatchPtr matchResize(GroupView &view);
MatchPtr matchSoftmax(GroupView &view);
MatchPtr matchSpmm(GroupView &view);
MatchPtr matchTranspose(GroupView &view);

} // namespace brisk

#endif // BRISK_KERNELS_FAMILIES_H
