//===- InputFlags.cpp - Values of inputs, from the command line -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/InputFlags.h"

#include "brisk/Execution/TensorFile.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <optional>

using namespace llvm;

namespace brisk::execution {

static std::string listInputs(const brisk_model &model) {
  if (model.num_inputs == 0)
    return "the model has no inputs";
  std::string list = "the model's inputs are ";
  ListSeparator comma;
  for (const brisk_tensor &input : ArrayRef(model.inputs, model.num_inputs))
    list += (Twine(StringRef(comma)) + "'" + input.name + "' (" +
             describeTensor(input.dtype, dimsOf(input)) + ")")
                .str();
  return list;
}

/// The input whose value a flag gives. Names may have '=' in them: the longest
/// that fits is meant.
static std::optional<unsigned> findInput(const brisk_model &model,
                                         StringRef flag) {
  std::optional<unsigned> index;
  for (unsigned i = 0; i < model.num_inputs; ++i) {
    StringRef name = model.inputs[i].name;
    if (flag.starts_with((name + "=").str()) &&
        (!index || name.size() > StringRef(model.inputs[*index].name).size()))
      index = i;
  }
  return index;
}

static std::optional<unsigned> findName(const brisk_model &model,
                                        StringRef name) {
  for (unsigned i = 0; i < model.num_inputs; ++i)
    if (name == model.inputs[i].name)
      return i;
  return std::nullopt;
}

/// Why a flag names no input.
static Error refuseFlag(const brisk_model &model, StringRef flag) {
  auto [name, file] = flag.split('=');
  if (name.size() == flag.size() || name.empty())
    return createStringError("--input=" + flag +
                             ": expected NAME=FILE or F.npz");
  return createStringError("--input=" + flag + ": no input is named '" + name +
                           "'; " + listInputs(model));
}

/// Every array of an archive.
static Error readArchive(const brisk_model &model, StringRef file,
                         TakeInput take) {
  auto tensors = readArchiveFile(file);
  if (!tensors)
    return tensors.takeError();
  for (NamedTensor &each : *tensors) {
    std::optional<unsigned> input = findName(model, each.name);
    if (!input)
      return createStringError("'" + file + "' holds an array '" + each.name +
                               "', but no input is named so; " +
                               listInputs(model));
    if (Error error = take(*input, std::move(each.tensor), file))
      return error;
  }
  return Error::success();
}

Error readInputFlags(const brisk_model &model, ArrayRef<std::string> flags,
                     TakeInput take) {
  BitVector given(model.num_inputs);
  auto takeOnce = [&](unsigned input, Tensor &&value, StringRef file) -> Error {
    if (given.test(input))
      return createStringError(Twine("input '") + model.inputs[input].name +
                               "' is given twice");
    given.set(input);
    return take(input, std::move(value), file);
  };
  for (StringRef flag : flags) {
    std::optional<unsigned> input = findInput(model, flag);
    if (!input && flag.ends_with(".npz") &&
        (!flag.contains('=') || sys::fs::exists(flag))) {
      if (Error error = readArchive(model, flag, takeOnce))
        return error;
      continue;
    }
    if (!input)
      return refuseFlag(model, flag);
    StringRef name = model.inputs[*input].name;
    StringRef file = flag.drop_front(name.size() + 1);
    auto tensor = readTensorFile(file, name);
    if (!tensor)
      return createStringError("input '" + name +
                               "': " + toString(tensor.takeError()));
    if (Error error = takeOnce(*input, std::move(*tensor), file))
      return error;
  }
  return Error::success();
}

} // namespace brisk::execution
