//===- Measure.cpp - Measuring a model's latency --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Measure.h"

#include "brisk/trace.h"

using namespace llvm;

namespace brisk::tools {

static constexpr size_t maxRecords = size_t(1) << 22;

std::optional<double> Measurement::tracingCost() const {
  std::optional<double> without = median(latencies);
  std::optional<double> with = median(tracedLatencies);
  if (!without || !with || *without <= 0)
    return std::nullopt;
  return 100 * (*with - *without) / *without;
}

namespace {

/// Runs with the trace hook, into a buffer that grows until a run fits.
class TracedRuns {
public:
  TracedRuns(const brisk_model &model, execution::Instance &instance)
      : instance(instance),
        records(std::max<size_t>(4096, 2 * size_t(model.num_ops))) {
    brisk_trace_init(&trace, records.data(), records.size());
  }

  /// Makes the buffer large enough, by running.
  Error prepare() {
    for (;;) {
      auto ns = run();
      if (!ns)
        return ns.takeError();
      if (trace.dropped == 0 || records.size() >= maxRecords)
        return Error::success();
      records.resize(2 * records.size() + trace.dropped);
      brisk_trace_init(&trace, records.data(), records.size());
    }
  }

  Expected<uint64_t> run() {
    brisk_trace_reset(&trace);
    return instance.run(&trace);
  }

  brisk_trace trace;

private:
  execution::Instance &instance;
  std::vector<brisk_record> records;
};

} // namespace

/// Runs for a while, every other time traced.
static Error warmUp(execution::Instance &instance,
                    std::optional<TracedRuns> &traced, double durationMs,
                    Measurement &result) {
  auto elapsed = [start = brisk_clock_ns(nullptr)]() {
    return static_cast<double>(brisk_clock_ns(nullptr) - start);
  };
  while (elapsed() < durationMs * 1e6) {
    auto ns = traced && result.warmupRuns % 2 ? traced->run() : instance.run();
    if (!ns)
      return ns.takeError();
    ++result.warmupRuns;
  }
  result.warmupMs = elapsed() * 1e-6;
  return Error::success();
}

/// Adds a run's latency, if it succeeded.
static Error addTo(std::vector<uint64_t> &latencies, Expected<uint64_t> ns) {
  if (!ns)
    return ns.takeError();
  latencies.push_back(*ns);
  return Error::success();
}

Expected<Measurement> measure(const brisk_model &model,
                              execution::Instance &instance,
                              const MeasureOptions &options,
                              TraceReport *report) {
  Measurement result;
  auto first = instance.run();
  if (!first)
    return first.takeError();
  result.firstMs = static_cast<double>(*first) * 1e-6;

  std::optional<TracedRuns> traced;
  if (report) {
    traced.emplace(model, instance);
    if (Error error = traced->prepare())
      return std::move(error);
  }

  if (Error error = warmUp(instance, traced, options.warmupMs, result))
    return std::move(error);

  // Room for what the warm-up makes expect: growing in between disturbs.
  uint64_t expected = options.iterations;
  if (result.warmupRuns)
    expected =
        std::max<double>(expected, 1.5 * options.durationS * 1e3 *
                                       result.warmupRuns / result.warmupMs);
  expected = std::min(expected, maxRuns);
  result.latencies.reserve(expected);
  if (traced)
    result.tracedLatencies.reserve(expected);

  auto plainRun = [&] { return addTo(result.latencies, instance.run()); };
  auto tracedRun = [&]() -> Error {
    if (!traced)
      return Error::success();
    if (Error error = addTo(result.tracedLatencies, traced->run()))
      return error;
    report->addRun(traced->trace, result.tracedLatencies.back());
    return Error::success();
  };
  uint64_t start = brisk_clock_ns(nullptr);
  double duration = options.durationS * 1e9;
  while (result.latencies.size() < maxRuns &&
         (result.latencies.size() < options.iterations ||
          static_cast<double>(brisk_clock_ns(nullptr) - start) < duration)) {
    bool tracedFirst = result.latencies.size() % 2;
    Error error = tracedFirst ? tracedRun() : plainRun();
    if (!error)
      error = tracedFirst ? plainRun() : tracedRun();
    if (error)
      return std::move(error);
  }
  return result;
}

} // namespace brisk::tools
