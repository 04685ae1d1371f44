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
#include "llvm/Support/Path.h"

using namespace llvm;

namespace brisk::execution {

Expected<Tensor> readTensorFile(StringRef path) {
  StringRef extension = sys::path::extension(path);
  if (extension != ".npy" && extension != ".pb")
    return createStringError("cannot read '" + path +
                             "': expected a file named *.npy or *.pb");
  auto file = readInputFile(path);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + toString(file.takeError()));
  StringRef content = (*file)->getBuffer();
  auto tensor =
      extension == ".npy" ? parseNpy(content) : parseTensorProto(content);
  if (!tensor)
    return createStringError("cannot read '" + path +
                             "': " + toString(tensor.takeError()));
  if (tensor->dtype == BRISK_BOOL)
    for (uint64_t i = 0; i < tensor->data.size(); ++i)
      tensor->data.data()[i] = tensor->data.data()[i] != 0;
  return tensor;
}

} // namespace brisk::execution
