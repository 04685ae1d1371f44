//===- Selection.cpp - The cheapest kernel for a group --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Selection.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/Support/DebugLog.h"

#include <limits>

using namespace mlir;
using namespace brisk;

#define DEBUG_TYPE "select-kernels"

KernelChoice brisk::chooseKernel(GroupView &view, Search search) {
  KernelChoice best;
  best.cycles = std::numeric_limits<double>::infinity();
  for (const Kernel &kernel : getKernels()) {
    std::unique_ptr<KernelMatch> match = kernel.match(view);
    if (!match) {
      LDBG() << kernel.name << " refuses a group that " << view.getReason();
      continue;
    }
    SmallVector<ScheduleAttr> schedules;
    match->getSchedules(search, schedules);
    ScheduleAttr cheapest;
    for (ScheduleAttr schedule : schedules) {
      double cycles = match->getCycles(schedule);
      if (cycles >= best.cycles ||
          !canPack(view.getGroup(), match->getPacking(schedule)))
        continue;
      cheapest = schedule;
      best.cycles = cycles;
    }
    if (cheapest) {
      best.match = std::move(match);
      best.schedule = cheapest;
    }
  }
  return best;
}
