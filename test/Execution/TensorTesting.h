//===- TensorTesting.h - Reading and comparing tensors in tests -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_EXECUTION_TENSORTESTING_H
#define BRISK_TEST_EXECUTION_TENSORTESTING_H

#include "brisk/Execution/Tensor.h"
#include "gtest/gtest.h"

#include <vector>

namespace brisk::execution {

/// The elements of a tensor, which has to be there.
template <typename T> std::vector<T> elements(llvm::Expected<Tensor> tensor) {
  if (!tensor) {
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return {};
  }
  const auto *data = reinterpret_cast<const T *>(tensor->data.data());
  return {data, data + tensor->data.size() / sizeof(T)};
}

/// What a refused file is told.
inline std::string reason(llvm::Expected<Tensor> tensor) {
  return tensor ? "" : llvm::toString(tensor.takeError());
}

constexpr uint32_t allTypes[] = {BRISK_F32, BRISK_U8,  BRISK_I8,  BRISK_U16,
                                 BRISK_I16, BRISK_I32, BRISK_I64, BRISK_BOOL,
                                 BRISK_F16, BRISK_F64, BRISK_U32, BRISK_U64,
                                 BRISK_BF16};

} // namespace brisk::execution

#endif // BRISK_TEST_EXECUTION_TENSORTESTING_H
