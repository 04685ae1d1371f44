//===- Line.cpp - What a pipeline consists of -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Line.h"

#include "Schedule.h"

#include <chrono>
#include <cxxabi.h>
#include <system_error>

namespace brisk {
inline namespace v1 {
namespace flow::detail {

Status Line::start(std::vector<Stage> description,
                   const PipelineOptions &options) {
  unsigned threads = 1; // who submits
  for (size_t i = 0; i < description.size(); ++i) {
    const Stage &stage = description[i];
    if (!stage.run)
      return Status::failure("stage '" + stage.name + "' has no function");
    if (stage.workers && i && stage.queue == 0)
      return Status::failure("the queue of stage '" + stage.name +
                             "' has no room");
    threads += stage.workers;
  }
  if (description.empty())
    return Status::failure("a pipeline has at least one stage");
  if (options.items == 0)
    return Status::failure("a pipeline has at least one item");
  spinNs =
      options.spinNs.value_or(threads <= brisk_default_threads() ? 20000 : 0);
  for (size_t i = 0; i < options.items; ++i) {
    auto item = std::make_unique<Item>();
    for (const BufferSpec &spec : options.buffers) {
      Result<Buffer> buffer = Buffer::create(spec.bytes, spec.alignment);
      if (!buffer)
        return buffer.status();
      item->buffers.push_back(buffer->data());
      item->own.push_back(*std::move(buffer));
    }
    free.push_back(item.get());
    items.push_back(std::move(item));
  }
  for (Stage &stage : description) {
    size_t capacity = stages.empty() ? options.items : stage.queue;
    stages.push_back(std::make_unique<StageState>(std::move(stage), capacity));
  }
  try {
    for (size_t i = 0; i < stages.size(); ++i)
      for (Worker &worker : stages[i]->workers)
        worker.thread =
            std::thread([this, i, &worker] { work(*stages[i], i, worker); });
  } catch (const std::system_error &error) {
    return Status::failure(std::string("cannot start the threads of a "
                                       "pipeline: ") +
                           error.what());
  }
  return Status();
}

void Line::close() {
  {
    std::unique_lock<std::mutex> lock(mutex);
    isClosed = true;
    released.notify_all();
    released.wait(lock, [&] { return flying == 0; });
  }
  for (std::unique_ptr<StageState> &state : stages)
    state->queue.close();
  for (std::unique_ptr<StageState> &state : stages)
    for (Worker &worker : state->workers)
      if (worker.thread.joinable())
        worker.thread.join();
}

Item *Line::acquire(uint64_t waitNs) {
  std::unique_lock<std::mutex> lock(mutex);
  if (free.empty() && waitNs) {
    ++waiting;
    released.wait_for(lock, std::chrono::nanoseconds(waitNs),
                      [&] { return !free.empty() || isClosed; });
    --waiting;
  }
  if (free.empty() || isClosed)
    return nullptr;
  Item *item = free.back();
  free.pop_back();
  return item;
}

void Line::release(Item *item) {
  for (size_t i = 0; i < item->buffers.size(); ++i)
    item->buffers[i] = item->own[i].data();
  item->priority = 0;
  item->deadline = 0;
  item->timed = Times();
  item->status = Status();
  item->callback.clear();
  item->state.store(Item::OnItsWay, std::memory_order_relaxed);
  item->isAwaited.store(false, std::memory_order_relaxed);
  std::lock_guard<std::mutex> lock(mutex);
  free.push_back(item);
  if (waiting)
    released.notify_one();
}

void Line::drop(Item *item) {
  schedulePoint();
  Item::State state = Item::OnItsWay;
  if (!item->state.compare_exchange_strong(state, Item::Left))
    release(item);
}

void Line::submit(Item *item) {
  item->timed.submitted = brisk_clock_ns(nullptr);
  {
    std::lock_guard<std::mutex> lock(mutex);
    ++flying;
    if (isClosed)
      item->status = Status::failure("the pipeline is closed", Closed);
  }
  advance(0, item);
}

void Line::advance(size_t index, Item *item) {
  for (; index < stages.size() && item->status.ok(); ++index) {
    StageState &state = *stages[index];
    if (state.workers.empty())
      run(state, *item, nullptr);
    else if (state.queue.push(item))
      return;
    else
      item->status = Status::failure(
          "the threads of stage '" + state.stage.name + "' have ended", Died);
  }
  finish(item);
}

void Line::run(StageState &state, Item &item, Worker *worker) {
  uint64_t now = brisk_clock_ns(nullptr);
  if (item.deadline && now > item.deadline) {
    item.status = Status::failure("its deadline passed before stage '" +
                                      state.stage.name + "' began",
                                  Late);
    state.late.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!item.timed.started)
    item.timed.started = now;
  if (worker)
    worker->since.store(now, std::memory_order_relaxed);
  try {
    item.status = state.stage.run(item);
  } catch (abi::__forced_unwind &) { // pthread_exit: the thread ends
    item.status = Status::failure(
        "the thread of stage '" + state.stage.name + "' has ended", Died);
    if (!worker)
      finish(&item);
    throw;
  } catch (const std::exception &error) {
    item.status = Status::failure("stage '" + state.stage.name +
                                  "' threw: " + error.what());
  } catch (...) {
    item.status =
        Status::failure("stage '" + state.stage.name + "' threw something");
  }
  if (worker)
    worker->since.store(0, std::memory_order_relaxed);
  state.finished.fetch_add(1, std::memory_order_relaxed);
  if (!item.status)
    state.failed.fetch_add(1, std::memory_order_relaxed);
}

void Line::work(StageState &state, size_t index, Worker &worker) {
  Item *item = nullptr;
  /// Looks after what a thread leaves behind that ends on its own.
  struct Guard {
    ~Guard() {
      if (!isOver)
        line.bury(state, item);
    }
    Line &line;
    StageState &state;
    Item *&item;
    bool isOver = false;
  } guard{*this, state, item};
  while ((item = state.queue.pop(spinNs))) {
    run(state, *item, &worker);
    Item *next = std::exchange(item, nullptr);
    advance(index + 1, next);
  }
  guard.isOver = true;
}

void Line::bury(StageState &state, Item *item) {
  bool isLast = state.living.fetch_sub(1) == 1;
  if (isLast)
    state.queue.close();
  if (item)
    finish(item);
  if (!isLast)
    return;
  // Nobody is left to take what waits.
  while (Item *waiting = state.queue.pop(0)) {
    waiting->status = Status::failure(
        "the threads of stage '" + state.stage.name + "' have ended", Died);
    finish(waiting);
  }
}

void Line::finish(Item *item) {
  /// However a callback ends.
  struct Landing {
    ~Landing() {
      std::lock_guard<std::mutex> lock(line.mutex);
      if (--line.flying == 0 && line.isClosed)
        line.released.notify_all();
    }
    Line &line;
  } landing{*this};
  item->timed.finished = brisk_clock_ns(nullptr);
  schedulePoint();
  if (item->callback) {
    // The item is another request's as soon as the callback lets it go.
    Callback callback = std::move(item->callback);
    item->state.store(Item::Done, std::memory_order_release);
    try {
      callback(Future(shared_from_this(), item));
    } catch (abi::__forced_unwind &) {
      throw;
    } catch (...) {
      failedCallbacks.fetch_add(1, std::memory_order_relaxed);
    }
    return;
  }
  Item::State state = Item::OnItsWay;
  if (!item->state.compare_exchange_strong(state, Item::Done)) {
    release(item);
    return;
  }
  // The item may be another request's already. Then who waited for this one has
  // seen the state, and whoever else is woken looks at it and waits on. Both
  // sides are sequentially consistent: one of them sees what the other stored.
  schedulePoint();
  if (item->isAwaited.load()) {
    {
      std::lock_guard<std::mutex> lock(item->mutex);
    }
    item->done.notify_all();
  }
}

} // namespace flow::detail
} // namespace v1
} // namespace brisk
