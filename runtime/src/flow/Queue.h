//===- Queue.h - Items that wait for a stage --------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bounded queue of many producers and many consumers, by priority and then by
// arrival. A consumer spins before it sleeps, and is woken only if it sleeps.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_FLOW_QUEUE_H
#define BRISK_FLOW_QUEUE_H

#include "brisk/flow.hpp"

namespace brisk {
inline namespace v1 {
namespace flow {

class Queue {
public:
  explicit Queue(size_t capacity) : capacity(capacity) {
    heap.reserve(capacity);
  }

  /// Waits while the queue is full. False, and the item stays the caller's, if
  /// the queue is closed.
  bool push(Item *item);
  /// Waits for an item. Null once the queue is closed and empty.
  Item *pop(uint64_t spinNs);
  /// Refuses further items, and lets all who wait go on.
  void close();

  size_t size() const { return count.load(std::memory_order_relaxed); }

private:
  /// Whether b goes first.
  static bool isBefore(const Item *a, const Item *b) {
    return a->priority != b->priority ? a->priority < b->priority
                                      : a->number > b->number;
  }

  const size_t capacity;
  std::mutex mutex;
  std::condition_variable filled, emptied;
  std::vector<Item *> heap;
  uint64_t arrivals = 0;
  size_t hungry = 0, blocked = 0; ///< threads that sleep
  bool isClosed = false;
  std::atomic<size_t> count{0}; ///< what spinning threads look at
};

/// Lets a sibling of a core that spins do its work.
inline void pauseCpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

/// Spins until `isReady` or so many nanoseconds are over; whether it is ready.
template <typename IsReady> bool spinFor(uint64_t ns, IsReady isReady) {
  if (isReady())
    return true;
  if (ns == 0)
    return false;
  uint64_t end = brisk_clock_ns(nullptr) + ns;
  do {
    for (int i = 0; i < 16; ++i) {
      pauseCpu();
      if (isReady())
        return true;
    }
  } while (brisk_clock_ns(nullptr) < end);
  return false;
}

} // namespace flow
} // namespace v1
} // namespace brisk

#endif // BRISK_FLOW_QUEUE_H
