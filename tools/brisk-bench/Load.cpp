//===- Load.cpp - A model under load --------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Load.h"

#include "brisk/flow.hpp"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <ctime>
#include <queue>
#include <random>
#include <thread>

using namespace llvm;

namespace brisk::tools {

/// Requests whose times are kept at most.
static constexpr double mostRequests = 1 << 24;

StringRef getName(Arrivals arrivals) {
  switch (arrivals) {
  case Arrivals::Closed:
    return "closed";
  case Arrivals::Fixed:
    return "fixed";
  case Arrivals::Poisson:
    return "poisson";
  case Arrivals::Bursts:
    return "bursts";
  }
  llvm_unreachable("all have names");
}

uint64_t LoadResult::count(int code) const {
  return llvm::count_if(requests, [&](const RequestRecord &request) {
    return request.code == code;
  });
}

uint64_t LoadResult::countFailed() const {
  return requests.size() - count(BRISK_OK) - count(flow::Overloaded) -
         count(flow::Late);
}

std::vector<uint64_t> scheduleArrivals(const LoadOptions &options) {
  std::vector<uint64_t> times;
  if (options.arrivals == Arrivals::Closed)
    return times;
  // The standard says what the engine gives, but not what distributions make
  // of it.
  std::mt19937_64 random(options.seed);
  double end = options.durationS * 1e9, interval = 1e9 / options.rate;
  for (double at = 0; at < end && times.size() < mostRequests;) {
    switch (options.arrivals) {
    case Arrivals::Poisson: {
      double uniform = static_cast<double>((random() >> 11) + 1) * 0x1p-53;
      at -= std::log(uniform) * interval;
      if (at < end)
        times.push_back(static_cast<uint64_t>(at));
      break;
    }
    case Arrivals::Bursts:
      times.insert(times.end(), options.burst, static_cast<uint64_t>(at));
      at += interval * options.burst;
      break;
    default:
      times.push_back(static_cast<uint64_t>(at));
      at += interval;
    }
  }
  return times;
}

std::vector<uint64_t> simulateQueue(ArrayRef<RequestRecord> requests,
                                    unsigned servers) {
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> idle;
  for (unsigned i = 0; i < servers; ++i)
    idle.push(0);
  std::vector<uint64_t> latencies;
  for (const RequestRecord &request : requests) {
    if (!request.isAnswered())
      continue;
    uint64_t end =
        std::max(request.intended, idle.top()) + request.getService();
    idle.pop();
    idle.push(end);
    latencies.push_back(end - request.intended);
  }
  return latencies;
}

std::vector<size_t> findAfterIdle(ArrayRef<RequestRecord> requests,
                                  uint64_t idleNs) {
  std::vector<size_t> found;
  uint64_t busyUntil = 0;
  bool any = false;
  for (auto [i, request] : llvm::enumerate(requests)) {
    if (!request.isAnswered())
      continue;
    if (any && request.intended >= busyUntil + idleNs)
      found.push_back(i);
    busyUntil = std::max(busyUntil, request.finished);
    any = true;
  }
  return found;
}

/// Returns at a time of brisk_clock_ns, or at once if that has passed: sleeping
/// as long as the system's wake-up is not needed to be exact.
static void waitUntil(uint64_t time) {
  constexpr uint64_t spin = 100000;
  if (brisk_clock_ns(nullptr) + spin < time) {
    uint64_t wake = time - spin;
    timespec at = {static_cast<time_t>(wake / 1000000000),
                   static_cast<long>(wake % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
  }
  while (brisk_clock_ns(nullptr) < time)
    ;
}

namespace {
/// The model behind a queue, and its requests, which all have the same inputs.
class Load {
public:
  Load(flow::Pipeline pipeline, const brisk_model &model,
       execution::Instance &inputs, const LoadOptions &options)
      : pipeline(std::move(pipeline)), model(model), inputs(inputs),
        options(options) {}

  Status warmUp();
  LoadResult runOpen();
  LoadResult runClosed();

private:
  /// Once the request is made: it is run from memory that all share.
  void bindInputs(flow::Request &request) {
    for (unsigned i = 0; i < model.num_inputs; ++i)
      request->bind(i, inputs.getInput(i));
  }
  uint64_t sinceStart(uint64_t time) const {
    return time > start ? time - start : 0;
  }
  /// Waits, and notes what became of a request.
  void note(RequestRecord &record, flow::Future &future) const {
    record.code = future.wait().code();
    const flow::Times &times = future->times();
    record.started = sinceStart(times.started);
    record.finished = sinceStart(times.finished);
  }

  flow::Pipeline pipeline;
  const brisk_model &model;
  execution::Instance &inputs;
  const LoadOptions &options;
  uint64_t start = 0;
};
} // namespace

Status Load::warmUp() {
  uint64_t end =
      brisk_clock_ns(nullptr) + static_cast<uint64_t>(options.warmupMs * 1e6);
  do {
    std::vector<flow::Future> futures;
    for (unsigned i = 0; i < options.instances; ++i) {
      Result<flow::Request> request = pipeline.acquire();
      if (!request)
        return request.status();
      bindInputs(*request);
      futures.push_back(pipeline.submit(*std::move(request)));
    }
    for (flow::Future &future : futures)
      if (Status status = future.wait(); !status)
        return status;
  } while (brisk_clock_ns(nullptr) < end);
  return Status();
}

LoadResult Load::runOpen() {
  LoadResult result;
  std::vector<uint64_t> schedule = scheduleArrivals(options);
  result.requests.resize(schedule.size());
  start = brisk_clock_ns(nullptr) + 1000000;
  for (auto [record, intended] : llvm::zip_equal(result.requests, schedule)) {
    record.intended = intended;
    waitUntil(start + intended);
    Result<flow::Request> request = pipeline.acquire();
    if (!request) {
      record.code = request.status().code();
      continue;
    }
    bindInputs(*request);
    if (options.deadlineMs > 0)
      (*request)->setDeadline(start + intended +
                              static_cast<uint64_t>(options.deadlineMs * 1e6));
    pipeline.submit(*std::move(request),
                    [this, record = &record](flow::Future future) {
                      note(*record, future);
                    });
  }
  pipeline.close();
  result.seconds =
      static_cast<double>(sinceStart(brisk_clock_ns(nullptr))) * 1e-9;
  return result;
}

LoadResult Load::runClosed() {
  std::vector<std::vector<RequestRecord>> own(options.instances);
  std::vector<std::thread> clients;
  start = brisk_clock_ns(nullptr);
  uint64_t end = start + static_cast<uint64_t>(options.durationS * 1e9);
  for (std::vector<RequestRecord> &records : own)
    clients.emplace_back([&] {
      while (brisk_clock_ns(nullptr) < end && records.size() < mostRequests) {
        RequestRecord record;
        record.intended = sinceStart(brisk_clock_ns(nullptr));
        Result<flow::Request> request = pipeline.acquire();
        assert(request && "an item for each client");
        bindInputs(*request);
        flow::Future future = pipeline.submit(*std::move(request));
        note(record, future);
        records.push_back(record);
      }
    });
  for (std::thread &client : clients)
    client.join();
  LoadResult result;
  result.seconds =
      static_cast<double>(sinceStart(brisk_clock_ns(nullptr))) * 1e-9;
  for (const std::vector<RequestRecord> &records : own)
    llvm::append_range(result.requests, records);
  llvm::stable_sort(result.requests,
                    [](const RequestRecord &a, const RequestRecord &b) {
                      return a.intended < b.intended;
                    });
  return result;
}

Expected<LoadResult> runLoad(const brisk::Library &library,
                             execution::Instance &inputs, unsigned threads,
                             const LoadOptions &options) {
  flow::ModelStageOptions model;
  model.workers = options.instances;
  if (threads != 1) {
    Result<Pool> pool = Pool::create(threads);
    if (!pool)
      return createStringError(pool.status().message());
    model.pool = *pool;
  }
  Result<flow::Stage> stage = flow::modelStage(library, model);
  if (!stage)
    return createStringError(stage.status().message());
  flow::PipelineOptions line;
  line.items = options.instances + options.queue;
  // Inputs are somebody else's.
  line.buffers = flow::buffersOf(library.model());
  for (size_t i = 0; i < library.model().numInputs(); ++i)
    line.buffers[i].bytes = 0;
  std::vector<flow::Stage> stages;
  stages.push_back(*std::move(stage));
  Result<flow::Pipeline> pipeline =
      flow::Pipeline::create(std::move(stages), line);
  if (!pipeline)
    return createStringError(pipeline.status().message());
  Load load(*pipeline, library.model().c(), inputs, options);
  if (Status status = load.warmUp(); !status)
    return createStringError("the model did not run: " + status.message());
  return options.arrivals == Arrivals::Closed ? load.runClosed()
                                              : load.runOpen();
}

} // namespace brisk::tools
