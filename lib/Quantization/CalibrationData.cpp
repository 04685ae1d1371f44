//===- CalibrationData.cpp - Samples of a model's inputs ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrationData.h"
#include "brisk/Execution/TensorFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace llvm;
using namespace brisk;
using execution::describeTensor;
using execution::NamedTensor;
using execution::Tensor;

static Expected<std::vector<NamedTensor>> readArrays(StringRef path) {
  if (sys::path::extension(path) != ".npy")
    return execution::readArchiveFile(path);
  auto tensor = execution::readTensorFile(path);
  if (!tensor)
    return tensor.takeError();
  std::vector<NamedTensor> arrays;
  arrays.push_back({"arr_0", std::move(*tensor)});
  return arrays;
}

/// The array for an input; null if there is none.
static NamedTensor *findArray(MutableArrayRef<NamedTensor> arrays,
                              ArrayRef<InputType> inputs, size_t input) {
  auto find = [&](StringRef name) -> NamedTensor * {
    for (NamedTensor &array : arrays)
      if (array.name == name)
        return &array;
    return nullptr;
  };
  if (NamedTensor *named = find(inputs[input].name))
    return named;
  // What NumPy calls arrays that are given no names.
  bool isUnnamed = all_of(arrays, [&](const NamedTensor &array) {
    return StringRef(array.name).starts_with("arr_");
  });
  return isUnnamed ? find(("arr_" + Twine(input)).str()) : nullptr;
}

static std::string listNames(ArrayRef<NamedTensor> arrays) {
  if (arrays.empty())
    return "none";
  return join(map_range(arrays,
                        [](const NamedTensor &array) {
                          return "'" + array.name + "'";
                        }),
              ", ");
}

/// The samples in an array; none if it has another type or shape.
static std::optional<uint64_t>
findSamples(const Tensor &array, const InputType &input, bool isOneSample) {
  ArrayRef<int64_t> have = array.dims, want = input.dims;
  if (array.dtype != input.dtype)
    return std::nullopt;
  if (isOneSample)
    return have == want ? std::optional<uint64_t>(1) : std::nullopt;
  if (auto samples = execution::countSamples(have, want))
    return samples;
  // Batches, one after the other.
  bool areBatches = have.size() == want.size() && !want.empty() &&
                    want.front() > 0 && have.front() % want.front() == 0 &&
                    have.drop_front() == want.drop_front();
  return areBatches ? std::optional<uint64_t>(have.front() / want.front())
                    : std::nullopt;
}

/// The place of the first element that is NaN or infinite, if there is one.
static std::optional<uint64_t> findNotFinite(const Tensor &array) {
  auto find = [&](auto isFinite, auto type) -> std::optional<uint64_t> {
    using T = decltype(type);
    ArrayRef<T> elements(reinterpret_cast<const T *>(array.data.data()),
                         array.data.size() / sizeof(T));
    for (auto [i, element] : enumerate(elements))
      if (!isFinite(element))
        return i;
    return std::nullopt;
  };
  auto hasExponent = [](uint16_t mask) {
    return [mask](uint16_t bits) { return (bits & mask) != mask; };
  };
  switch (array.dtype) {
  case BRISK_F32:
    return find([](float x) { return std::isfinite(x); }, float());
  case BRISK_F64:
    return find([](double x) { return std::isfinite(x); }, double());
  case BRISK_F16:
    return find(hasExponent(0x7c00), uint16_t());
  case BRISK_BF16:
    return find(hasExponent(0x7f80), uint16_t());
  default:
    return std::nullopt;
  }
}

Error CalibrationData::readFile(StringRef path, ArrayRef<InputType> inputs,
                                bool isOneSample) {
  auto fail = [&](const Twine &reason) {
    return createStringError("'" + path + "': " + reason);
  };
  auto arrays = readArrays(path);
  if (!arrays)
    return arrays.takeError();
  File file{path.str(), {}, 0};
  std::string first;
  for (auto [i, input] : enumerate(inputs)) {
    NamedTensor *array = findArray(*arrays, inputs, i);
    if (!array)
      return fail("no array for input '" + input.name + "' (" +
                  describeTensor(input.dtype, input.dims) +
                  "); its arrays are " + listNames(*arrays));
    std::string where = ("array '" + Twine(array->name) + "': ").str();
    auto samples = findSamples(array->tensor, input, isOneSample);
    if (!samples)
      return fail(
          where + "expected " + describeTensor(input.dtype, input.dims) +
          (isOneSample ? "" : " with an axis of samples in front") +
          ", found " + describeTensor(array->tensor.dtype, array->tensor.dims));
    if (*samples == 0)
      return fail(where + "has no samples");
    if (i > 0 && *samples != file.samples)
      return fail(where + "has " + Twine(*samples) + " samples, and array '" +
                  first + "' has " + Twine(file.samples) +
                  "; expected as many in each");
    if (auto place = findNotFinite(array->tensor))
      return fail(where + "element " + Twine(*place) +
                  " is NaN or infinite, by which no range can be found");
    first = array->name;
    file.samples = *samples;
    file.arrays.push_back(std::move(array->tensor));
  }
  if (arrays->size() > inputs.size())
    return fail("has " + Twine(arrays->size()) + " arrays (" +
                listNames(*arrays) + ") for " + Twine(inputs.size()) +
                " inputs");
  count += file.samples;
  files.push_back(std::move(file));
  return Error::success();
}

Error CalibrationData::readFolder(StringRef path, ArrayRef<InputType> inputs) {
  std::vector<std::string> names;
  std::error_code code;
  for (sys::fs::directory_iterator it(path, code), end; it != end && !code;
       it.increment(code))
    if (sys::path::extension(it->path()) == ".npz")
      names.push_back(it->path());
  if (code)
    return createStringError("cannot read '" + path + "': " + code.message());
  if (names.empty())
    return createStringError("'" + path +
                             "' has no .npz files; expected one for a sample");
  sort(names);
  for (StringRef name : names)
    if (Error error = readFile(name, inputs, /*isOneSample=*/true))
      return error;
  return Error::success();
}

Expected<CalibrationData> CalibrationData::read(StringRef path,
                                                ArrayRef<InputType> inputs) {
  CalibrationData data;
  if (inputs.empty())
    return createStringError("the model has no inputs to calibrate with");
  Error error = sys::fs::is_directory(path)
                    ? data.readFolder(path, inputs)
                    : data.readFile(path, inputs, /*isOneSample=*/false);
  if (error)
    return std::move(error);
  return data;
}

ArrayRef<char> CalibrationData::get(uint64_t sample, unsigned input) const {
  for (const File &file : files) {
    if (sample < file.samples) {
      const Buffer &data = file.arrays[input].data;
      uint64_t bytes = data.size() / file.samples;
      return ArrayRef(data.data() + sample * bytes, bytes);
    }
    sample -= file.samples;
  }
  return {};
}

std::vector<std::string> CalibrationData::getPaths() const {
  std::vector<std::string> paths;
  for (const File &file : files)
    paths.push_back(file.path);
  return paths;
}
