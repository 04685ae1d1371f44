//===- executor.cpp - What it costs to run on another thread --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// executor [MODEL.so]
// Round trips of one request at a time through an executor: on the calling
// thread, to a worker that spins, to one that sleeps; beside a direct call and
// a bare condition variable's round trip. All take turns in one loop. Without a
// model, the work is nothing.
//
//===----------------------------------------------------------------------===//
#include "brisk/flow.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

using namespace brisk;
using namespace brisk::flow;

/// Of some latencies in ns, which are sorted.
static double percentile(std::vector<uint64_t> &sorted, double share) {
  auto rank = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return static_cast<double>(sorted[std::min(rank, sorted.size() - 1)]) * 1e-3;
}

namespace {
/// A thread that answers, and nothing more.
class BareThread {
public:
  BareThread() : thread([this] { serve(); }) {}
  ~BareThread() {
    set(Over);
    thread.join();
  }
  void roundTrip() {
    std::unique_lock<std::mutex> lock(mutex);
    state = Asked;
    asked.notify_one();
    answered.wait(lock, [&] { return state == Idle; });
  }

private:
  enum State { Idle, Asked, Over };
  void set(State value) {
    std::lock_guard<std::mutex> lock(mutex);
    state = value;
    asked.notify_one();
  }
  void serve() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      asked.wait(lock, [&] { return state != Idle; });
      if (state == Over)
        return;
      state = Idle;
      answered.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable asked, answered;
  State state = Idle;
  std::thread thread;
};

struct Row {
  const char *name;
  std::function<void()> run;
  std::vector<uint64_t> times;
};
} // namespace

int main(int argc, char **argv) {
  std::optional<Library> library;
  std::optional<Instance> direct;
  if (argc > 1) {
    auto opened = Library::open(argv[1]);
    if (!opened) {
      std::fprintf(stderr, "error: %s\n", opened.status().message().c_str());
      return 1;
    }
    library = *opened;
    direct.emplace(*Instance::create(*library));
  }
  auto makePipeline = [&](unsigned workers, uint64_t spinNs) {
    PipelineOptions options;
    options.spinNs = spinNs;
    Stage stage;
    if (library) {
      options.buffers = buffersOf(library->model());
      ModelStageOptions model;
      model.workers = workers;
      stage = *modelStage(*library, model);
    } else {
      stage.name = "nothing";
      stage.workers = workers;
      stage.run = [](Item &) { return Status(); };
    }
    std::vector<Stage> stages;
    stages.push_back(std::move(stage));
    return *Pipeline::create(std::move(stages), options);
  };
  Pipeline inlined = makePipeline(0, 0);
  Pipeline spinning = makePipeline(1, 1000000);
  Pipeline sleeping = makePipeline(1, 0);
  BareThread bare;
  auto through = [](Pipeline &pipeline) {
    return [&pipeline] {
      auto request = pipeline.acquire();
      if (!pipeline.submit(*std::move(request)).wait())
        std::abort();
    };
  };
  std::vector<Row> rows;
  rows.push_back({"direct call",
                  [&] {
                    if (direct && !direct->run())
                      std::abort();
                  },
                  {}});
  rows.push_back({"on the calling thread", through(inlined), {}});
  rows.push_back({"worker that spins", through(spinning), {}});
  rows.push_back({"worker that sleeps", through(sleeping), {}});
  rows.push_back({"bare condition variable", [&] { bare.roundTrip(); }, {}});

  static constexpr int rounds = 200, runs = 20;
  for (int round = 0; round < rounds; ++round)
    for (Row &row : rows)
      for (int run = 0; run < runs + 3; ++run) {
        uint64_t start = brisk_clock_ns(nullptr);
        row.run();
        uint64_t ns = brisk_clock_ns(nullptr) - start;
        if (run >= 3) // the threads are where they were
          row.times.push_back(ns);
      }
  std::printf("%-24s %9s %9s %9s  us, of %d\n", "round trip", "P50", "P95",
              "P99", rounds * runs);
  for (Row &row : rows) {
    std::sort(row.times.begin(), row.times.end());
    std::printf("%-24s %9.2f %9.2f %9.2f\n", row.name,
                percentile(row.times, 0.5), percentile(row.times, 0.95),
                percentile(row.times, 0.99));
  }
  return 0;
}
