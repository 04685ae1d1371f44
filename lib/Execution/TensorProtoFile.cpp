//===- TensorProtoFile.cpp - ONNX TensorProto files -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/TensorProtoFile.h"

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include "brisk/System/Text.h"
#include "google/protobuf/stubs/logging.h"
#include "onnx/onnx_pb.h"

#include <cstring>

using namespace llvm;

namespace brisk::execution {

/// Copies a typed field into elements of T.
template <typename T, typename Field>
static void copyField(const Field &field, Tensor &tensor) {
  char *to = tensor.data.data();
  for (auto value : field) {
    T element = static_cast<T>(value);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
}

/// Copies a typed field if it has as many entries as the tensor has elements.
template <typename T, typename Field>
static Error readField(const Field &field, const char *name, Tensor &tensor) {
  uint64_t count = tensor.data.size() / sizeof(T);
  if (static_cast<uint64_t>(field.size()) != count)
    return createStringError("its shape has " + Twine(count) +
                             " elements, its " + name + " has " +
                             Twine(field.size()));
  copyField<T>(field, tensor);
  return Error::success();
}

/// Reads the typed field that ONNX keeps a type's elements in.
static Error readTypedField(const onnx::TensorProto &proto, Tensor &tensor) {
  auto int32s = [&](auto element) {
    return readField<decltype(element)>(proto.int32_data(), "int32_data",
                                        tensor);
  };
  switch (tensor.dtype) {
  case BRISK_F32:
    return readField<float>(proto.float_data(), "float_data", tensor);
  case BRISK_F64:
    return readField<double>(proto.double_data(), "double_data", tensor);
  case BRISK_I64:
    return readField<int64_t>(proto.int64_data(), "int64_data", tensor);
  case BRISK_U32:
    return readField<uint32_t>(proto.uint64_data(), "uint64_data", tensor);
  case BRISK_U64:
    return readField<uint64_t>(proto.uint64_data(), "uint64_data", tensor);
  case BRISK_I32:
    return int32s(int32_t());
  case BRISK_I8:
    return int32s(int8_t());
  case BRISK_U8:
  case BRISK_BOOL:
    return int32s(uint8_t());
  case BRISK_I16:
    return int32s(int16_t());
  default: // uint16, and the bits of float16 and bfloat16
    return int32s(uint16_t());
  }
}

Expected<Tensor> parseTensorProto(StringRef content) {
  google::protobuf::LogSilencer quiet;
  onnx::TensorProto proto;
  if (content.size() > INT32_MAX ||
      !proto.ParseFromArray(content.data(), static_cast<int>(content.size())))
    return createStringError("it is no ONNX TensorProto");
  uint32_t dtype = proto.data_type();
  if (elementBytes(dtype) == 0) {
    if (!onnx::TensorProto::DataType_IsValid(proto.data_type()) || dtype == 0)
      return createStringError(
          "it is no ONNX TensorProto: its element type is " + Twine(dtype));
    return createStringError(
        "its elements are of type " +
        onnx::TensorProto::DataType_Name(proto.data_type()) +
        ", which no model takes");
  }
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return createStringError(
        "its data lies in another file; save it with raw data");
  if (proto.has_segment())
    return createStringError(
        "it is one segment of a tensor; expected a whole one");
  SmallVector<int64_t, 6> dims(proto.dims().begin(), proto.dims().end());
  auto bytes = countBytes(dtype, dims);
  if (!bytes)
    return bytes.takeError();
  // Before memory is taken: an element has a byte at least.
  if (uint64_t count = *bytes / elementBytes(dtype); count > content.size())
    return createStringError("its shape has " + Twine(count) +
                             " elements, more than it has bytes");
  auto tensor = Tensor::create(dtype, dims);
  if (!tensor)
    return tensor.takeError();
  if (!proto.has_raw_data()) {
    if (Error error = readTypedField(proto, *tensor))
      return std::move(error);
    return tensor;
  }
  StringRef raw = proto.raw_data();
  if (raw.size() != tensor->data.size())
    return createStringError("its shape needs " + Twine(tensor->data.size()) +
                             " bytes of data, found " + Twine(raw.size()));
  std::memcpy(tensor->data.data(), raw.data(), raw.size());
  return tensor;
}

Error writeTensorProto(raw_ostream &out, StringRef name,
                       const TensorView &tensor) {
  onnx::TensorProto proto;
  proto.set_name(validUtf8(name));
  proto.set_data_type(tensor.dtype);
  for (int64_t dim : tensor.dims)
    proto.add_dims(dim);
  proto.set_raw_data(tensor.data.data(), tensor.data.size());
  if (proto.ByteSizeLong() > INT32_MAX)
    return createStringError(
        "output '" + name +
        "' is past the 2 GiB that a TensorProto can hold; use "
        "--output-format=npy");
  out << proto.SerializeAsString();
  return Error::success();
}

} // namespace brisk::execution
