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

/// Whether elements lie behind each other in the order of the dimensions.
static bool isRowMajor(const brisk_tensor &tensor) {
  int64_t stride = 1;
  for (uint32_t i = tensor.rank; i-- > 0; stride *= tensor.dims[i])
    if (tensor.strides[i] != stride && tensor.dims[i] != 1)
      return false;
  return true;
}

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
      if (tensor.bytes && !isRowMajor(tensor))
        return createStringError(
            Twine("'") + tensor.name +
            "' is not row-major; these tools run models of dense "
            "tensors");
  Instance instance(model);
  if (threads == 0)
    threads = brisk_default_threads();
  if (threads > 1) {
    instance.pool.reset(brisk_pool_create(threads));
    if (!instance.pool)
      return createStringError("cannot start " + Twine(threads) + " threads");
  }
  auto add = [](uint64_t bytes, uint64_t alignment, std::vector<Buffer> &list,
                auto &pointers) -> Error {
    auto buffer = Buffer::create(bytes, alignment);
    if (!buffer)
      return buffer.takeError();
    pointers.push_back(buffer->data());
    list.push_back(std::move(*buffer));
    return Error::success();
  };
  for (const brisk_tensor &input : ArrayRef(model.inputs, model.num_inputs))
    if (Error error =
            add(input.bytes, 1, instance.inputs, instance.inputPointers))
      return std::move(error);
  for (const brisk_tensor &output : ArrayRef(model.outputs, model.num_outputs))
    if (Error error =
            add(output.bytes, 1, instance.outputs, instance.outputPointers))
      return std::move(error);
  for (const brisk_memory &block : ArrayRef(model.memory, model.num_memory))
    if (Error error = add(brisk_memory_bytes(&block, threads), block.alignment,
                          instance.memory, instance.memoryPointers))
      return std::move(error);
  instance.given.assign(model.num_inputs, false);
  return instance;
}

uint64_t Instance::memoryBytes() const {
  uint64_t bytes = 0;
  for (const Buffer &block : memory)
    bytes += block.size();
  return bytes;
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
        inputs[index] = std::move(value.data);
        inputPointers[index] = inputs[index].data();
        given[index] = true;
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
    if (uint64_t bytes = inputs[i].size())
      std::memcpy(inputs[i].data(), samples[i].data() + number * bytes, bytes);
}

void Instance::setInput(unsigned input, ArrayRef<char> bytes) {
  copy(bytes, inputs[input].data());
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
      brisk_fill_random(&model->inputs[i], inputs[i].data(), &seed);
}

Expected<uint64_t> Instance::run(brisk_trace *trace) {
  brisk_hooks hooks = brisk_pool_hooks(pool.get());
  if (trace) {
    hooks.clock = brisk_clock_ns;
    hooks.trace = trace;
  }
  brisk_call call = {};
  call.size = sizeof call;
  call.inputs = inputPointers.data();
  call.outputs = outputPointers.data();
  call.memory = memoryPointers.data();
  call.hooks = &hooks;
  uint64_t start = brisk_clock_ns(nullptr);
  int status = model->call(&call);
  uint64_t ns = brisk_clock_ns(nullptr) - start;
  if (status != BRISK_OK) {
    std::string remedy, random = listMissingInputs();
    if (status == BRISK_ERROR_BRANCH && !random.empty())
      remedy = "; random values stand for " + random +
               ", give real ones by --input=NAME=FILE";
    return createStringError(Twine("the model did not run: ") +
                             brisk_status_text(status) + " (status " +
                             Twine(status) + ")" + remedy);
  }
  return ns;
}

TensorView Instance::output(unsigned index) const {
  const brisk_tensor &tensor = model->outputs[index];
  return {tensor.dtype, dimsOf(tensor),
          ArrayRef(outputs[index].data(), outputs[index].size())};
}

} // namespace brisk::execution
