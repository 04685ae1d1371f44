//===- Load.h - A model under load ------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests that arrive whether or not those before are answered, as from users
// or a camera, and what their latency is.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_LOAD_H
#define BRISK_TOOLS_BRISK_BENCH_LOAD_H

#include "brisk/Execution/Instance.h"
#include "brisk/Execution/Library.h"

namespace brisk::tools {

enum class Arrivals {
  Closed,  ///< each instance has its next request when it has answered one
  Fixed,   ///< in equal intervals
  Poisson, ///< at random, independent of each other
  Bursts   ///< many at once, and then none for a while
};

/// As flags say it.
llvm::StringRef getName(Arrivals arrivals);

struct LoadOptions {
  Arrivals arrivals = Arrivals::Closed;
  double rate = 0;        ///< requests a second, on average
  unsigned burst = 10;    ///< requests that arrive at once, of Bursts
  unsigned instances = 1; ///< requests that are run at once
  unsigned queue = 100;   ///< requests that may wait
  double deadlineMs = 0;  ///< 0: none
  double durationS = 3, warmupMs = 200;
  uint64_t seed = 0;
};

/// What became of a request; nanoseconds from the start of the load.
struct RequestRecord {
  /// When it was to be sent: latencies count from here, so that a sender that
  /// is late itself hides nothing.
  uint64_t intended = 0;
  uint64_t started = 0, finished = 0; ///< of those that were run
  int code = BRISK_OK;                ///< Status::code()

  bool isAnswered() const { return code == BRISK_OK; }
  uint64_t getLatency() const { return finished - intended; }
  uint64_t getService() const { return finished - started; }
};

struct LoadResult {
  /// In the order of arrival.
  std::vector<RequestRecord> requests;
  double seconds = 0; ///< until the last was answered

  uint64_t count(int code) const;
  /// Those that failed for what the model, or its stage, says.
  uint64_t countFailed() const;
};

/// When requests arrive, in nanoseconds from the start, ascending. None of
/// Closed.
std::vector<uint64_t> scheduleArrivals(const LoadOptions &options);

/// The latencies that a queue would give in front of so many servers, first
/// come first served, if the answered requests arrived and took as long as
/// these. What is beyond that is the machine's.
std::vector<uint64_t> simulateQueue(llvm::ArrayRef<RequestRecord> requests,
                                    unsigned servers);

/// Numbers of those answered requests that nothing had been running for so long
/// before.
std::vector<size_t> findAfterIdle(llvm::ArrayRef<RequestRecord> requests,
                                  uint64_t idleNs);

/// Runs the model on the instance's inputs. An error if it cannot start, or
/// fails on a first run.
llvm::Expected<LoadResult> runLoad(const brisk::Library &library,
                                   execution::Instance &inputs,
                                   unsigned threads,
                                   const LoadOptions &options);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_LOAD_H
