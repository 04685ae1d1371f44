//===- Elements.h - Element types, reading and making constants -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants as plain arrays: reads dense, splat and resource attributes alike,
// and makes an attribute of a buffer (a resource where it is large).
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTS_H
#define BRISK_DIALECT_ELEMENTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <vector>

namespace brisk {

/// An element type of the dialect: a row of brisk/elements.def, the table that
/// compiler, runtime and tools share.
struct ElementType {
  unsigned dtype;            ///< brisk_dtype: ONNX's TensorProto.DataType
  unsigned bits;             ///< that an element takes in a tensor's memory
  char kind;                 ///< NumPy's
  llvm::StringLiteral cType; ///< what holds an element in C

  mlir::Type get(mlir::MLIRContext *context) const;
};

/// Null for what is no element type of the dialect.
const ElementType *findElementType(mlir::Type type);
const ElementType *findElementType(unsigned dtype);

/// Bytes of a tensor (or buffer) of static shape and dense elements in memory.
uint64_t getByteSize(mlir::ShapedType type);

/// Bytes that an element takes in a constant, where none takes less than one.
unsigned getElementBytes(mlir::Type elementType);

/// True if a constant's data is there and as large as its type says, and fits
/// an address space. The verifier sees to that; before it has, text may say
/// otherwise.
bool isReadable(mlir::ElementsAttr attr);

/// The row-major bytes of a constant, as they lie in a tensor's memory
/// (booleans as bytes 0 and 1; little endian). Borrowed from the attribute
/// where it is stored that way, else owned.
class ElementBytes {
public:
  explicit ElementBytes(mlir::ElementsAttr attr);
  llvm::ArrayRef<char> bytes() const { return view; }
  template <typename T> llvm::ArrayRef<T> as() const {
    return {reinterpret_cast<const T *>(view.data()), view.size() / sizeof(T)};
  }
  size_t size() const { return view.size(); }

private:
  std::vector<char> owned;
  llvm::ArrayRef<char> view;
};

/// Calls `function` with a value of the C++ type that elements have (booleans
/// are bytes) and gives its result; null, or false, for the 16-bit floats.
template <typename Function>
auto dispatch(mlir::Type element, Function &&function)
    -> decltype(function(float())) {
  if (element.isF32())
    return function(float());
  if (element.isF64())
    return function(double());
  if (!mlir::isa<mlir::IntegerType>(element))
    return {};
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return function(uint8_t());
  case 8:
    return isUnsigned ? function(uint8_t()) : function(int8_t());
  case 16:
    return isUnsigned ? function(uint16_t()) : function(int16_t());
  case 32:
    return isUnsigned ? function(uint32_t()) : function(int32_t());
  default:
    return isUnsigned ? function(uint64_t()) : function(int64_t());
  }
}

/// Any float or integer constant as doubles or int64 (unsigned 64-bit values
/// keep their bits), converted element by element.
std::vector<double> getAsDoubles(mlir::ElementsAttr attr);
std::vector<int64_t> getAsInts(mlir::ElementsAttr attr);

/// A constant of `type` from row-major bytes (booleans as bytes). Up to 256
/// bytes it is a dense attribute, above a resource that owns a copy.
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::ArrayRef<char> bytes);

/// The same from typed values.
template <typename T>
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::ArrayRef<T> values) {
  return makeElements(
      type, llvm::ArrayRef<char>(reinterpret_cast<const char *>(values.data()),
                                 values.size() * sizeof(T)));
}

/// The same, of bytes that `fill` is called to write.
mlir::ElementsAttr
makeElements(mlir::RankedTensorType type,
             llvm::function_ref<void(llvm::MutableArrayRef<char>)> fill);

/// A constant of `type`, all of whose elements are the one in `element`.
mlir::ElementsAttr makeSplat(mlir::RankedTensorType type,
                             llvm::ArrayRef<char> element);

/// The one element of a constant that has but one, or repeats one (known
/// without looking at all), as a constant of rank 0; else null.
mlir::ElementsAttr getSplatElement(mlir::ElementsAttr attr);

/// The same elements as a tensor of `type`, which has as many of that type.
/// Resources are shared.
mlir::ElementsAttr reshapeElements(mlir::ElementsAttr attr,
                                   mlir::RankedTensorType type);

/// The elements with the dimensions in another order: dimension `i` of the
/// result is dimension `permutation[i]` of `attr`.
mlir::ElementsAttr transposeElements(mlir::ElementsAttr attr,
                                     llvm::ArrayRef<int64_t> permutation);

/// A resource constant without a copy: `blob` holds, or refers to, the bytes.
mlir::ElementsAttr makeResource(mlir::RankedTensorType type,
                                llvm::StringRef name,
                                mlir::AsmResourceBlob blob);

/// A blob of `size` bytes, 64-byte aligned, to be filled in place.
mlir::AsmResourceBlob allocateBlob(size_t size);

/// Frees the bytes of a resource that nothing uses any more.
void releaseResource(mlir::ElementsAttr attr);

} // namespace brisk

#endif // BRISK_DIALECT_ELEMENTS_H
