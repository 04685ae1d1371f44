//===- Tensor.cpp - Tensors of the conformance data -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tensor.h"

#include "brisk/host.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace brisk::conformance;

namespace {

/// Appends the elements of a typed field, narrowed to what they stand for.
template <typename T, typename Field>
void append(std::vector<char> &bytes, const Field &field) {
  for (auto value : field) {
    T element = static_cast<T>(value);
    const char *raw = reinterpret_cast<const char *>(&element);
    bytes.insert(bytes.end(), raw, raw + sizeof(T));
  }
}

/// The elements of a tensor whose data is in its typed fields.
void appendTyped(std::vector<char> &bytes, const onnx::TensorProto &proto) {
  switch (proto.data_type()) {
  case BRISK_F32:
    return append<float>(bytes, proto.float_data());
  case BRISK_F64:
    return append<double>(bytes, proto.double_data());
  case BRISK_I64:
    return append<int64_t>(bytes, proto.int64_data());
  case BRISK_U64:
    return append<uint64_t>(bytes, proto.uint64_data());
  case BRISK_U32:
    return append<uint32_t>(bytes, proto.uint64_data());
  case BRISK_I32:
    return append<int32_t>(bytes, proto.int32_data());
  case BRISK_I16:
  case BRISK_U16:
  case BRISK_F16:
  case BRISK_BF16:
    return append<uint16_t>(bytes, proto.int32_data());
  default:
    return append<uint8_t>(bytes, proto.int32_data());
  }
}

/// The element at `index` of a float tensor.
double floatAt(const Tensor &tensor, size_t index) {
  const char *data =
      tensor.bytes.data() + index * brisk_dtype_size(tensor.dtype);
  auto load = [&]<typename T>(T value) {
    std::memcpy(&value, data, sizeof(T));
    return value;
  };
  switch (tensor.dtype) {
  case BRISK_F32:
    return load(float());
  case BRISK_F64:
    return load(double());
  default:
    const llvm::fltSemantics &semantics = tensor.dtype == BRISK_F16
                                              ? llvm::APFloat::IEEEhalf()
                                              : llvm::APFloat::BFloat();
    return llvm::APFloat(semantics, llvm::APInt(16, load(uint16_t())))
        .convertToDouble();
  }
}

bool isFloat(uint32_t dtype) {
  return dtype == BRISK_F32 || dtype == BRISK_F64 || dtype == BRISK_F16 ||
         dtype == BRISK_BF16;
}

bool isClose(double actual, double expected, double rtol, double atol) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return true;
  return std::isfinite(actual) && std::isfinite(expected) &&
         std::fabs(actual - expected) <= atol + rtol * std::fabs(expected);
}

std::string typeName(uint32_t dtype) {
  const char *name = brisk_dtype_name(dtype);
  return name ? name : llvm::formatv("type {0}", dtype).str();
}

std::string hex(const char *data, size_t size) {
  return "0x" + llvm::toHex(llvm::StringRef(data, size));
}

} // namespace

std::optional<Tensor> brisk::conformance::readTensor(const std::string &path,
                                                     std::string &error) {
  std::ifstream stream(path, std::ios::binary);
  onnx::TensorProto proto;
  if (!stream || !proto.ParseFromIstream(&stream)) {
    error = "cannot read " + path + " as a TensorProto";
    return std::nullopt;
  }
  size_t elementSize = brisk_dtype_size(proto.data_type());
  if (elementSize == 0) {
    error = llvm::formatv("{0} has element type {1}, which no model can have",
                          path, proto.data_type());
    return std::nullopt;
  }
  Tensor tensor;
  tensor.name = proto.name();
  tensor.dtype = proto.data_type();
  tensor.dims.assign(proto.dims().begin(), proto.dims().end());
  if (proto.has_raw_data())
    tensor.bytes.assign(proto.raw_data().begin(), proto.raw_data().end());
  else
    appendTyped(tensor.bytes, proto);
  size_t count = 1;
  for (int64_t dim : tensor.dims)
    count *= dim;
  if (tensor.bytes.size() != count * elementSize) {
    error = llvm::formatv("{0} has {1} bytes of data, its shape needs {2}",
                          path, tensor.bytes.size(), count * elementSize);
    return std::nullopt;
  }
  return tensor;
}

std::optional<std::string>
brisk::conformance::findDifference(const Tensor &actual, const Tensor &expected,
                                   double rtol, double atol) {
  if (actual.dtype != expected.dtype)
    return llvm::formatv("element type is {0}, expected {1}",
                         typeName(actual.dtype), typeName(expected.dtype))
        .str();
  if (actual.dims != expected.dims)
    return llvm::formatv(
               "shape is [{0:$[, ]}], expected [{1:$[, ]}]",
               llvm::make_range(actual.dims.begin(), actual.dims.end()),
               llvm::make_range(expected.dims.begin(), expected.dims.end()))
        .str();
  size_t elementSize = brisk_dtype_size(expected.dtype);
  size_t count = expected.bytes.size() / elementSize;
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i != count; ++i) {
    const char *a = actual.bytes.data() + i * elementSize;
    const char *e = expected.bytes.data() + i * elementSize;
    if (isFloat(expected.dtype)
            ? isClose(floatAt(actual, i), floatAt(expected, i), rtol, atol)
            : std::memcmp(a, e, elementSize) == 0)
      continue;
    if (wrong++)
      continue;
    first = isFloat(expected.dtype)
                ? llvm::formatv("element {0} is {1}, expected {2}", i,
                                llvm::format("%.9g", floatAt(actual, i)),
                                llvm::format("%.9g", floatAt(expected, i)))
                      .str()
                : llvm::formatv("element {0} is {1}, expected {2} (bytes)", i,
                                hex(a, elementSize), hex(e, elementSize))
                      .str();
  }
  if (!wrong)
    return std::nullopt;
  return llvm::formatv("{0} of {1} elements differ: {2}", wrong, count, first)
      .str();
}
