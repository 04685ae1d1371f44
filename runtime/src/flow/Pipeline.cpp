//===- Pipeline.cpp - Stages one behind the other -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Line.h"
#include "Schedule.h"

#include <chrono>

namespace brisk {
inline namespace v1 {
namespace flow {

Request::~Request() {
  if (item)
    line->release(item);
}

Future::~Future() {
  if (item)
    line->drop(item);
}

Status Future::wait() {
  if (!spinFor(line->spinNs, [&] { return isReady(); })) {
    std::unique_lock<std::mutex> lock(item->mutex);
    item->isAwaited.store(true);
    schedulePoint();
    item->done.wait(lock, [&] { return item->state.load() == Item::Done; });
  }
  return item->status;
}

std::optional<Status> Future::waitFor(uint64_t ns) {
  uint64_t spin = std::min(ns, line->spinNs);
  if (!spinFor(spin, [&] { return isReady(); })) {
    std::unique_lock<std::mutex> lock(item->mutex);
    item->isAwaited.store(true);
    if (!item->done.wait_for(lock, std::chrono::nanoseconds(ns - spin),
                             [&] { return item->state.load() == Item::Done; }))
      return std::nullopt;
  }
  return item->status;
}

/// What ends with the last copy of a pipeline.
struct Pipeline::Closer {
  explicit Closer(std::shared_ptr<detail::Line> line) : line(std::move(line)) {}
  Closer(const Closer &) = delete;
  ~Closer() { line->close(); }

  std::shared_ptr<detail::Line> line;
};

Pipeline::Pipeline(std::shared_ptr<detail::Line> line)
    : line(line), closer(std::make_shared<Closer>(std::move(line))) {}

Result<Pipeline> Pipeline::create(std::vector<Stage> stages,
                                  const PipelineOptions &options) {
  auto line = std::make_shared<detail::Line>();
  Status status = line->start(std::move(stages), options);
  Pipeline pipeline(std::move(line)); // ends those threads that did start
  if (!status)
    return status;
  return pipeline;
}

Result<Request> Pipeline::acquire(uint64_t waitNs) {
  if (Item *item = line->acquire(waitNs))
    return Request(line, item);
  return line->isClosed ? Status::failure("the pipeline is closed", Closed)
                        : Status::failure("all items are taken", Overloaded);
}

void Pipeline::send(Request request) {
  request.line->submit(std::exchange(request.item, nullptr));
}

Future Pipeline::submit(Request request) {
  Future future(request.line, request.item);
  send(std::move(request));
  return future;
}

void Pipeline::close() { line->close(); }

std::vector<StageReport> Pipeline::report() const {
  uint64_t now = brisk_clock_ns(nullptr);
  std::vector<StageReport> reports;
  for (const std::unique_ptr<detail::StageState> &state : line->stages) {
    StageReport report;
    report.name = state->stage.name;
    report.waiting = state->queue.size();
    report.finished = state->finished;
    report.failed = state->failed;
    report.late = state->late;
    report.dead = state->stage.workers - state->living;
    for (const detail::Worker &worker : state->workers)
      if (uint64_t since = worker.since; since && since < now)
        report.longestNs = std::max(report.longestNs, now - since);
    reports.push_back(std::move(report));
  }
  return reports;
}

uint64_t Pipeline::failedCallbacks() const { return line->failedCallbacks; }

} // namespace flow
} // namespace v1
} // namespace brisk
