//===- FlowFailureTest.cpp - Stages that fail, end or hang ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlowTesting.h"

#include <pthread.h>
#include <thread>

using namespace brisk;
using namespace brisk::flow;
using testing::HasSubstr;

TEST(Flow, GoesOnWhenAStageFailsOrThrows) {
  Stage picky;
  picky.name = "picky";
  picky.run = [](Item &item) {
    if (valueOf(item) % 3 == 1)
      return Status::failure("not this one", 7);
    if (valueOf(item) % 3 == 2)
      throw std::runtime_error("cannot");
    return Status();
  };
  Pipeline pipeline =
      makePipeline({picky, makeStage("add", [](int &v) { v += 100; })});
  for (int i = 0; i < 30; ++i) {
    Future future = pipeline.submit(take(pipeline, i));
    Status status = future.wait();
    if (i % 3 == 0) {
      EXPECT_TRUE(status);
      EXPECT_EQ(valueOf(*future), i + 100);
    } else if (i % 3 == 1) {
      EXPECT_EQ(status.code(), 7);
      EXPECT_EQ(valueOf(*future), i);
    } else {
      EXPECT_EQ(status.message(), "stage 'picky' threw: cannot");
    }
  }
  std::vector<StageReport> report = pipeline.report();
  EXPECT_EQ(report[0].failed, 20u);
  EXPECT_EQ(report[0].finished, 30u);
  EXPECT_EQ(report[1].finished, 10u);
}

TEST(Flow, ReportsThreadsThatEnd) {
  auto exitOn = [](int value) {
    return [value](int &v) {
      if (v == value)
        pthread_exit(nullptr);
    };
  };
  Pipeline two = makePipeline({makeStage("mortal", exitOn(1), 2)});
  EXPECT_EQ(two.submit(take(two, 1)).wait().code(), Died);
  EXPECT_TRUE(two.submit(take(two, 2)).wait());
  EXPECT_EQ(two.report()[0].dead, 1u);

  Pipeline one = makePipeline({makeStage("first", [](int &) {}),
                               makeStage("mortal", exitOn(1), 1),
                               makeStage("inline", exitOn(2), 0)});
  EXPECT_TRUE(one.submit(take(one, 0)).wait());
  EXPECT_EQ(one.submit(take(one, 2)).wait().code(), Died);
  std::vector<Future> futures;
  for (int i = 0; i < 3; ++i)
    futures.push_back(one.submit(take(one, 0)));
  for (Future &future : futures)
    EXPECT_THAT(future.wait().message(),
                HasSubstr("the threads of stage 'mortal' have ended"));
  EXPECT_EQ(one.report()[1].dead, 1u);
}

TEST(Flow, ShowsAStageThatHangs) {
  Gate gate, begun;
  Pipeline pipeline = makePipeline({makeStage(
      "hang",
      [&](int &v) {
        if (v == 1) {
          begun.open();
          gate.pass();
        }
      },
      2)});
  Future hanging = pipeline.submit(take(pipeline, 1));
  begun.pass();
  EXPECT_TRUE(pipeline.submit(take(pipeline, 0)).wait());
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(pipeline.report()[0].longestNs, 2000000u);
  gate.open();
  EXPECT_TRUE(hanging.wait());
  pipeline.close();
  EXPECT_EQ(pipeline.report()[0].longestNs, 0u);
}
