//===- Line.h - What a pipeline consists of ---------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items, stages and their threads. It is there as long as a pipeline, a request
// or a future of it is; the threads are there as long as the pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_FLOW_LINE_H
#define BRISK_FLOW_LINE_H

#include "Queue.h"

#include <thread>

namespace brisk {
inline namespace v1 {
namespace flow::detail {

/// A thread of a stage, and what it is doing.
struct Worker {
  std::thread thread;
  std::atomic<uint64_t> since{0}; ///< when its item began; 0: it has none
};

struct StageState {
  explicit StageState(Stage description, size_t capacity)
      : stage(std::move(description)), queue(capacity), workers(stage.workers),
        living(stage.workers) {}

  Stage stage;
  Queue queue;
  std::vector<Worker> workers;
  std::atomic<unsigned> living;
  std::atomic<uint64_t> finished{0}, failed{0}, late{0};
};

struct Line : std::enable_shared_from_this<Line> {
  /// Starts the threads; a failure if memory or threads are short.
  Status start(std::vector<Stage> description, const PipelineOptions &options);
  /// Answers what was accepted, and ends the threads.
  void close();

  /// Null if none has become free for so long.
  Item *acquire(uint64_t waitNs);
  void release(Item *item);
  void submit(Item *item);
  /// Leaves an item to the pipeline, if it is still on its way, or frees it.
  void drop(Item *item);

  std::vector<std::unique_ptr<StageState>> stages;
  std::vector<std::unique_ptr<Item>> items;
  uint64_t spinNs = 0;
  std::atomic<uint64_t> failedCallbacks{0};
  std::atomic<bool> isClosed{false};

private:
  void work(StageState &state, size_t index, Worker &worker);
  /// Runs a stage on an item, whose status says what became of it.
  void run(StageState &state, Item &item, Worker *worker);
  /// Brings an item to the stage of that number, or to its end.
  void advance(size_t index, Item *item);
  void finish(Item *item);
  /// A thread has ended by itself, with an item or without.
  void bury(StageState &state, Item *item);

  std::mutex mutex; ///< of the free items
  std::condition_variable released;
  std::vector<Item *> free;
  size_t waiting = 0, flying = 0;
};

} // namespace flow::detail
} // namespace v1
} // namespace brisk

#endif // BRISK_FLOW_LINE_H
