//===- Selection.h - The cheapest kernel for a group ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_SELECTION_H
#define BRISK_KERNELS_SELECTION_H

#include "brisk/Kernels/Kernel.h"

namespace brisk {

/// A schedule for a group, and what its family makes of the group.
struct KernelChoice {
  std::unique_ptr<KernelMatch> match; ///< null if nothing fits
  ScheduleAttr schedule;
  double cycles = 0; ///< of one run on one core, as the family estimates
};

/// The one of the fewest cycles. It refers to the view.
KernelChoice chooseKernel(GroupView &view, Search search);

} // namespace brisk

#endif // BRISK_KERNELS_SELECTION_H
