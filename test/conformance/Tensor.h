//===- Tensor.h - Tensors of the conformance data ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the tensors that ONNX's node tests come with, and compares what a
// model computed with what is expected.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_CONFORMANCE_TENSOR_H
#define BRISK_TEST_CONFORMANCE_TENSOR_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brisk::conformance {

/// A dense row-major tensor; the element types are brisk_dtype's.
struct Tensor {
  std::string name;
  uint32_t dtype = 0;
  std::vector<int64_t> dims;
  std::vector<char> bytes;
};

/// Reads an ONNX TensorProto file. On failure nothing is returned and `error`
/// says why.
std::optional<Tensor> readTensor(const std::string &path, std::string &error);

/// Compares as numpy.allclose(actual, expected, equal_nan=True) does: floats to
/// within atol + rtol * |expected|, everything else exactly; types and shapes
/// must be equal. Returns the first difference in words, or nothing.
std::optional<std::string> findDifference(const Tensor &actual,
                                          const Tensor &expected, double rtol,
                                          double atol);

} // namespace brisk::conformance

#endif // BRISK_TEST_CONFORMANCE_TENSOR_H
