//===- PoolTest.cpp - A pool of threads for the parallel_for hook ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/host.h"

#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using Body = std::function<void(int64_t, int64_t)>;

static void call(void *body, const brisk_work *work) {
  (*static_cast<Body *>(body))(work->begin, work->end);
}

namespace {
class Pool {
public:
  explicit Pool(uint32_t threads) : pool(brisk_pool_create(threads)) {}
  ~Pool() { brisk_pool_destroy(pool); }
  void parallelFor(int64_t count, Body body, uint32_t worth = UINT32_MAX) {
    brisk_pool_parallel_for(pool, call, &body, count, worth);
  }
  brisk_pool *pool;
};
} // namespace

/// Every iteration of [0, count) exactly once.
static void expectCovers(Pool &pool, int64_t count) {
  std::vector<std::atomic<int>> seen(count);
  pool.parallelFor(count, [&](int64_t begin, int64_t end) {
    EXPECT_LT(begin, end);
    for (int64_t i = begin; i < end; ++i)
      seen[i].fetch_add(1, std::memory_order_relaxed);
  });
  for (auto &times : seen)
    ASSERT_EQ(times.load(), 1);
}

TEST(Pool, CountsItsCaller) {
  EXPECT_EQ(brisk_pool_threads(Pool(3).pool), 3u);
  EXPECT_EQ(brisk_pool_threads(Pool(0).pool), brisk_default_threads());
  EXPECT_EQ(brisk_pool_create(1u << 30), nullptr);
  brisk_pool_destroy(nullptr);
}

TEST(Pool, RunsEveryIterationOnce) {
  for (uint32_t threads : {1, 2, 5}) {
    Pool pool(threads);
    for (int64_t count : {0, 1, 2, 3, 7, 64, 1000, 100003})
      expectCovers(pool, count);
    pool.parallelFor(-5, [](int64_t, int64_t) { FAIL(); });
  }
}

TEST(Pool, ManyShortCalls) {
  Pool pool(4);
  for (int i = 0; i < 20000; ++i) {
    int parts[4] = {0, 0, 0, 0};
    pool.parallelFor(4, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        parts[k] += i;
    });
    ASSERT_EQ(parts[0] + parts[1] + parts[2] + parts[3], 4 * i);
  }
}

TEST(Pool, SharesEvenly) {
  // What a thread takes of its share, and what it takes of others', must come
  // to all of them, however few there are for a thread and however many
  // threads for a CPU.
  for (uint32_t threads : {2, 3, 16}) {
    Pool pool(threads);
    for (int64_t count = 1; count < 70; ++count)
      for (int times = 0; times < 20; ++times)
        expectCovers(pool, count);
  }
}

TEST(Pool, CountsFurtherThanAShareCan) {
  // More iterations than 32 bits: few pieces, which are large.
  Pool pool(3);
  std::atomic<int64_t> sum(0), pieces(0);
  int64_t count = (int64_t(1) << 40) + 12345;
  pool.parallelFor(count, [&](int64_t begin, int64_t end) {
    EXPECT_TRUE(0 <= begin && begin < end && end <= count);
    sum.fetch_add(end - begin);
    pieces.fetch_add(1);
  });
  EXPECT_EQ(sum.load(), count);
  EXPECT_LT(pieces.load(), 1000);
}

TEST(Pool, DoesTheTasksOfThreadsThatAreLate) {
  // The worker is held up in its first piece until the caller has done all
  // else, the rest of the worker's share too.
  for (int i = 0; i < 20; ++i) {
    Pool pool(2);
    std::thread::id self = std::this_thread::get_id();
    std::atomic<int64_t> done(0), late(0);
    auto await = [](std::chrono::milliseconds most, auto condition) {
      auto until = std::chrono::steady_clock::now() + most;
      while (!condition() && std::chrono::steady_clock::now() < until)
        std::this_thread::yield();
      return condition();
    };
    pool.parallelFor(64, [&](int64_t begin, int64_t end) {
      int64_t count = end - begin;
      if (std::this_thread::get_id() == self) {
        // Until the worker has its piece.
        await(std::chrono::milliseconds(20), [&] { return late != 0; });
      } else {
        late += count;
        EXPECT_TRUE(await(std::chrono::seconds(30),
                          [&] { return done + count >= 64; }));
      }
      done += count;
    });
    EXPECT_EQ(done.load(), 64);
    EXPECT_LE(late.load(), 16); // half of a share at most
  }
}

TEST(Pool, WakesSleepers) {
  Pool pool(3);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    expectCovers(pool, 100);
  }
}

TEST(Pool, UsesItsWorkersAndItsCaller) {
  // Each of the three tasks waits for the others, so three threads are needed.
  Pool pool(3);
  std::mutex lock;
  std::condition_variable all;
  std::set<std::thread::id> threads;
  pool.parallelFor(3, [&](int64_t begin, int64_t end) {
    std::unique_lock<std::mutex> guard(lock);
    threads.insert(std::this_thread::get_id());
    all.notify_all();
    EXPECT_TRUE(all.wait_for(guard, std::chrono::seconds(30),
                             [&] { return threads.size() == 3; }));
  });
  EXPECT_TRUE(threads.count(std::this_thread::get_id()));
}

TEST(Pool, UsesNoMoreWorkersThanACallIsWorth) {
  Pool pool(4);
  for (uint32_t worth : {0, 1, 2, 3})
    for (int i = 0; i < 200; ++i) {
      std::mutex lock;
      std::set<std::thread::id> threads;
      std::vector<int> seen(64);
      pool.parallelFor(
          64,
          [&](int64_t begin, int64_t end) {
            for (int64_t k = begin; k < end; ++k)
              ++seen[k];
            std::this_thread::yield();
            std::lock_guard<std::mutex> guard(lock);
            threads.insert(std::this_thread::get_id());
          },
          worth);
      EXPECT_EQ(seen, std::vector<int>(64, 1));
      EXPECT_LE(threads.size(), std::max(worth, 1u));
      if (worth < 2)
        EXPECT_TRUE(threads.count(std::this_thread::get_id()));
    }
}

TEST(Pool, GivesCallsAtTheSameTimeDifferentWorkers) {
  // All four tasks of the two calls wait for each other. Each call may have one
  // of the two workers, which must not be the same.
  Pool pool(3);
  std::mutex lock;
  std::condition_variable all;
  int arrived = 0;
  auto meet = [&](int64_t, int64_t) {
    std::unique_lock<std::mutex> guard(lock);
    ++arrived;
    all.notify_all();
    EXPECT_TRUE(all.wait_for(guard, std::chrono::seconds(30),
                             [&] { return arrived == 4; }));
  };
  std::thread other([&] { pool.parallelFor(2, meet, /*worth=*/2); });
  pool.parallelFor(2, meet, /*worth=*/2);
  other.join();
}

TEST(Pool, WakesThoseThatOthersCallsLeftAsleep) {
  // Calls that are worth two workers leave the third asleep until one comes
  // that needs all.
  Pool pool(3);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (int times = 0; times < 10; ++times)
      pool.parallelFor(8, [](int64_t, int64_t) {}, /*worth=*/2);
    std::atomic<int> arrived(0);
    pool.parallelFor(3, [&](int64_t, int64_t) {
      ++arrived;
      auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (arrived < 3 && std::chrono::steady_clock::now() < until)
        std::this_thread::yield();
      EXPECT_EQ(arrived, 3);
    });
  }
}

namespace {
/// Keeps what worker of one call it is on to itself.
struct Scratch {
  std::vector<std::atomic<int>> users;
  std::atomic<int> clashes = 0;
  explicit Scratch(uint32_t workers) : users(workers) {}
  static void use(void *args, const brisk_work *work) {
    auto *scratch = static_cast<Scratch *>(args);
    ASSERT_LT(work->worker, scratch->users.size());
    std::atomic<int> &users = scratch->users[work->worker];
    scratch->clashes += users.fetch_add(1) != 0;
    std::this_thread::yield();
    users.fetch_sub(1);
  }
};
} // namespace

TEST(Pool, GivesEachWorkerItsNumber) {
  Pool pool(4);
  EXPECT_EQ(brisk_pool_hooks(pool.pool).workers, 4u);
  EXPECT_EQ(brisk_pool_hooks(nullptr).workers, 1u);
  EXPECT_EQ(brisk_pool_hooks(nullptr).parallel_for, nullptr);
  // Several calls at once, each with scratch of its own.
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      Scratch scratch(4);
      for (int i = 0; i < 50; ++i)
        brisk_pool_parallel_for(pool.pool, Scratch::use, &scratch, 100,
                                UINT32_MAX);
      EXPECT_EQ(scratch.clashes.load(), 0);
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(Pool, CallsMayNest) {
  Pool pool(3);
  std::atomic<int> sum(0);
  pool.parallelFor(8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      pool.parallelFor(8, [&](int64_t b, int64_t e) {
        for (int64_t k = b; k < e; ++k)
          pool.parallelFor(
              4, [&](int64_t x, int64_t y) { sum.fetch_add(int(y - x)); });
      });
  });
  EXPECT_EQ(sum.load(), 8 * 8 * 4);
}

TEST(Pool, CallersMayShareIt) {
  // More callers than slots, so that some run without the workers' help.
  Pool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int64_t> sum(0);
  for (int caller = 0; caller < 40; ++caller)
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i)
        pool.parallelFor(50, [&](int64_t begin, int64_t end) {
          for (int64_t k = begin; k < end; ++k)
            sum.fetch_add(k, std::memory_order_relaxed);
        });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum.load(), 40 * 100 * (50 * 49 / 2));
}

TEST(Pool, WaitsForSlowWorkers) {
  // The worker outlasts the caller by more than the caller spins.
  for (int i = 0; i < 5; ++i) {
    Pool pool(2);
    std::atomic<int> entered(0), finished(0);
    std::thread::id self = std::this_thread::get_id();
    pool.parallelFor(2, [&](int64_t, int64_t) {
      entered.fetch_add(1);
      while (entered.load() < 2)
        std::this_thread::yield();
      if (std::this_thread::get_id() != self)
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
      finished.fetch_add(1);
    });
    ASSERT_EQ(finished.load(), 2);
  }
}
