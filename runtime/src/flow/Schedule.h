//===- Schedule.h - Places where threads may take turns ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests build the pipelines with BRISK_FUZZ_SCHEDULE, and then decide at every
// such place whether the thread yields, or sleeps.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_FLOW_SCHEDULE_H
#define BRISK_FLOW_SCHEDULE_H

namespace brisk {
inline namespace v1 {
namespace flow {

#ifdef BRISK_FUZZ_SCHEDULE
void schedulePoint();
#else
inline void schedulePoint() {}
#endif

} // namespace flow
} // namespace v1
} // namespace brisk

#endif // BRISK_FLOW_SCHEDULE_H
