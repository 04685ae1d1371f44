//===- Arrays.cpp - Python's arrays as a model's tensors ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace brisk::python {

/// The type in DLPack's terms.
static nb::dlpack::dtype typeOf(uint32_t dtype) {
  auto codeOf = [](char kind) {
    switch (kind) {
    case 'f':
      return nb::dlpack::dtype_code::Float;
    case 'i':
      return nb::dlpack::dtype_code::Int;
    case 'u':
      return nb::dlpack::dtype_code::UInt;
    case 'b':
      return nb::dlpack::dtype_code::Bool;
    default:
      return nb::dlpack::dtype_code::Bfloat;
    }
  };
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return {static_cast<uint8_t>(codeOf(kind)), bits, 1};
#include "brisk/elements.def"
  }
  return {};
}

static std::string describe(const TensorInfo &tensor) {
  return "'" + std::string(tensor.name()) + "': expected " + tensor.describe();
}

/// NumPy has no bfloat16; ml_dtypes' arrays of it say so by name, and are taken
/// by their bits.
static nb::object withoutBfloat16(nb::handle value) {
  nb::object dtype = nb::getattr(value, "dtype", nb::none());
  nb::object name = nb::getattr(dtype, "name", nb::none());
  if (nb::isinstance<nb::str>(name) &&
      nb::cast<std::string>(name) == "bfloat16")
    return value.attr("view")("uint16");
  return nb::borrow(value);
}

/// Reads an array's shape as "1x3".
template <typename Array> static std::string shapeOf(const Array &array) {
  std::string text;
  for (size_t d = 0; d < array.ndim(); ++d)
    text += (d ? "x" : "") + std::to_string(array.shape(d));
  return text.empty() ? "a scalar" : text;
}

template <typename Array> static bool isRowMajor(const Array &array) {
  int64_t stride = 1;
  for (size_t d = array.ndim(); d-- > 0;) {
    if (array.shape(d) != 1 && array.stride(d) != stride)
      return array.size() == 0;
    stride *= static_cast<int64_t>(array.shape(d));
  }
  return true;
}

template <typename Array>
static Array take(const TensorInfo &tensor, nb::handle value,
                  const char *access) {
  Array array;
  bool isBfloat16 = tensor.dtype() == BRISK_BF16;
  nb::object object = isBfloat16 ? withoutBfloat16(value) : nb::borrow(value);
  if (!nb::try_cast<Array>(object, array, /*convert=*/false)) {
    std::string type =
        nb::cast<std::string>(nb::getattr(value.type(), "__name__"));
    throw nb::type_error((describe(tensor) + ", found '" + type +
                          "', which is no array " + access +
                          " in the memory of the CPU; numpy.asarray makes one")
                             .c_str());
  }
  nb::dlpack::dtype type = typeOf(tensor.dtype());
  bool isBits = isBfloat16 && array.dtype() == nb::dtype<uint16_t>();
  if (array.dtype() != type && !isBits)
    throw nb::type_error((describe(tensor) +
                          ", found elements of another type; convert them by "
                          "numpy.asarray(x, dtype=numpy." +
                          std::string(tensor.dtypeName()) + ")")
                             .c_str());
  ArrayView<const int64_t> dims = tensor.dims();
  bool hasShape = array.ndim() == dims.size();
  for (size_t d = 0; hasShape && d < dims.size(); ++d)
    hasShape = static_cast<int64_t>(array.shape(d)) == dims[d];
  if (!hasShape)
    throw nb::value_error(
        (describe(tensor) + ", found shape " + shapeOf(array)).c_str());
  if (!isRowMajor(array))
    throw nb::value_error((describe(tensor) +
                           " in row-major order, found other strides; "
                           "numpy.ascontiguousarray makes a copy in it")
                              .c_str());
  return array;
}

Input takeInput(const TensorInfo &tensor, nb::handle value) {
  return take<Input>(tensor, value, "that can be read");
}

Output takeOutput(const TensorInfo &tensor, nb::handle value) {
  return take<Output>(tensor, value, "that can be written to");
}

nb::object makeArray(const TensorInfo &tensor, Buffer memory) {
  auto *owned = new Buffer(std::move(memory));
  nb::capsule owner(owned, [](void *buffer) noexcept {
    delete static_cast<Buffer *>(buffer);
  });
  ArrayView<const int64_t> dims = tensor.dims();
  std::vector<size_t> shape(dims.begin(), dims.end());
  bool isBfloat16 = tensor.dtype() == BRISK_BF16;
  nb::ndarray<nb::numpy> array(
      owned->data(), shape.size(), shape.data(), owner, nullptr,
      isBfloat16 ? nb::dtype<uint16_t>() : typeOf(tensor.dtype()));
  nb::object object = nb::cast(array, nb::rv_policy::reference);
  if (isBfloat16)
    object =
        object.attr("view")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
  return object;
}

} // namespace brisk::python
