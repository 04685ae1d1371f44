//===- TensorReader.cpp - ONNX tensors as constants -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorReader.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;
using google::protobuf::RepeatedField;
using onnx::TensorProto;

Type onnximport::getElementType(MLIRContext *context, int32_t dataType) {
  const ElementType *type = findElementType(static_cast<unsigned>(dataType));
  return type ? type->get(context) : Type();
}

std::string onnximport::getDataTypeName(int32_t dataType) {
  static constexpr const char *names[] = {
      "undefined",      "float",      "uint8",
      "int8",           "uint16",     "int16",
      "int32",          "int64",      "string",
      "bool",           "float16",    "double",
      "uint32",         "uint64",     "complex64",
      "complex128",     "bfloat16",   "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",          "int4",       "float4e2m1",
      "float8e8m0",     "uint2",      "int2"};
  if (dataType >= 0 && dataType < static_cast<int32_t>(std::size(names)))
    return names[dataType];
  return "number " + std::to_string(dataType);
}

namespace {
/// Data types that are newer than the generated classes.
enum NewerType { UINT4 = 21, INT4 = 22, UINT2 = 25, INT2 = 26 };
} // namespace

std::optional<PartOfByte> onnximport::getPartOfByte(int32_t dataType) {
  switch (dataType) {
  case UINT2:
  case INT2:
    return PartOfByte{2, dataType == INT2};
  case UINT4:
  case INT4:
    return PartOfByte{4, dataType == INT4};
  default:
    return std::nullopt;
  }
}

StringRef onnximport::getResourceName(const TensorProto &tensor) {
  return tensor.name().empty() ? StringRef("constant") : tensor.name();
}

FailureOr<SmallVector<int64_t>>
onnximport::readShape(const RepeatedField<int64_t> &dims, StringRef what,
                      Location loc) {
  SmallVector<int64_t> shape(dims.begin(), dims.end());
  for (int64_t dim : shape)
    if (dim < 0)
      return emitError(loc)
             << what << " has an impossible shape: dimension " << dim;
  if (!isAddressable(shape))
    return emitError(loc) << what << " is larger than any memory";
  return shape;
}

/// Moves the values of a field, or its bytes, into a blob.
template <typename Field> static AsmResourceBlob takeField(Field &field) {
  auto *taken = new Field(std::move(field));
  return AsmResourceBlob(
      ArrayRef<char>(reinterpret_cast<const char *>(taken->data()),
                     taken->size() * sizeof(*taken->data())),
      alignof(int64_t), [taken](void *, size_t, size_t) { delete taken; },
      /*dataIsMutable=*/false);
}

/// Bytes or more that are worth a resource of their own.
static constexpr uint64_t resourceBytes = 257;

bool onnximport::mustCopy(RankedTensorType type, uint64_t bytes) {
  return bytes < resourceBytes || type.getElementType().isInteger(1);
}

ElementsAttr onnximport::copyElements(RankedTensorType type,
                                      ArrayRef<char> data) {
  bool isBool = type.getElementType().isInteger(1);
  return makeElements(type, [&](MutableArrayRef<char> bytes) {
    llvm::transform(data, bytes.begin(), [&](char value) {
      return isBool ? char(value != 0) : value;
    });
  });
}

TensorReader::TensorReader(MLIRContext *context, StringRef modelPath,
                           std::function<void(StringRef)> onRead)
    : context(context), folder(llvm::sys::path::parent_path(modelPath)),
      onRead(std::move(onRead)) {
  if (folder.empty())
    folder = ".";
}

FailureOr<ElementsAttr> TensorReader::read(const TensorProto &tensor,
                                           Location loc) {
  if (getPartOfByte(tensor.data_type()))
    return emitError(loc) << "tensor '" << tensor.name()
                          << "' has unsupported element type "
                          << getDataTypeName(tensor.data_type());
  return readBytes(tensor, loc);
}

FailureOr<ElementsAttr> TensorReader::readBytes(const TensorProto &tensor,
                                                Location loc) {
  ElementsAttr &attr = done[&tensor];
  if (attr)
    return attr;
  // The model is the importer's own, and each tensor is read once.
  auto read = convert(const_cast<TensorProto &>(tensor), loc);
  if (failed(read))
    return failure();
  return attr = *read;
}

/// Calls `visit` with the field that holds a tensor's values, which may be
/// wider than the elements, and an element.
template <typename Visit>
static auto visitField(TensorProto &tensor, Visit visit) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return visit(*tensor.mutable_float_data(), float());
  case TensorProto::DOUBLE:
    return visit(*tensor.mutable_double_data(), double());
  case TensorProto::INT64:
    return visit(*tensor.mutable_int64_data(), int64_t());
  case TensorProto::UINT64:
    return visit(*tensor.mutable_uint64_data(), uint64_t());
  case TensorProto::UINT32:
    return visit(*tensor.mutable_uint64_data(), uint32_t());
  case TensorProto::INT32:
    return visit(*tensor.mutable_int32_data(), int32_t());
  case TensorProto::BOOL:
    return visit(*tensor.mutable_int32_data(), bool());
  case TensorProto::INT8:
  case TensorProto::UINT8:
  case UINT2:
  case INT2:
  case UINT4:
  case INT4:
    return visit(*tensor.mutable_int32_data(), uint8_t());
  default:
    // 16 bits: integers, or the bits of a float.
    return visit(*tensor.mutable_int32_data(), uint16_t());
  }
}

static ElementsAttr readField(TensorProto &tensor, RankedTensorType type) {
  return visitField(
      tensor,
      [&]<typename T, typename Element>(RepeatedField<T> &field,
                                        Element) -> ElementsAttr {
        if constexpr (std::is_same_v<T, Element>)
          if (field.size() * sizeof(T) >= resourceBytes)
            return makeResource(type, getResourceName(tensor),
                                takeField(field));
        return makeElements(type, [&](MutableArrayRef<char> bytes) {
          auto *to = reinterpret_cast<Element *>(bytes.data());
          for (T value : field)
            *to++ = static_cast<Element>(value);
        });
      });
}

FailureOr<ElementsAttr> TensorReader::convert(TensorProto &tensor,
                                              Location loc) {
  std::string what = "tensor '" + tensor.name() + "'";
  std::optional<PartOfByte> part = getPartOfByte(tensor.data_type());
  Type element = onnximport::getElementType(context, part ? TensorProto::UINT8
                                                          : tensor.data_type());
  if (!element)
    return emitError(loc) << what << " has unsupported element type "
                          << getDataTypeName(tensor.data_type());
  auto shape = readShape(tensor.dims(), what, loc);
  if (failed(shape))
    return failure();
  if (tensor.has_segment())
    return emitError(loc) << what
                          << " is stored in segments, which is not "
                             "supported";
  auto type = RankedTensorType::get(*shape, element);
  if (part)
    type = RankedTensorType::get(
        llvm::divideCeilSigned(type.getNumElements(), 8 / part->bits), element);
  uint64_t count = type.getNumElements();
  uint64_t bytes = count * getElementBytes(element);
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return readExternal(tensor, type, bytes, loc);
  if (tensor.has_raw_data()) {
    std::string &raw = *tensor.mutable_raw_data();
    if (raw.size() != bytes)
      return emitError(loc) << what << " of type " << type << " needs " << bytes
                            << " bytes of data and has " << raw.size();
    if (mustCopy(type, bytes))
      return copyElements(type, raw);
    return makeResource(type, getResourceName(tensor), takeField(raw));
  }
  uint64_t size =
      visitField(tensor, [](auto &field, auto) { return field.size(); });
  if (size != count)
    return emitError(loc) << what << " of type " << type << " needs " << count
                          << " values and has " << size;
  return readField(tensor, type);
}

FailureOr<ElementsAttr>
TensorReader::read(const onnx::SparseTensorProto &sparse, Location loc) {
  std::string what = "sparse tensor '" + sparse.values().name() + "'";
  auto shape = readShape(sparse.dims(), what, loc);
  auto values = read(sparse.values(), loc);
  auto indices = read(sparse.indices(), loc);
  if (failed(shape) || failed(values) || failed(indices))
    return failure();
  auto type = RankedTensorType::get(*shape, values->getElementType());
  size_t count = values->getNumElements(), rank = shape->size();
  bool linear = indices->getShapedType().getRank() == 1;
  if (!indices->getElementType().isInteger(64) ||
      static_cast<size_t>(indices->getNumElements()) !=
          count * (linear ? 1 : rank))
    return emitError(loc) << what << " has indices of type "
                          << indices->getShapedType() << " for " << count
                          << " values";
  std::vector<int64_t> index = getAsInts(*indices);
  ElementBytes from(*values);
  size_t width = getElementBytes(type.getElementType());
  constexpr int64_t denseLimit = int64_t(1) << 31;
  if (type.getNumElements() > denseLimit)
    return emitError(loc) << what << " is too large to be made dense";
  std::vector<char> dense(type.getNumElements() * width);
  for (size_t i = 0; i < count; ++i) {
    int64_t place = linear ? index[i] : 0;
    bool inside = true;
    for (size_t d = 0; d < rank && !linear && inside; ++d) {
      int64_t at = index[i * rank + d];
      inside = at >= 0 && at < (*shape)[d];
      if (inside)
        place = place * (*shape)[d] + at;
    }
    if (!inside || place < 0 || place >= type.getNumElements())
      return emitError(loc) << what << " has an index outside its shape";
    std::memcpy(&dense[place * width], &from.bytes()[i * width], width);
  }
  return makeElements(type, ArrayRef<char>(dense));
}
