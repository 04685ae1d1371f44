//===- Labels.cpp - The right classes of samples --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Labels.h"
#include "brisk/Execution/TensorFile.h"

using namespace llvm;
using namespace brisk;

template <typename T>
static std::vector<int64_t> widen(const execution::Tensor &tensor) {
  const auto *elements = reinterpret_cast<const T *>(tensor.data.data());
  return {elements, elements + tensor.data.size() / sizeof(T)};
}

static std::vector<int64_t> widen(const execution::Tensor &tensor) {
  switch (tensor.dtype) {
  case BRISK_U8:
    return widen<uint8_t>(tensor);
  case BRISK_I8:
    return widen<int8_t>(tensor);
  case BRISK_U16:
    return widen<uint16_t>(tensor);
  case BRISK_I16:
    return widen<int16_t>(tensor);
  case BRISK_U32:
    return widen<uint32_t>(tensor);
  case BRISK_I32:
    return widen<int32_t>(tensor);
  case BRISK_I64:
    return widen<int64_t>(tensor);
  default:
    return {};
  }
}

Expected<Labels> Labels::read(StringRef path) {
  auto tensor = execution::readTensorFile(path);
  if (!tensor)
    return tensor.takeError();
  Labels labels{path.str(), widen(*tensor)};
  if (labels.values.empty() || tensor->dims.size() != 1) {
    return createStringError(
        "'" + path +
        "': expected one dimension of integers, the class of each sample, "
        "found " +
        execution::describeTensor(tensor->dtype, tensor->dims));
  }
  return labels;
}
