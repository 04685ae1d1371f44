//===- Instance.cpp - A model with all that a run needs -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Instance.h"

#include "brisk/Execution/InputFlags.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;

namespace brisk::execution {

Expected<Instance> Instance::create(const brisk_model &model,
                                    unsigned threads) {
  if (model.num_symbols || model.num_out_dims)
    return createStringError(
        Twine("model '") + model.name +
        "' has extents that every call gives; these tools run "
        "models of fixed shapes");
  for (auto tensors : {ArrayRef(model.inputs, model.num_inputs),
                       ArrayRef(model.outputs, model.num_outputs)})
    for (const brisk_tensor &tensor : tensors)
      if (!TensorInfo(tensor).isRowMajor())
        return createStringError(
            Twine("'") + tensor.name +
            "' is not row-major; these tools run models of dense "
            "tensors");
  InstanceOptions options;
  if (threads == 0)
    threads = brisk_default_threads();
  if (threads > 1) {
    Result<Pool> pool = Pool::create(threads);
    if (!pool)
      return createStringError("cannot start " + Twine(threads) + " threads");
    options.pool = *pool;
  }
  Result<brisk::Instance> made = brisk::Instance::create(model, options);
  if (!made)
    return createStringError(made.status().message());
  Instance instance(model, *std::move(made));
  instance.given.assign(model.num_inputs, false);
  return instance;
}

Error Instance::readInputs(ArrayRef<std::string> flags) {
  return readInputFlags(
      *model, flags,
      [&](unsigned index, Tensor &&value, StringRef file) -> Error {
        const brisk_tensor &input = model->inputs[index];
        if (value.dtype != input.dtype ||
            ArrayRef<int64_t>(value.dims) != dimsOf(input))
          return createStringError(
              Twine("input '") + input.name + "': expected " +
              describeTensor(input.dtype, dimsOf(input)) + ", found " +
              describeTensor(value.dtype, value.dims) + " in '" + file + "'");
        setInput(index, ArrayRef(value.data.data(), value.data.size()));
        return Error::success();
      });
}

Expected<uint64_t> Instance::readSamples(ArrayRef<std::string> flags) {
  if (model->num_inputs == 0)
    return createStringError(
        Twine("model '") + model->name +
        "' has no inputs, of which there could be samples");
  samples.resize(model->num_inputs);
  uint64_t count = 0;
  const char *counted = nullptr;
  auto take = [&](unsigned index, Tensor &&value, StringRef file) -> Error {
    const brisk_tensor &input = model->inputs[index];
    std::string where = (Twine("input '") + input.name + "': ").str();
    auto found = value.dtype == input.dtype
                     ? countSamples(value.dims, dimsOf(input))
                     : std::nullopt;
    if (!found) {
      SmallVector<int64_t> expected = {-1};
      append_range(expected, dimsOf(input));
      return createStringError(where + "expected samples of " +
                               describeTensor(input.dtype, dimsOf(input)) +
                               ", as " + formatShape(expected) + ", found " +
                               describeTensor(value.dtype, value.dims) +
                               " in '" + file + "'");
    }
    if (*found == 0)
      return createStringError(where + "'" + file + "' has no samples");
    if (counted && *found != count)
      return createStringError(where + "'" + file + "' has " + Twine(*found) +
                               " samples, and input '" + counted + "' has " +
                               Twine(count) +
                               "; expected as many of every input");
    count = *found;
    counted = input.name;
    samples[index] = std::move(value.data);
    given[index] = true;
    return Error::success();
  };
  if (Error error = readInputFlags(*model, flags, take))
    return std::move(error);
  if (Error error = requireAllInputs())
    return std::move(error);
  return count;
}

void Instance::loadSample(uint64_t number) {
  for (unsigned i = 0; i < model->num_inputs; ++i)
    if (uint64_t bytes = model->inputs[i].bytes)
      std::memcpy(instance.inputMemory(i), samples[i].data() + number * bytes,
                  bytes);
}

void Instance::setInput(unsigned input, ArrayRef<char> bytes) {
  copy(bytes, static_cast<char *>(instance.inputMemory(input)));
  given[input] = true;
}

std::string Instance::listMissingInputs() const {
  std::string missing;
  ListSeparator comma;
  for (unsigned i = 0; i < model->num_inputs; ++i)
    if (!given[i])
      missing +=
          (Twine(StringRef(comma)) + "'" + model->inputs[i].name + "' (" +
           describeTensor(model->inputs[i].dtype, dimsOf(model->inputs[i])) +
           ")")
              .str();
  return missing;
}

Error Instance::requireAllInputs() const {
  std::string missing = listMissingInputs();
  if (missing.empty())
    return Error::success();
  return createStringError("no value for " + missing +
                           "; give --input=NAME=FILE");
}

void Instance::fillOtherInputs(uint64_t seed) {
  for (unsigned i = 0; i < model->num_inputs; ++i)
    if (!given[i])
      brisk_fill_random(&model->inputs[i], instance.inputMemory(i), &seed);
}

Expected<uint64_t> Instance::run(brisk_trace *trace) {
  uint64_t start = brisk_clock_ns(nullptr);
  Status status = instance.run(trace);
  uint64_t ns = brisk_clock_ns(nullptr) - start;
  if (!status) {
    std::string remedy, random = listMissingInputs();
    if (status.code() == BRISK_ERROR_BRANCH && !random.empty())
      remedy = "; random values stand for " + random +
               ", give real ones by --input=NAME=FILE";
    return createStringError(Twine("the model did not run: ") +
                             status.message() + " (status " +
                             Twine(status.code()) + ")" + remedy);
  }
  return ns;
}

TensorView Instance::output(unsigned index) const {
  const brisk_tensor &tensor = model->outputs[index];
  return {tensor.dtype, dimsOf(tensor),
          ArrayRef(static_cast<const char *>(instance.outputMemory(index)),
                   tensor.bytes)};
}

} // namespace brisk::execution
