//===- ModelStage.cpp - Models as stages ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/flow.hpp"

#include <algorithm>
#include <numeric>

namespace brisk {
inline namespace v1 {
namespace flow {

namespace {
/// A library with instances for as many runs at once as there are workers.
class Served {
public:
  static Result<std::shared_ptr<Served>>
  create(const Library &library, const ModelStageOptions &options) {
    InstanceOptions own;
    own.pool = options.pool;
    own.ownsInputs = own.ownsOutputs = false;
    std::vector<Instance> instances;
    for (unsigned i = 0; i < std::max(1u, options.workers); ++i) {
      Result<Instance> instance = Instance::create(library, own);
      if (!instance)
        return instance.status();
      instances.push_back(*std::move(instance));
    }
    return std::make_shared<Served>(std::move(instances));
  }
  explicit Served(std::vector<Instance> made) : idle(std::move(made)) {}

  Instance take() {
    std::unique_lock<std::mutex> lock(mutex);
    returned.wait(lock, [&] { return !idle.empty(); });
    Instance instance = std::move(idle.back());
    idle.pop_back();
    return instance;
  }
  void giveBack(Instance instance) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      idle.push_back(std::move(instance));
    }
    returned.notify_one();
  }

private:
  std::mutex mutex;
  std::condition_variable returned;
  std::vector<Instance> idle;
};
} // namespace

struct ModelRunner::State {
  explicit State(Library library, ModelStageOptions options)
      : library(std::move(library)), options(std::move(options)) {}

  std::shared_ptr<Served> getServed() {
    std::lock_guard<std::mutex> lock(mutex);
    return served;
  }
  Status run(Item &item) {
    std::shared_ptr<Served> serving = getServed();
    Instance instance = serving->take();
    for (size_t i = 0; i < options.inputs.size(); ++i)
      instance.bindInput(i, item.buffer(options.inputs[i]));
    for (size_t i = 0; i < options.outputs.size(); ++i)
      instance.bindOutput(i, item.buffer(options.outputs[i]));
    Status status = instance.run();
    serving->giveBack(std::move(instance));
    return status;
  }

  /// That of the first library, whose description of inputs and outputs others
  /// are held to.
  Library library;
  ModelStageOptions options;
  std::mutex mutex;
  std::shared_ptr<Served> served;
};

/// Numbers from `first` on.
static std::vector<size_t> countFrom(size_t first, size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

Result<ModelRunner> ModelRunner::create(const Library &library,
                                        ModelStageOptions options) {
  Model model = library.model();
  if (options.inputs.empty())
    options.inputs = countFrom(0, model.numInputs());
  if (options.outputs.empty())
    options.outputs = countFrom(model.numInputs(), model.numOutputs());
  if (options.inputs.size() != model.numInputs() ||
      options.outputs.size() != model.numOutputs())
    return Status::failure("model '" + std::string(model.name()) + "' has " +
                           std::to_string(model.numInputs()) + " inputs and " +
                           std::to_string(model.numOutputs()) +
                           " outputs, which want a buffer each");
  Result<std::shared_ptr<Served>> served = Served::create(library, options);
  if (!served)
    return served.status();
  auto state = std::make_shared<State>(library, std::move(options));
  state->served = *std::move(served);
  return ModelRunner(std::move(state));
}

Stage ModelRunner::stage() const {
  Stage stage;
  stage.name = state->options.name;
  stage.workers = state->options.workers;
  stage.queue = state->options.queue;
  stage.run = [state = state](Item &item) { return state->run(item); };
  return stage;
}

/// What differs in a list of tensors; empty where nothing does.
static std::string findDifference(const char *kind, const brisk_tensor *before,
                                  size_t count, const brisk_tensor *after,
                                  size_t otherCount) {
  if (count != otherCount)
    return std::to_string(otherCount) + " " + kind + "s, where there were " +
           std::to_string(count);
  for (size_t i = 0; i < count; ++i) {
    TensorInfo was(before[i]), is(after[i]);
    auto areEqual = [](ArrayView<const int64_t> a, ArrayView<const int64_t> b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    if (was.name() != is.name() || was.dtype() != is.dtype() ||
        !areEqual(was.dims(), is.dims()) ||
        !areEqual(was.strides(), is.strides()))
      return std::string(kind) + " '" + std::string(is.name()) + "' of " +
             is.describe() + ", where there was '" + std::string(was.name()) +
             "' of " + was.describe();
  }
  return "";
}

Status ModelRunner::reload(const Library &library, const SelfTest &test) {
  const brisk_model &was = state->library.model().c(),
                    &is = library.model().c();
  std::string difference = findDifference("input", was.inputs, was.num_inputs,
                                          is.inputs, is.num_inputs);
  if (difference.empty())
    difference = findDifference("output", was.outputs, was.num_outputs,
                                is.outputs, is.num_outputs);
  if (!difference.empty())
    return Status::failure("the other library is of another model: it has " +
                           difference);
  if (test) {
    InstanceOptions own;
    own.pool = state->options.pool;
    Result<Instance> instance = Instance::create(library, own);
    if (!instance)
      return instance.status();
    if (Status status = test(*instance); !status)
      return Status::failure("the other library fails its test: " +
                                 status.message(),
                             status.code());
  }
  Result<std::shared_ptr<Served>> served =
      Served::create(library, state->options);
  if (!served)
    return served.status();
  std::shared_ptr<Served> before = *std::move(served);
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    std::swap(state->served, before);
  }
  return Status(); // the old one is closed here, or by the last that runs it
}

Result<Stage> modelStage(const Library &library, ModelStageOptions options) {
  Result<ModelRunner> runner = ModelRunner::create(library, std::move(options));
  if (!runner)
    return runner.status();
  return runner->stage();
}

std::vector<BufferSpec> buffersOf(const Model &model) {
  std::vector<BufferSpec> specs;
  for (size_t i = 0; i < model.numInputs(); ++i)
    specs.push_back({model.input(i).bytes(), 64});
  for (size_t i = 0; i < model.numOutputs(); ++i)
    specs.push_back({model.output(i).bytes(), 64});
  return specs;
}

Result<Executor> Executor::create(const Library &library,
                                  const ExecutorOptions &options) {
  ModelStageOptions stage;
  stage.workers = options.workers;
  stage.pool = options.pool;
  Result<ModelRunner> runner = ModelRunner::create(library, std::move(stage));
  if (!runner)
    return runner.status();
  PipelineOptions pipeline;
  pipeline.items = options.items;
  pipeline.buffers = buffersOf(library.model());
  pipeline.spinNs = options.spinNs;
  std::vector<Stage> stages;
  stages.push_back(runner->stage());
  Result<Pipeline> line = Pipeline::create(std::move(stages), pipeline);
  if (!line)
    return line.status();
  return Executor(library, *std::move(runner), *std::move(line));
}

} // namespace flow
} // namespace v1
} // namespace brisk
