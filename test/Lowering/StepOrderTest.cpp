//===- StepOrderTest.cpp - An order of steps that takes less memory -------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/StepOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using namespace brisk;

using Order = std::vector<unsigned>;

static Order getGiven(const StepGraph &graph) {
  Order order(graph.steps.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Each step gives one buffer, of so many bytes, and reads those of others; the
// last gives none.
static StepGraph makeGraph(const std::vector<int64_t> &bytes,
                           const std::vector<std::vector<unsigned>> &reads) {
  StepGraph graph = {{}, bytes};
  for (size_t step = 0; step < reads.size(); ++step) {
    StepGraph::Step &added = graph.steps.emplace_back();
    added.after = added.buffers = reads[step];
    if (step < bytes.size())
      added.buffers.push_back(step);
  }
  return graph;
}

static bool isValid(const StepGraph &graph, const Order &order) {
  std::vector<bool> ran(graph.steps.size());
  for (unsigned step : order) {
    if (ran.at(step))
      return false;
    for (unsigned other : graph.steps[step].after)
      if (!ran[other])
        return false;
    ran[step] = true;
  }
  return order.size() == graph.steps.size();
}

// The least peak of all orders.
static int64_t findLeastPeak(const StepGraph &graph) {
  Order order = getGiven(graph);
  int64_t least = std::numeric_limits<int64_t>::max();
  do {
    if (isValid(graph, order))
      least = std::min(least, findPeak(graph, order));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(StepOrderTest, NothingHasNoOrder) {
  EXPECT_TRUE(orderSteps({}).empty());
  EXPECT_EQ(findPeak({}, {}), 0);
}

TEST(StepOrderTest, AShorterBranchWaits) {
  // 0 is read by 1, whose result is large, and by the branch of 2 to 4.
  StepGraph graph =
      makeGraph({10, 40, 10, 20, 10}, {{}, {0}, {0}, {2}, {3}, {1, 4}});
  EXPECT_EQ(findPeak(graph, getGiven(graph)), 70);
  EXPECT_EQ(orderSteps(graph), (Order{0, 2, 3, 4, 1, 5}));
  EXPECT_EQ(findPeak(graph, orderSteps(graph)), 60);
}

TEST(StepOrderTest, WhatDoesNotReachThePeakStays) {
  // The same block twice, of which the second is smaller than 60 as it is.
  StepGraph graph =
      makeGraph({10, 40, 10, 20, 10, 5, 20, 5, 10, 5},
                {{}, {0}, {0}, {2}, {3}, {1, 4}, {5}, {5}, {7}, {8}, {6, 9}});
  EXPECT_EQ(orderSteps(graph), (Order{0, 2, 3, 4, 1, 5, 6, 7, 8, 9, 10}));
}

TEST(StepOrderTest, ChainsKeepTheirOrder) {
  StepGraph graph = makeGraph({64, 128, 32, 64}, {{}, {0}, {1}, {2}, {3}});
  EXPECT_EQ(orderSteps(graph), getGiven(graph));
}

TEST(StepOrderTest, AResultTakesThePlaceOfAnInputThatDies) {
  // 1 may write over the result of 0, but only behind 2, which reads it too.
  StepGraph graph = makeGraph({40, 40, 10}, {{}, {0}, {0}, {1, 2}});
  graph.steps[1].inPlace = {{0, 1}};
  EXPECT_EQ(findPeak(graph, getGiven(graph)), 90);
  EXPECT_EQ(orderSteps(graph), (Order{0, 2, 1, 3}));
  EXPECT_EQ(findPeak(graph, orderSteps(graph)), 50);
}

TEST(StepOrderTest, BordersAreFilledRightBeforeTheirTensor) {
  // 0 to 2 fill the borders of what 3 to 5 compute, one behind the other.
  StepGraph graph;
  graph.bytes = {100, 100, 100};
  graph.steps = {{{}, {0}, {}},  {{}, {1}, {}},        {{}, {2}, {}},
                 {{0}, {0}, {}}, {{1, 3}, {0, 1}, {}}, {{2, 4}, {1, 2}, {}}};
  EXPECT_EQ(findPeak(graph, getGiven(graph)), 300);
  EXPECT_EQ(orderSteps(graph), (Order{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(findPeak(graph, orderSteps(graph)), 200);
}

TEST(StepOrderTest, AStepsOwnBytesCount) {
  StepGraph graph = makeGraph({10, 40, 10}, {{}, {0}, {0}, {1, 2}});
  graph.steps[2].bytes = 100;
  EXPECT_EQ(findPeak(graph, getGiven(graph)), 160);
  EXPECT_EQ(orderSteps(graph), (Order{0, 2, 1, 3}));
}

// Up to `count` steps that read some of those before them, some in place.
static StepGraph draw(std::mt19937 &random, unsigned count) {
  auto below = [&](unsigned limit) { return unsigned(random() % limit); };
  StepGraph graph;
  for (unsigned step = 0; step < count; ++step) {
    graph.bytes.push_back(8 * (1 + below(8)));
    StepGraph::Step &added = graph.steps.emplace_back();
    for (unsigned other = step - std::min(step, 6u); other < step; ++other) {
      if (below(3) != 0)
        continue;
      added.after.push_back(other);
      added.buffers.push_back(other);
      if (below(2) && graph.bytes[other] == graph.bytes[step])
        added.inPlace.push_back({other, step});
    }
    added.buffers.push_back(step);
  }
  return graph;
}

TEST(StepOrderTest, FindsTheLeastPeakOfSmallGraphs) {
  std::mt19937 random(0);
  int improved = 0;
  for (int round = 0; round < 300; ++round) {
    StepGraph graph = draw(random, 2 + random() % 6);
    Order order = orderSteps(graph);
    ASSERT_TRUE(isValid(graph, order)) << "in round " << round;
    ASSERT_EQ(findPeak(graph, order), findLeastPeak(graph))
        << "in round " << round;
    improved += order != getGiven(graph);
  }
  EXPECT_GT(improved, 50);
}

TEST(StepOrderTest, ThousandsOfStepsAreNeverWorse) {
  std::mt19937 random(0);
  StepGraph graph = draw(random, 4000);
  Order order = orderSteps(graph);
  EXPECT_TRUE(isValid(graph, order));
  EXPECT_LE(findPeak(graph, order), findPeak(graph, getGiven(graph)));
  EXPECT_EQ(order, orderSteps(graph));
}
