//===- Case.cpp - A case of ONNX's backend tests --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Case.h"

#include "Compare.h"
#include "brisk/Execution/TensorFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

using namespace brisk::conformance;
using brisk::execution::dimsOf;
using brisk::execution::Tensor;
namespace {
/// Memory for one value of a model, with a fence behind it.
class Buffer {
public:
  Buffer(uint64_t bytes, size_t alignment, char fill)
      : bytes(bytes), data(static_cast<char *>(
                          brisk_aligned_alloc(bytes + fenceBytes, alignment))) {
    std::memset(data, fill, bytes);
    std::memset(data + bytes, fence, fenceBytes);
  }
  Buffer(Buffer &&other) : bytes(other.bytes), data(other.data) {
    other.data = nullptr;
  }
  ~Buffer() { brisk_aligned_free(data); }
  bool fenceHolds() const {
    for (size_t i = 0; i != fenceBytes; ++i)
      if (data[bytes + i] != fence)
        return false;
    return true;
  }
  char *get() const { return data; }

private:
  static constexpr size_t fenceBytes = 256;
  static constexpr char fence = 0x5a;
  uint64_t bytes;
  char *data;
};
} // namespace

static Result wrong(std::string detail) {
  return {Outcome::Wrong, std::move(detail)};
}

/// What one run wrote, by output.
using Outputs = std::vector<std::vector<char>>;

/// Runs the model once into `outputs`; memory holds `fill` before.
static std::optional<std::string> runOnce(const brisk_model &model,
                                          const std::vector<Tensor> &inputs,
                                          char fill, Outputs &outputs) {
  std::vector<Buffer> buffers;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
  for (const Tensor &input : inputs) {
    Buffer &buffer = buffers.emplace_back(input.data.size(), 64, fill);
    std::memcpy(buffer.get(), input.data.data(), input.data.size());
    inputPointers.push_back(buffer.get());
  }
  for (uint32_t i = 0; i != model.num_outputs; ++i)
    outputPointers.push_back(
        buffers.emplace_back(model.outputs[i].bytes, 64, fill).get());
  Buffer &arena =
      buffers.emplace_back(brisk_memory_bytes(model.memory, 1),
                           std::max(model.memory->alignment, 64u), fill);
  int status = brisk_run(model.call, inputPointers.data(),
                         outputPointers.data(), arena.get(), nullptr);
  if (status != BRISK_OK)
    return std::string("the model returned: ") + brisk_status_text(status);
  for (const Buffer &buffer : buffers)
    if (!buffer.fenceHolds())
      return "the model wrote past the end of its memory";
  for (size_t i = 0; i != inputs.size(); ++i)
    if (std::memcmp(inputPointers[i], inputs[i].data.data(),
                    inputs[i].data.size()))
      return llvm::formatv("the model wrote to its input {0}", i).str();
  outputs.clear();
  for (uint32_t i = 0; i != model.num_outputs; ++i) {
    const char *data = static_cast<const char *>(outputPointers[i]);
    outputs.emplace_back(data, data + model.outputs[i].bytes);
  }
  return std::nullopt;
}

/// The case's tensors with a prefix, which are in the order of the graph's.
static llvm::Expected<std::vector<Tensor>>
readTensors(const Case &c, const char *prefix, int count) {
  std::vector<Tensor> tensors;
  for (int i = 0; i != count; ++i) {
    auto tensor = brisk::execution::readTensorFile(
        llvm::formatv("{0}/{1}_{2}.pb", c.folder, prefix, i).str());
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// True if an output is within the case's limits of what double precision
/// gives, where the case has that.
static bool isRightInDouble(const Case &c, uint32_t output,
                            const brisk::execution::TensorView &actual) {
  std::string path = llvm::formatv("{0}/double_{1}.pb", c.folder, output).str();
  if (!std::filesystem::exists(path))
    return false;
  auto exact = brisk::execution::readTensorFile(path);
  if (!exact) {
    llvm::consumeError(exact.takeError());
    return false;
  }
  return isNearDouble(
      actual,
      {exact->dtype, exact->dims, {exact->data.data(), exact->data.size()}},
      c.rtol, c.atol);
}

bool brisk::conformance::readManifest(const std::string &data,
                                      std::vector<Case> &cases) {
  std::ifstream stream(data + "/manifest.txt");
  std::string line, kind;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    Case c;
    if (!(words >> c.name >> c.rtol >> c.atol >> c.opset >> c.numInputs >>
          c.numOutputs >> kind))
      return false;
    c.folder = data + "/" + c.name;
    c.tensors = kind == "tensors";
    cases.push_back(std::move(c));
  }
  return !cases.empty();
}

Result brisk::conformance::runModel(const Case &c, const brisk_model &model) {
  if (!c.tensors)
    return wrong("compiled, but its values are not tensors");
  auto inputs = readTensors(c, "input", c.numInputs);
  if (!inputs)
    return wrong(llvm::toString(inputs.takeError()));
  auto expected = readTensors(c, "output", c.numOutputs);
  if (!expected)
    return wrong(llvm::toString(expected.takeError()));
  if (model.num_inputs != inputs->size() ||
      model.num_outputs != expected->size())
    return wrong(llvm::formatv(
        "has {0} inputs and {1} outputs, expected {2} and {3}",
        model.num_inputs, model.num_outputs, inputs->size(), expected->size()));
  for (uint32_t i = 0; i != model.num_inputs; ++i) {
    const Tensor &input = (*inputs)[i];
    if (model.inputs[i].dtype != input.dtype ||
        dimsOf(model.inputs[i]) != llvm::ArrayRef<int64_t>(input.dims))
      return wrong(
          llvm::formatv("input '{0}' has another type or shape than the data",
                        model.inputs[i].name));
  }
  // Twice, in memory that held something else: nothing may depend on that.
  Outputs first, second;
  if (auto fault = runOnce(model, *inputs, '\xff', first))
    return wrong(*fault);
  for (uint32_t i = 0; i != model.num_outputs; ++i) {
    const brisk_tensor &output = model.outputs[i];
    const Tensor &wanted = (*expected)[i];
    brisk::execution::TensorView actual = {output.dtype, dimsOf(output),
                                           first[i]};
    brisk::execution::TensorView reference = {
        wanted.dtype, wanted.dims, {wanted.data.data(), wanted.data.size()}};
    auto difference = findDifference(actual, reference, c.rtol, c.atol);
    if (difference && !isRightInDouble(c, i, actual))
      return wrong(
          llvm::formatv("output '{0}': {1}", output.name, *difference));
  }
  if (auto fault = runOnce(model, *inputs, '\x3c', second))
    return wrong(*fault);
  if (first != second)
    return wrong("outputs differ between two runs");
  return {Outcome::Pass, ""};
}
