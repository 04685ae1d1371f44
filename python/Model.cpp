//===- Model.cpp - A compiled model in Python -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Model.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace brisk::python {

template <typename T> static T valueOf(Result<T> result) {
  if (!result)
    throw Error(result.status().message());
  return *std::move(result);
}

CompiledModel::CompiledModel(const std::string &path, unsigned threads)
    : library(valueOf(Library::open(path))) {
  if (threads != 1)
    pool = valueOf(Pool::create(threads));
  giveBack(take(0)); // what a run needs is there from now on
}

uint64_t CompiledModel::memoryBytes() const {
  const brisk_model &model = description().c();
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < model.num_memory; ++i)
    bytes += brisk_memory_bytes(&model.memory[i], threads());
  return bytes;
}

Instance CompiledModel::take(uint32_t records) {
  if (!records) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      Instance instance = std::move(idle.back());
      idle.pop_back();
      return instance;
    }
  }
  InstanceOptions options;
  options.pool = pool;
  options.ownsInputs = options.ownsOutputs = false;
  options.traceRecords = records;
  return valueOf(Instance::create(library, std::move(options)));
}

void CompiledModel::giveBack(Instance instance) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(instance));
}

CompiledModel::Values CompiledModel::readValues(const nb::dict &values) const {
  Model model = description();
  Values result(model.numInputs());
  for (auto [key, value] : values) {
    auto name = nb::cast<std::string>(key);
    std::optional<size_t> index = model.findInput(name);
    if (!index)
      throw nb::type_error(("the model '" + std::string(model.name()) +
                            "' has no input '" + name + "'")
                               .c_str());
    result[*index] = nb::borrow(value);
  }
  return result;
}

CompiledModel::Values
CompiledModel::readArguments(const nb::args &values,
                             const nb::kwargs &named) const {
  Model model = description();
  if (values.size() > model.numInputs())
    throw nb::type_error(("the model '" + std::string(model.name()) + "' has " +
                          std::to_string(model.numInputs()) + " inputs, and " +
                          std::to_string(values.size()) + " values were given")
                             .c_str());
  Values result = readValues(named);
  for (size_t i = 0; i < values.size(); ++i) {
    if (result[i].is_valid())
      throw nb::type_error(
          ("input '" + std::string(model.input(i).name()) + "' was given twice")
              .c_str());
    result[i] = nb::borrow(values[i]);
  }
  return result;
}

void CompiledModel::requireAll(const Values &values) const {
  Model model = description();
  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i].is_valid())
      throw nb::type_error(("no value for input '" +
                            std::string(model.input(i).name()) + "' (" +
                            model.input(i).describe() + ")")
                               .c_str());
}

CompiledModel::Values CompiledModel::runOn(const Values &values,
                                           const Values &out) {
  requireAll(values);
  Model model = description();
  std::vector<Input> inputs;
  std::vector<Output> given;
  std::vector<Buffer> made;
  for (size_t i = 0; i < values.size(); ++i)
    inputs.push_back(takeInput(model.input(i), values[i]));
  for (size_t i = 0; i < model.numOutputs(); ++i)
    if (out.empty())
      made.push_back(valueOf(Buffer::create(model.output(i).bytes())));
    else
      given.push_back(takeOutput(model.output(i), out[i]));

  Instance instance = take(0);
  for (size_t i = 0; i < inputs.size(); ++i)
    instance.bindInput(i, inputs[i].data());
  for (size_t i = 0; i < model.numOutputs(); ++i)
    instance.bindOutput(i, out.empty() ? made[i].data() : given[i].data());
  Status status;
  {
    nb::gil_scoped_release release;
    status = instance.run();
  }
  giveBack(std::move(instance));
  if (!status)
    throw Error("the model did not run: " + status.message());
  if (!out.empty())
    return out;
  Values results;
  for (size_t i = 0; i < made.size(); ++i)
    results.push_back(makeArray(model.output(i), std::move(made[i])));
  return results;
}

nb::object CompiledModel::call(const nb::args &values,
                               const nb::kwargs &named) {
  size_t count = description().numOutputs();
  Values out;
  nb::kwargs inputs = named;
  if (named.contains("out") && !description().findInput("out")) {
    nb::object places = named["out"];
    inputs = nb::borrow<nb::kwargs>(named.attr("copy")());
    inputs.attr("pop")("out");
    if (!nb::isinstance<nb::list>(places) && !nb::isinstance<nb::tuple>(places))
      places = nb::make_tuple(places);
    for (nb::handle place : places)
      out.push_back(nb::borrow(place));
    if (out.size() != count)
      throw nb::value_error(("out has " + std::to_string(out.size()) +
                             " arrays, and the model " + std::to_string(count) +
                             " outputs")
                                .c_str());
  }
  Values results = runOn(readArguments(values, inputs), out);
  if (count == 1)
    return results[0];
  nb::list all;
  for (const nb::object &result : results)
    all.append(result);
  return nb::tuple(all);
}

nb::dict CompiledModel::run(const nb::dict &values) {
  Values results = runOn(readValues(values), {});
  nb::dict named;
  for (size_t i = 0; i < results.size(); ++i)
    named[description().c().outputs[i].name] = results[i];
  return named;
}

nb::tuple CompiledModel::measure(const nb::dict &values, unsigned runs) {
  Values given = readValues(values);
  requireAll(given);
  Model model = description();
  // Branches run an op once at most.
  Instance instance = take(static_cast<uint32_t>(model.ops().size()));
  std::vector<Input> inputs;
  for (size_t i = 0; i < given.size(); ++i) {
    inputs.push_back(takeInput(model.input(i), given[i]));
    instance.bindInput(i, inputs[i].data());
  }
  std::vector<Buffer> outputs;
  for (size_t i = 0; i < model.numOutputs(); ++i) {
    outputs.push_back(valueOf(Buffer::create(model.output(i).bytes())));
    instance.bindOutput(i, outputs[i].data());
  }
  Instance plain = take(0);
  for (size_t i = 0; i < inputs.size(); ++i)
    plain.bindInput(i, inputs[i].data());
  for (size_t i = 0; i < outputs.size(); ++i)
    plain.bindOutput(i, outputs[i].data());
  nb::list latencies, traces;
  for (unsigned run = 0; run < runs; ++run) {
    uint64_t start, end;
    Status status;
    {
      nb::gil_scoped_release release;
      start = brisk_clock_ns(nullptr);
      status = plain.run();
      end = brisk_clock_ns(nullptr);
      if (status) {
        instance.clearTrace();
        status = instance.run();
      }
    }
    if (!status)
      throw Error("the model did not run: " + status.message());
    latencies.append(end - start);
    nb::list records;
    for (const brisk_record &record : instance.trace())
      records.append(nb::make_tuple(record.op, record.start, record.end));
    traces.append(records);
  }
  giveBack(std::move(plain));
  return nb::make_tuple(latencies, traces);
}

nb::dict CompiledModel::randomInputs(uint64_t seed) const {
  Model model = description();
  nb::dict values;
  for (size_t i = 0; i < model.numInputs(); ++i) {
    Buffer buffer = valueOf(Buffer::create(model.input(i).bytes()));
    brisk_fill_random(&model.input(i).c(), buffer.data(), &seed);
    values[model.c().inputs[i].name] =
        makeArray(model.input(i), std::move(buffer));
  }
  return values;
}

} // namespace brisk::python
