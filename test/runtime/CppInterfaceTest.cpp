//===- CppInterfaceTest.cpp - Compiled models in C++ ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/brisk.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <thread>

using brisk::Instance;
using brisk::InstanceOptions;
using brisk::Library;
using testing::ElementsAre;
using testing::HasSubstr;

static Library open(const char *name) {
  auto library = Library::open(std::string(FAKE_MODELS) + "/" + name + ".so");
  EXPECT_TRUE(library) << library.status().message();
  return *library;
}

/// Fills in x = 1 to 6, scale = 2 and flags, of which two are set.
static void fill(Instance &instance) {
  float next = 1;
  for (float &value : *instance.input<float>("x"))
    value = next++;
  (*instance.input<float>("scale"))() = 2;
  auto flags = instance.input<bool>("flags");
  (*flags)(0, 1) = (*flags)(1, 3) = true;
}

TEST(CppInterface, RunsAModel) {
  auto instance = Instance::create(open("fake"));
  ASSERT_TRUE(instance) << instance.status().message();
  fill(*instance);
  ASSERT_TRUE(instance->run());
  EXPECT_THAT(instance->output<float>("y")->elements(),
              ElementsAre(2, 4, 6, 8, 10, 12));
  auto y = instance->output<float>(0);
  EXPECT_EQ((*y)(1, 2), 12);
  EXPECT_EQ((*y)[1], 4);
  EXPECT_THAT(instance->output<int64_t>("n")->elements(), ElementsAre(1, 1));
  // The first call is of a copy of the library that is long gone by its name.
  Instance moved = *std::move(instance);
  ASSERT_TRUE(moved.run());
  EXPECT_EQ((*moved.output<float>("y"))(0, 0), 2);
}

TEST(CppInterface, DescribesAModel) {
  Library library = open("fake");
  brisk::Model model = library.model();
  EXPECT_EQ(model.numInputs(), 3u);
  EXPECT_EQ(model.input(2).name(), "flags");
  EXPECT_EQ(model.input(2).dtypeName(), "bool");
  EXPECT_THAT(model.input(2).dims(), ElementsAre(2, 4));
  EXPECT_EQ(model.input(0).describe(), "float32 of shape 2x3");
  EXPECT_EQ(model.input(1).describe(), "float32 scalar");
  EXPECT_EQ(model.input(0).elements(), 6u);
  EXPECT_EQ(model.findOutput("n"), 1u);
  EXPECT_EQ(model.findInput("y"), std::nullopt);
}

TEST(CppInterface, UsesTheCallersMemory) {
  InstanceOptions options;
  options.ownsInputs = options.ownsOutputs = false;
  auto instance = Instance::create(open("fake"), options);
  ASSERT_TRUE(instance);
  EXPECT_THAT(instance->run().message(), HasSubstr("'x' has no memory"));
  EXPECT_THAT(instance->input<float>("x").status().message(),
              HasSubstr("'x' has no memory"));
  const std::array<float, 6> x = {1, 2, 3, 4, 5, 6};
  const float scale = 3;
  const std::array<bool, 8> flags = {true, true};
  std::array<float, 6> y = {};
  std::array<int64_t, 2> n = {};
  instance->bindInput(0, x.data());
  instance->bindInput(1, &scale);
  instance->bindInput(2, flags.data());
  instance->bindOutput(0, y.data());
  EXPECT_THAT(instance->run().message(), HasSubstr("'n' has no memory"));
  instance->bindOutput(1, n.data());
  ASSERT_TRUE(instance->run());
  EXPECT_THAT(y, ElementsAre(3, 6, 9, 12, 15, 18));
  EXPECT_THAT(n, ElementsAre(2, 0));
  EXPECT_EQ(instance->output<float>(0)->data(), y.data());
}

TEST(CppInterface, GoesBackToItsOwnMemory) {
  auto instance = Instance::create(open("fake"));
  ASSERT_TRUE(instance);
  fill(*instance);
  std::array<float, 6> y = {};
  instance->bindOutput(0, y.data());
  ASSERT_TRUE(instance->run());
  EXPECT_EQ(y[5], 12);
  instance->bindOutput(0, nullptr);
  (*instance->input<float>("scale"))() = 5;
  ASSERT_TRUE(instance->run());
  EXPECT_EQ(y[5], 12);
  EXPECT_EQ((*instance->output<float>(0))[5], 30);
}

TEST(CppInterface, NamesWhatIsWrong) {
  auto none = Library::open("/nowhere/model.so");
  EXPECT_FALSE(none);
  EXPECT_THAT(none.status().message(), HasSubstr("/nowhere/model.so"));
  auto instance = Instance::create(open("fake"));
  ASSERT_TRUE(instance);
  EXPECT_THAT(instance->input<double>("x").status().message(),
              HasSubstr("'x' is float32 of shape 2x3"));
  EXPECT_THAT(instance->input<float>(3).status().message(),
              HasSubstr("no input 3: the model has 3"));
  EXPECT_THAT(instance->output<float>("z").status().message(),
              HasSubstr("no output 'z'; the model has 'y', 'n'"));
  EXPECT_THAT(Instance::create(open("symbolic")).status().message(),
              HasSubstr("extents that every call gives"));
  auto refusing = Instance::create(open("refusing"));
  ASSERT_TRUE(refusing);
  brisk::Status status = refusing->run();
  EXPECT_EQ(status.code(), BRISK_ERROR_INDEX);
  EXPECT_EQ(status.message(), brisk_status_text(BRISK_ERROR_INDEX));
}

TEST(CppInterface, RecordsWhatItRuns) {
  InstanceOptions options;
  options.traceRecords = 4;
  auto instance = Instance::create(open("profiled"), options);
  ASSERT_TRUE(instance) << instance.status().message();
  ASSERT_TRUE(instance->run());
  ASSERT_EQ(instance->trace().size(), 3u);
  EXPECT_EQ(instance->trace()[1].op, 1u);
  EXPECT_LE(instance->trace()[0].start, instance->trace()[2].end);
  ASSERT_TRUE(instance->run());
  EXPECT_EQ(instance->trace().size(), 4u);
  EXPECT_EQ(instance->droppedRecords(), 2u);
  instance->clearTrace();
  EXPECT_TRUE(instance->trace().empty());
  auto plain = Instance::create(open("fake"), options);
  EXPECT_THAT(plain.status().message(), HasSubstr("--profile"));
}

TEST(CppInterface, RunsInstancesOnOnePool) {
  auto pool = brisk::Pool::create(3);
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->threads(), 3u);
  Library library = open("fake");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      InstanceOptions options;
      options.pool = *pool;
      auto instance = Instance::create(library, options);
      ASSERT_TRUE(instance);
      fill(*instance);
      for (int run = 0; run < 1000; ++run) {
        ASSERT_TRUE(instance->run());
        ASSERT_EQ((*instance->output<float>(0))[5], 12);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CppInterface, HoldsElementsByTheirCType) {
  EXPECT_TRUE(brisk::holds<float>(BRISK_F32));
  EXPECT_TRUE(brisk::holds<const float>(BRISK_F32));
  EXPECT_FALSE(brisk::holds<int32_t>(BRISK_F32));
  EXPECT_TRUE(brisk::holds<uint16_t>(BRISK_F16));
  EXPECT_TRUE(brisk::holds<bool>(BRISK_BOOL));
  EXPECT_TRUE(brisk::holds<uint8_t>(BRISK_BOOL));
  EXPECT_FALSE(brisk::holds<bool>(BRISK_U8));
  EXPECT_FALSE(brisk::holds<float>(0));
}
