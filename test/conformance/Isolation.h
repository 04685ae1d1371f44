//===- Isolation.h - Running functions in limited processes -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions in forked children, several at a time, so that a crash, a
// hang or a memory leak in one is a result and not the end of the program.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_CONFORMANCE_ISOLATION_H
#define BRISK_TEST_CONFORMANCE_ISOLATION_H

#include "Expectations.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace brisk::conformance {

struct Limits {
  unsigned jobs = 1;      ///< children at a time
  unsigned seconds = 60;  ///< wall clock of one child
  uint64_t megabytes = 0; ///< address space of one child; 0: no limit
};

/// Calls `work(i, scratch)` for every i below `count`, each in a child of its
/// own whose standard output and error go to the file `scratch`/log; `scratch`
/// is an empty folder that is removed afterwards. `done(i, result)` is called
/// in this process as children end, in any order. What `work` returns is the
/// result unless the child died before it returned.
void runIsolated(size_t count, const Limits &limits,
                 const std::function<Result(size_t, const std::string &)> &work,
                 const std::function<void(size_t, Result)> &done);

} // namespace brisk::conformance

#endif // BRISK_TEST_CONFORMANCE_ISOLATION_H
