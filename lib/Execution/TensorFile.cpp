//===- TensorFile.cpp - Tensors from files by their extension -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/TensorFile.h"

#include "brisk/Execution/NpyFile.h"
#include "brisk/Execution/TensorProtoFile.h"
#include "brisk/System/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace brisk::execution {

static Error cannotRead(StringRef path, const Twine &reason) {
  return createStringError("cannot read '" + path + "': " + reason);
}

static void normalizeBooleans(Tensor &tensor) {
  if (tensor.dtype == BRISK_BOOL)
    for (uint64_t i = 0; i < tensor.data.size(); ++i)
      tensor.data.data()[i] = tensor.data.data()[i] != 0;
}

Expected<std::vector<NamedTensor>> readArchiveFile(StringRef path) {
  auto file = readInputFile(path);
  if (!file)
    return cannotRead(path, toString(file.takeError()));
  auto tensors = parseNpz((*file)->getBuffer());
  if (!tensors)
    return cannotRead(path, toString(tensors.takeError()));
  for (NamedTensor &each : *tensors)
    normalizeBooleans(each.tensor);
  return tensors;
}

/// The array of a name, or the only one, of an archive.
static Expected<Tensor> readFromArchive(StringRef path, StringRef name) {
  auto tensors = readArchiveFile(path);
  if (!tensors)
    return tensors.takeError();
  std::string names;
  ListSeparator comma;
  for (NamedTensor &each : *tensors) {
    if (each.name == name || tensors->size() == 1)
      return std::move(each.tensor);
    names += (Twine(StringRef(comma)) + "'" + each.name + "'").str();
  }
  return createStringError("'" + path + "' holds no array '" + name + "'" +
                           (names.empty() ? "" : "; it has " + names));
}

Expected<Tensor> readTensorFile(StringRef path, StringRef name) {
  StringRef extension = sys::path::extension(path);
  if (extension == ".npz")
    return readFromArchive(path, name);
  if (extension != ".npy" && extension != ".pb")
    return cannotRead(path, "expected a file named *.npy, *.npz or *.pb");
  auto file = readInputFile(path);
  if (!file)
    return cannotRead(path, toString(file.takeError()));
  StringRef content = (*file)->getBuffer();
  auto tensor =
      extension == ".npy" ? parseNpy(content) : parseTensorProto(content);
  if (!tensor)
    return cannotRead(path, toString(tensor.takeError()));
  normalizeBooleans(*tensor);
  return tensor;
}

} // namespace brisk::execution
