//===- Tensor.h - A tensor in memory ----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dense row-major tensors that the tools read from files, hand to compiled
// models and write to files.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_TENSOR_H
#define BRISK_EXECUTION_TENSOR_H

#include "brisk/System/Text.h"
#include "brisk/brisk.hpp"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <string>

namespace brisk::execution {

/// Bytes of an element in a file.
inline size_t elementBytes(uint32_t dtype) {
  return llvm::divideCeil(brisk_dtype_bits(dtype), 8);
}

/// Bytes of a tensor's data; an error where they overflow.
llvm::Expected<uint64_t> countBytes(uint32_t dtype,
                                    llvm::ArrayRef<int64_t> dims);

/// "float32 of shape 1x3", for messages.
std::string describeTensor(uint32_t dtype, llvm::ArrayRef<int64_t> dims);

/// How many samples of an input of `dims` an array of shape `found` holds: with
/// an axis of them in front or, in the place of a first dimension of 1, that
/// axis. None if the shape is another.
std::optional<uint64_t> countSamples(llvm::ArrayRef<int64_t> found,
                                     llvm::ArrayRef<int64_t> dims);

/// A tensor that lies elsewhere.
struct TensorView {
  uint32_t dtype;
  llvm::ArrayRef<int64_t> dims;
  llvm::ArrayRef<char> data;
};

struct Tensor {
  /// A tensor of zeros; an error where its size overflows or memory is short.
  static llvm::Expected<Tensor> create(uint32_t dtype,
                                       llvm::ArrayRef<int64_t> dims);

  TensorView view() const {
    return {dtype, dims, llvm::ArrayRef(data.data(), data.size())};
  }

  uint32_t dtype = 0; ///< brisk_dtype
  llvm::SmallVector<int64_t, 6> dims;
  Buffer data;
};

/// The dimensions in a model's description of a tensor.
inline llvm::ArrayRef<int64_t> dimsOf(const brisk_tensor &tensor) {
  return llvm::ArrayRef<int64_t>(tensor.dims, tensor.rank);
}

} // namespace brisk::execution

#endif // BRISK_EXECUTION_TENSOR_H
