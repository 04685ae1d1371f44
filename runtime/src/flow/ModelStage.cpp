//===- ModelStage.cpp - Models as stages ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/flow.hpp"

#include <numeric>

namespace brisk {
inline namespace v1 {
namespace flow {

namespace {
/// Instances of one model, for as many runs at once as there are workers.
class Instances {
public:
  explicit Instances(std::vector<Instance> made) : idle(std::move(made)) {}

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

/// Numbers from `first` on.
static std::vector<size_t> countFrom(size_t first, size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

Result<Stage> modelStage(const Library &library, ModelStageOptions options) {
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
  auto shared = std::make_shared<Instances>(std::move(instances));
  Stage stage;
  stage.name = options.name;
  stage.workers = options.workers;
  stage.queue = options.queue;
  stage.run = [shared, inputs = std::move(options.inputs),
               outputs = std::move(options.outputs)](Item &item) {
    Instance instance = shared->take();
    for (size_t i = 0; i < inputs.size(); ++i)
      instance.bindInput(i, item.buffer(inputs[i]));
    for (size_t i = 0; i < outputs.size(); ++i)
      instance.bindOutput(i, item.buffer(outputs[i]));
    Status status = instance.run();
    shared->giveBack(std::move(instance));
    return status;
  };
  return stage;
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
  Result<Stage> made = modelStage(library, std::move(stage));
  if (!made)
    return made.status();
  PipelineOptions pipeline;
  pipeline.items = options.items;
  pipeline.buffers = buffersOf(library.model());
  pipeline.spinNs = options.spinNs;
  std::vector<Stage> stages;
  stages.push_back(*std::move(made));
  Result<Pipeline> line = Pipeline::create(std::move(stages), pipeline);
  if (!line)
    return line.status();
  return Executor(library, *std::move(line));
}

} // namespace flow
} // namespace v1
} // namespace brisk
