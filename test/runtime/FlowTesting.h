//===- FlowTesting.h - What tests of pipelines share ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_RUNTIME_FLOWTESTING_H
#define BRISK_TEST_RUNTIME_FLOWTESTING_H

#include "brisk/flow.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace brisk::flow {

inline constexpr uint64_t second = 1000000000; ///< in ns

/// A door that threads wait at until it is opened.
class Gate {
public:
  void open() {
    std::lock_guard<std::mutex> lock(mutex);
    isOpen = true;
    opened.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex);
    opened.wait(lock, [&] { return isOpen; });
  }

private:
  std::mutex mutex;
  std::condition_variable opened;
  bool isOpen = false;
};

inline int &valueOf(Item &item) { return *static_cast<int *>(item.buffer(0)); }

/// A pipeline whose items have one integer.
inline Pipeline makePipeline(std::vector<Stage> stages, size_t items = 4) {
  PipelineOptions options;
  options.items = items;
  options.buffers = {{sizeof(int)}};
  auto pipeline = Pipeline::create(std::move(stages), options);
  EXPECT_TRUE(pipeline) << pipeline.status().message();
  return *std::move(pipeline);
}

inline Request take(Pipeline &pipeline, int value = 0) {
  auto request = pipeline.acquire(10 * second);
  EXPECT_TRUE(request) << request.status().message();
  valueOf(**request) = value;
  return *std::move(request);
}

/// A stage that does something to the integer.
template <typename F>
Stage makeStage(const char *name, F function, unsigned workers = 1,
                size_t queue = 2) {
  Stage stage;
  stage.name = name;
  stage.workers = workers;
  stage.queue = queue;
  stage.run = [function](Item &item) {
    function(valueOf(item));
    return Status();
  };
  return stage;
}

inline Library openFake(const char *name = "fake") {
  auto library = Library::open(std::string(FAKE_MODELS) + "/" + name + ".so");
  EXPECT_TRUE(library) << library.status().message();
  return *library;
}

} // namespace brisk::flow

#endif // BRISK_TEST_RUNTIME_FLOWTESTING_H
