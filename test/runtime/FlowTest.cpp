//===- FlowTest.cpp - Models and functions on threads of their own --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built twice: as it is, and with ThreadSanitizer and a scheduler that lets
// threads yield and sleep at random where they share something.
//
//===----------------------------------------------------------------------===//
#include "FlowTesting.h"

#include <cstdlib>
#include <random>
#include <thread>

using namespace brisk;
using namespace brisk::flow;
using testing::ElementsAre;
using testing::HasSubstr;

#ifdef BRISK_FUZZ_SCHEDULE
namespace brisk {
inline namespace v1 {
namespace flow {
// What runtime/src/flow/Schedule.h declares.
// NOLINTNEXTLINE(misc-use-internal-linkage)
void schedulePoint() {
  thread_local std::minstd_rand random(
      std::hash<std::thread::id>()(std::this_thread::get_id()) ^
      brisk_clock_ns(nullptr));
  unsigned choice = random() % 64;
  if (choice < 16)
    std::this_thread::yield();
  else if (choice == 16)
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
}
} // namespace flow
} // namespace v1
} // namespace brisk
#endif

/// How often this program has asked for memory.
static std::atomic<uint64_t> allocations{0};

// Sanitizers have their own.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

TEST(Flow, SaysAtOnceThatAllItemsAreTaken) {
  Pipeline pipeline = makePipeline({makeStage("add", [](int &v) { ++v; })}, 2);
  {
    Request first = take(pipeline, 1);
    Future second = pipeline.submit(take(pipeline, 2));
    ASSERT_TRUE(second.wait());
    auto third = pipeline.acquire();
    EXPECT_EQ(third.status().code(), Overloaded);
    EXPECT_EQ(pipeline.acquire(1000).status().code(), Overloaded);
  }
  // A request that was not submitted and an answer that is let go are free.
  Request first = take(pipeline), second = take(pipeline);
}

TEST(Flow, WaitsForAnItem) {
  Pipeline pipeline = makePipeline({makeStage("add", [](int &v) { ++v; })}, 1);
  std::optional<Request> held = take(pipeline);
  std::thread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    held.reset();
  });
  EXPECT_TRUE(pipeline.acquire(10 * second));
  thread.join();
}

TEST(Flow, PollsAndWaitsForAWhile) {
  Gate gate;
  Pipeline pipeline =
      makePipeline({makeStage("wait", [&](int &) { gate.pass(); })});
  Future future = pipeline.submit(take(pipeline));
  EXPECT_FALSE(future.isReady());
  EXPECT_EQ(future.waitFor(1000000), std::nullopt);
  gate.open();
  std::optional<Status> status = future.waitFor(10 * second);
  ASSERT_TRUE(status);
  EXPECT_TRUE(*status);
  EXPECT_TRUE(future.isReady());
}

TEST(Flow, CallsBack) {
  Pipeline pipeline = makePipeline({makeStage("add", [](int &v) { ++v; })});
  std::atomic<int> sum{0}, calls{0};
  for (int i = 0; i < 100; ++i)
    pipeline.submit(take(pipeline, i), [&](Future future) {
      EXPECT_TRUE(future.isReady());
      sum += valueOf(*future);
      if (++calls % 10 == 0)
        throw std::runtime_error("on purpose");
    });
  pipeline.close();
  EXPECT_EQ(sum, 5050);
  EXPECT_EQ(pipeline.failedCallbacks(), 10u);
}

TEST(Flow, PassesAnItemFromOnePipelineToAnother) {
  Pipeline doubling =
      makePipeline({makeStage("double", [](int &v) { v *= 2; })});
  Pipeline first = makePipeline({makeStage("add", [](int &v) { ++v; })});
  std::atomic<int> result{0};
  first.submit(take(first, 20), [&](Future future) {
    auto request = doubling.acquire(10 * second);
    (*request)->bind(0, future->buffer(0));
    Future doubled = doubling.submit(*std::move(request));
    EXPECT_TRUE(doubled.wait());
    result = valueOf(*future);
  });
  first.close();
  EXPECT_EQ(result, 42);
}

TEST(Flow, RunsTheImportantFirstAndTheLateNot) {
  Gate gate, begun;
  std::vector<int> order;
  Pipeline pipeline = makePipeline({makeStage("list",
                                              [&](int &v) {
                                                begun.open();
                                                gate.pass();
                                                order.push_back(v);
                                              })},
                                   8);
  std::vector<Future> futures;
  auto submit = [&](int value, int priority, uint64_t deadline = 0) {
    Request request = take(pipeline, value);
    request->setPriority(priority);
    request->setDeadline(deadline);
    futures.push_back(pipeline.submit(std::move(request)));
  };
  submit(0, 0);
  begun.pass();
  uint64_t now = brisk_clock_ns(nullptr);
  submit(1, 0);
  submit(2, -1);
  submit(3, 5);
  submit(4, 5);
  submit(5, 9, now + 1);
  submit(6, 0, now + 100 * second);
  EXPECT_EQ(pipeline.report()[0].waiting, 6u);
  gate.open();
  for (Future &future : futures)
    future.wait().ok();
  EXPECT_THAT(order, ElementsAre(0, 3, 4, 1, 6, 2));
  EXPECT_EQ(futures[5].wait().code(), Late);
  EXPECT_EQ(pipeline.report()[0].late, 1u);
  EXPECT_EQ(pipeline.report()[0].finished, 6u);
}

TEST(Flow, RunsStagesWithoutThreadsWhereTheItemIs) {
  std::array<std::thread::id, 3> ids;
  auto note = [&](size_t at) {
    return [&ids, at](int &) { ids[at] = std::this_thread::get_id(); };
  };
  Pipeline pipeline =
      makePipeline({makeStage("a", note(0), 0), makeStage("b", note(1), 1),
                    makeStage("c", note(2), 0)});
  ASSERT_TRUE(pipeline.submit(take(pipeline)).wait());
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
  EXPECT_EQ(ids[2], ids[1]);
}

TEST(Flow, WorksOnSeveralItemsAtOnceInOrder) {
  // Each stage waits until the other one has begun with another item.
  Gate first, second;
  std::vector<int> order;
  Pipeline pipeline = makePipeline(
      {makeStage("a", [&](int &v) { v == 1 ? second.pass() : void(); }),
       makeStage("b", [&](int &v) {
         if (v == 0) {
           second.open();
           first.pass();
         }
         order.push_back(v);
       })});
  std::vector<Future> futures;
  for (int i = 0; i < 3; ++i)
    futures.push_back(pipeline.submit(take(pipeline, i)));
  first.open();
  for (Future &future : futures)
    ASSERT_TRUE(future.wait());
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
}

TEST(Flow, HoldsUpAStageWhoseSuccessorHasNoRoom) {
  Gate gate;
  std::atomic<int> made{0};
  Pipeline pipeline =
      makePipeline({makeStage("make", [&](int &) { ++made; }),
                    makeStage(
                        "wait", [&](int &) { gate.pass(); }, 1, 1)},
                   8);
  std::vector<Future> futures;
  for (int i = 0; i < 8; ++i)
    futures.push_back(pipeline.submit(take(pipeline, i)));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // One is being waited on, one waits for that, one is held.
  EXPECT_LE(made, 3);
  gate.open();
  for (Future &future : futures)
    EXPECT_TRUE(future.wait());
  EXPECT_EQ(made, 8);
}

TEST(Flow, AnswersWhatItHasAcceptedBeforeItEnds) {
  std::vector<Future> futures;
  std::optional<Request> late;
  std::optional<Pipeline> pipeline = makePipeline(
      {makeStage("slow",
                 [](int &v) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                   ++v;
                 })},
      10);
  late = take(*pipeline);
  for (int i = 0; i < 8; ++i)
    futures.push_back(pipeline->submit(take(*pipeline, i)));
  Pipeline copy = *pipeline;
  pipeline.reset();
  copy.close();
  EXPECT_EQ(copy.acquire().status().code(), Closed);
  EXPECT_EQ(copy.submit(*std::move(late)).wait().code(), Closed);
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(futures[i].isReady());
    EXPECT_EQ(valueOf(*futures[i]), i + 1);
  }
}

TEST(Flow, AllocatesNothingOnceItIsThere) {
  auto executor = Executor::create(openFake());
  Pipeline chain = makePipeline({makeStage("a", [](int &v) { ++v; }),
                                 makeStage("b", [](int &v) { ++v; }),
                                 makeStage("c", [](int &v) { ++v; }, 0)});
  std::atomic<int> answers{0};
  auto run = [&] {
    auto request = executor->acquire(10 * second);
    (*request)->setPriority(1);
    EXPECT_TRUE(executor->submit(*std::move(request)).wait());
    chain.submit(take(chain), [&](Future) { ++answers; });
    Future future = chain.submit(take(chain));
    EXPECT_TRUE(future.waitFor(10 * second).value());
  };
  run();
  uint64_t before = allocations;
  for (int i = 0; i < 1000; ++i)
    run();
  EXPECT_EQ(allocations, before);
  chain.close();
  EXPECT_EQ(answers, 1001);
}

TEST(Flow, RefusesWhatCannotWork) {
  auto refusal = [](std::vector<Stage> stages, const PipelineOptions &options) {
    auto pipeline = Pipeline::create(std::move(stages), options);
    EXPECT_FALSE(pipeline);
    return pipeline.status().message();
  };
  auto nothing = [](int &) {};
  EXPECT_THAT(refusal({}, {}), HasSubstr("at least one stage"));
  EXPECT_THAT(refusal({Stage()}, {}), HasSubstr("has no function"));
  EXPECT_THAT(
      refusal({makeStage("a", nothing), makeStage("b", nothing, 1, 0)}, {}),
      HasSubstr("the queue of stage 'b' has no room"));
  PipelineOptions none;
  none.items = 0;
  EXPECT_THAT(refusal({makeStage("a", nothing)}, none),
              HasSubstr("at least one item"));
  ModelStageOptions options;
  options.inputs = {0};
  EXPECT_THAT(modelStage(openFake(), options).status().message(),
              HasSubstr("3 inputs and 2 outputs"));
}

TEST(Flow, LosesAndRepeatsNothing) {
  static constexpr int clients = 4;
#ifdef BRISK_FUZZ_SCHEDULE
  static constexpr int requests = 2000;
#else
  static constexpr int requests = 20000;
#endif
  std::vector<std::atomic<int>> answered(clients * requests);
  std::atomic<int> refused{0};
  Pipeline pipeline = makePipeline({makeStage(
                                        "a", [](int &v) { v += 1; }, 2),
                                    makeStage(
                                        "b", [](int &v) { v += 1; }, 0),
                                    makeStage(
                                        "c", [](int &v) { v += 1; }, 2)},
                                   6);
  std::vector<std::thread> threads;
  for (int client = 0; client < clients; ++client)
    threads.emplace_back([&, client] {
      std::minstd_rand random(client);
      for (int i = 0; i < requests; ++i) {
        int value = client * requests + i;
        auto request = pipeline.acquire(random() % 4 ? second : 0);
        if (!request) {
          ++refused;
          ++answered[value];
          continue;
        }
        valueOf(**request) = value;
        (*request)->setPriority(static_cast<int>(random() % 3));
        switch (random() % 4) {
        case 0: { // let go before it is answered
          std::atomic<int> *count = &answered[value];
          pipeline.submit(*std::move(request), [count](Future) { ++*count; });
          break;
        }
        case 1:
          pipeline.submit(*std::move(request), [&](Future future) {
            ++answered[valueOf(*future) - 3];
          });
          break;
        case 2: {
          Future future = pipeline.submit(*std::move(request));
          while (!future.isReady())
            std::this_thread::yield();
          ++answered[valueOf(*future) - 3];
          break;
        }
        default: {
          Future future = pipeline.submit(*std::move(request));
          EXPECT_TRUE(future.wait());
          ++answered[valueOf(*future) - 3];
        }
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  pipeline.close();
  for (const std::atomic<int> &count : answered)
    ASSERT_EQ(count, 1);
  EXPECT_EQ(pipeline.report()[2].finished + refused,
            static_cast<uint64_t>(clients * requests));
}
