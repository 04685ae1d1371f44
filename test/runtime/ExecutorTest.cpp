//===- ExecutorTest.cpp - Models on threads of their own ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlowTesting.h"

#include <thread>

using namespace brisk;
using namespace brisk::flow;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Executor, RunsAModel) {
  for (unsigned workers : {0u, 1u, 3u}) {
    ExecutorOptions options;
    options.workers = workers;
    options.items = 3;
    auto executor = Executor::create(openFake(), options);
    ASSERT_TRUE(executor) << executor.status().message();
    for (int round = 1; round < 20; ++round) {
      std::vector<Future> futures;
      for (int i = 0; i < 3; ++i) {
        auto request = executor->acquire();
        ASSERT_TRUE(request);
        float next = 1;
        for (float &x : *executor->input<float>(*request, 0))
          x = next++;
        (*executor->input<float>(*request, 1))() =
            static_cast<float>(10 * round + i);
        futures.push_back(executor->submit(*std::move(request)));
      }
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(futures[i].wait());
        EXPECT_EQ((*executor->output<float>(futures[i], 0))(1, 2),
                  static_cast<float>(6 * (10 * round + i)));
        const Times &times = futures[i]->times();
        EXPECT_LE(times.submitted, times.started);
        EXPECT_LE(times.started, times.finished);
      }
    }
  }
}

/// Whether the model doubles 1.
static Status testDoubling(Instance &instance) {
  (*instance.input<float>(0))(0, 0) = 1;
  (*instance.input<float>(1))() = 2;
  if (Status status = instance.run(); !status)
    return status;
  float found = (*instance.output<float>(0))(0, 0);
  return found == 2 ? Status() : Status::failure("it makes another number");
}

TEST(Executor, ChangesToAnotherLibraryIfThatIsFit) {
  auto executor = Executor::create(openFake());
  ASSERT_TRUE(executor);
  auto run = [&] {
    auto request = executor->acquire();
    (*executor->input<float>(*request, 0))(0, 0) = 1;
    (*executor->input<float>(*request, 1))() = 2;
    Future future = executor->submit(*std::move(request));
    EXPECT_TRUE(future.wait());
    return (*executor->output<float>(future, 0))(0, 0);
  };
  EXPECT_EQ(run(), 2);
  EXPECT_THAT(executor->reload(openFake("tenfold"), testDoubling).message(),
              HasSubstr("fails its test: it makes another number"));
  EXPECT_EQ(executor->reload(openFake("refusing"), testDoubling).code(),
            BRISK_ERROR_INDEX);
  EXPECT_THAT(executor->reload(openFake("symbolic")).message(),
              HasSubstr("extents that every call gives"));
  EXPECT_THAT(
      executor->reload(openFake("other-type")).message(),
      HasSubstr("it has output 'n' of int32 of shape 2, where there was 'n' of "
                "int64 of shape 2"));
  EXPECT_EQ(run(), 2);
  EXPECT_TRUE(executor->reload(openFake("tenfold")));
  EXPECT_EQ(run(), 20);
  EXPECT_TRUE(executor->reload(openFake(), testDoubling));
  EXPECT_EQ(run(), 2);
}

TEST(Executor, ReloadsUnderLoadWithoutALostOrMixedAnswer) {
  static constexpr int clients = 3, requests = 3400, reloads = 20;
  ExecutorOptions options;
  options.workers = 2;
  options.items = clients;
  auto executor = Executor::create(openFake(), options);
  ASSERT_TRUE(executor);
  std::atomic<int> answered{0}, mixed{0}, tens{0};
  std::vector<std::thread> threads;
  for (int client = 0; client < clients; ++client)
    threads.emplace_back([&] {
      for (int i = 0; i < requests; ++i) {
        auto request = executor->acquire();
        ASSERT_TRUE(request);
        for (float &x : *executor->input<float>(*request, 0))
          x = static_cast<float>(i + 1);
        (*executor->input<float>(*request, 1))() = 1;
        Future future = executor->submit(*std::move(request));
        ASSERT_TRUE(future.wait());
        auto y = executor->output<float>(future, 0);
        float factor = (*y)[0] / static_cast<float>(i + 1);
        for (float each : *y)
          mixed += each != factor * static_cast<float>(i + 1);
        mixed += factor != 1 && factor != 10;
        tens += factor == 10;
        ++answered;
      }
    });
  for (int i = 0; i < reloads; ++i) {
    // Each is to meet as many requests.
    while (answered < (i + 1) * clients * requests / (reloads + 2))
      std::this_thread::yield();
    if (i % 7 == 6) {
      EXPECT_FALSE(executor->reload(openFake("refusing"), testDoubling));
    } else {
      EXPECT_TRUE(executor->reload(openFake(i % 2 ? "fake" : "tenfold")));
    }
  }
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(answered, clients * requests);
  EXPECT_EQ(mixed, 0);
  EXPECT_GT(tens, 0);
}

TEST(Executor, NamesTensorsThatAreNone) {
  auto executor = Executor::create(openFake());
  ASSERT_TRUE(executor);
  auto request = executor->acquire();
  EXPECT_THAT(executor->input<int>(*request, 0).status().message(),
              HasSubstr("'x' is float32"));
  EXPECT_THAT(executor->input<float>(*request, 3).status().message(),
              HasSubstr("no input 3"));
}

TEST(Executor, UsesMemoryThatIsBound) {
  auto executor = Executor::create(openFake());
  auto request = executor->acquire();
  std::array<float, 6> x = {1, 2, 3, 4, 5, 6}, y = {};
  (*request)->bind(0, x.data());
  (*request)->bind(3, y.data());
  (*executor->input<float>(*request, 1))() = 2;
  ASSERT_TRUE(executor->submit(*std::move(request)).wait());
  EXPECT_THAT(y, ElementsAre(2, 4, 6, 8, 10, 12));
  // The next request of the item has the item's own memory again.
  for (int i = 0; i < 4; ++i) {
    auto next = executor->acquire();
    ASSERT_TRUE(next);
    EXPECT_NE((*next)->buffer(3), y.data());
    ASSERT_TRUE(executor->submit(*std::move(next)).wait());
  }
  EXPECT_EQ(y[5], 12);
}
