//===- Tensor.cpp - A tensor in memory ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace brisk::execution {

Expected<uint64_t> countBytes(uint32_t dtype, ArrayRef<int64_t> dims) {
  uint64_t bits = brisk_dtype_bits(dtype);
  // Zeros must not hide an overflow of the other dimensions, whose strides
  // are computed too.
  int64_t extent = static_cast<int64_t>(bits);
  for (int64_t dim : dims) {
    if (dim < 0)
      return createStringError("a tensor cannot have a dimension of " +
                               Twine(dim));
    bits *= dim;
    if (MulOverflow(extent, std::max<int64_t>(dim, 1), extent))
      return createStringError("a tensor of shape " + formatShape(dims) +
                               " is too large");
  }
  return divideCeil(bits, 8);
}

std::string describeTensor(uint32_t dtype, ArrayRef<int64_t> dims) {
  const char *name = brisk_dtype_name(dtype);
  return (Twine(name ? name : "unknown") + (dims.empty() ? " " : " of shape ") +
          formatShape(dims))
      .str();
}

std::optional<uint64_t> countSamples(ArrayRef<int64_t> found,
                                     ArrayRef<int64_t> dims) {
  if (found.empty())
    return std::nullopt;
  bool isInPlace = !dims.empty() && dims.front() == 1 &&
                   found.drop_front() == dims.drop_front();
  return isInPlace || found.drop_front() == dims ? std::optional(found.front())
                                                 : std::nullopt;
}

Expected<Tensor> Tensor::create(uint32_t dtype, ArrayRef<int64_t> dims) {
  auto bytes = countBytes(dtype, dims);
  if (!bytes)
    return bytes.takeError();
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.dims.assign(dims.begin(), dims.end());
  Result<Buffer> data = Buffer::create(*bytes);
  if (!data)
    return createStringError(data.status().message());
  tensor.data = *std::move(data);
  return tensor;
}

} // namespace brisk::execution
