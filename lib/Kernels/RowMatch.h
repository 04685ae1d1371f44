//===- RowMatch.h - Families that work row by row ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_ROWMATCH_H
#define BRISK_LIB_KERNELS_ROWMATCH_H

#include "brisk/Kernels/Kernel.h"

namespace brisk {

/// A match whose pieces are rows, some of which make a task: as many as the
/// schedule says, usually those that come to `perTask` elements, or fewer to
/// keep workers evenly busy.
template <typename ScheduleT> class RowMatch : public KernelMatch {
public:
  RowMatch(const GroupView &view, int64_t rows, int64_t rowSize,
           int64_t perTask)
      : KernelMatch(view), rows(rows),
        usual(std::max<int64_t>(1, perTask / std::max<int64_t>(1, rowSize))) {}

  void getSchedules(Search search,
                    llvm::SmallVectorImpl<ScheduleAttr> &schedules) override {
    auto schedule = ScheduleT::get(group.getContext(), usual);
    addSchedules<ScheduleT>(search, getGrain(schedule, usual, rows), schedules);
  }

  Work getWork(ScheduleAttr schedule) override {
    return {rows, llvm::cast<ScheduleT>(schedule).getRows()};
  }

private:
  int64_t rows, usual;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_ROWMATCH_H
