//===- Queue.cpp - Items that wait for a stage ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Queue.h"

#include "Schedule.h"

#include <algorithm>

namespace brisk {
inline namespace v1 {
namespace flow {

bool Queue::push(Item *item) {
  schedulePoint();
  std::unique_lock<std::mutex> lock(mutex);
  while (!isClosed && heap.size() >= capacity) {
    ++blocked;
    emptied.wait(lock);
    --blocked;
  }
  if (isClosed)
    return false;
  item->number = arrivals++;
  heap.push_back(item);
  std::push_heap(heap.begin(), heap.end(), isBefore);
  count.store(heap.size(), std::memory_order_release);
  bool wake = hungry > 0;
  lock.unlock();
  schedulePoint();
  if (wake)
    filled.notify_one();
  return true;
}

Item *Queue::pop(uint64_t spinNs) {
  spinFor(spinNs, [&] { return count.load(std::memory_order_acquire) > 0; });
  schedulePoint();
  std::unique_lock<std::mutex> lock(mutex);
  while (!isClosed && heap.empty()) {
    ++hungry;
    filled.wait(lock);
    --hungry;
  }
  if (heap.empty())
    return nullptr;
  std::pop_heap(heap.begin(), heap.end(), isBefore);
  Item *item = heap.back();
  heap.pop_back();
  count.store(heap.size(), std::memory_order_release);
  bool wake = blocked > 0;
  lock.unlock();
  schedulePoint();
  if (wake)
    emptied.notify_one();
  return item;
}

void Queue::close() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isClosed = true;
  }
  filled.notify_all();
  emptied.notify_all();
}

} // namespace flow
} // namespace v1
} // namespace brisk
