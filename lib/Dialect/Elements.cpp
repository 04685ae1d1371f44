//===- Elements.cpp - Reading and making constants ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

using brisk::ElementType;

static constexpr ElementType elementTypes[] = {
#define BRISK_ELEMENT(NAME, NUMBER, BITS, KIND, NUMPY, C)                      \
  {NUMBER, BITS, KIND, #C},
#include "brisk/elements.def"
};

Type ElementType::get(MLIRContext *context) const {
  Builder b(context);
  switch (kind) {
  case 'f':
    return bits == 16   ? Type(b.getF16Type())
           : bits == 32 ? Type(b.getF32Type())
                        : Type(b.getF64Type());
  case 'V':
    return b.getBF16Type();
  case 'b':
    return b.getI1Type();
  case 'u':
    return b.getIntegerType(bits, /*isSigned=*/false);
  default:
    return b.getIntegerType(bits);
  }
}

const ElementType *brisk::findElementType(Type type) {
  const auto *row = llvm::find_if(elementTypes, [&](const ElementType &row) {
    return row.get(type.getContext()) == type;
  });
  return row == std::end(elementTypes) ? nullptr : row;
}

const ElementType *brisk::findElementType(unsigned dtype) {
  const auto *row = llvm::find_if(
      elementTypes, [&](const ElementType &row) { return row.dtype == dtype; });
  return row == std::end(elementTypes) ? nullptr : row;
}

uint64_t brisk::getByteSize(ShapedType type) {
  const ElementType *element = findElementType(type.getElementType());
  assert(element && "no element type of the dialect");
  return llvm::divideCeil(type.getNumElements() * uint64_t(element->bits), 8);
}

unsigned brisk::getElementBytes(Type elementType) {
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

bool brisk::isReadable(ElementsAttr attr) {
  constexpr int64_t mostBytes = int64_t(1) << 46;
  int64_t bytes;
  ShapedType type = attr.getShapedType();
  if (!type.hasStaticShape() || !brisk::isAddressable(type.getShape()) ||
      llvm::MulOverflow(attr.getNumElements(),
                        int64_t(getElementBytes(attr.getElementType())),
                        bytes) ||
      bytes > mostBytes)
    return false;
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource)
    return isa<DenseElementsAttr>(attr);
  const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob && int64_t(blob->getData().size()) == bytes;
}

brisk::ElementBytes::ElementBytes(ElementsAttr attr) {
  ShapedType type = attr.getShapedType();
  Type element = type.getElementType();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      view = blob->getData();
    return;
  }
  auto dense = cast<DenseElementsAttr>(attr);
  size_t bytes = getElementBytes(element), count = type.getNumElements();
  bool boolean = element.isInteger(1);
  if (!boolean && !dense.isSplat()) {
    view = dense.getRawData();
    return;
  }
  owned.resize(count * bytes);
  if (boolean) {
    for (auto [i, value] : llvm::enumerate(dense.getValues<bool>()))
      owned[i] = value;
  } else {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(&owned[i * bytes], dense.getRawData().data(), bytes);
  }
  view = owned;
}

template <typename Out> static std::vector<Out> getAs(ElementsAttr attr) {
  brisk::ElementBytes bytes(attr);
  std::vector<Out> out;
  bool isKnown = brisk::dispatch(attr.getElementType(), [&](auto zero) {
    auto values = bytes.as<decltype(zero)>();
    out.assign(values.begin(), values.end());
    return true;
  });
  if (isKnown)
    return out;
  auto type = cast<FloatType>(attr.getElementType());
  for (uint16_t bits : bytes.as<uint16_t>()) {
    APFloat value(type.getFloatSemantics(), APInt(16, bits));
    out.push_back(static_cast<Out>(value.convertToDouble()));
  }
  return out;
}

std::vector<double> brisk::getAsDoubles(ElementsAttr attr) {
  return getAs<double>(attr);
}

std::vector<int64_t> brisk::getAsInts(ElementsAttr attr) {
  return getAs<int64_t>(attr);
}

// Bytes up to which a constant is kept in a dense attribute.
static constexpr size_t denseLimit = 256;

AsmResourceBlob brisk::allocateBlob(size_t size) {
  return HeapAsmResourceBlob::allocate(size, /*align=*/64);
}

/// The first of `name`, `name_1`, `name_2` and so on that is free, for they are
/// taken in this order; the manager would try them one after the other.
static std::string findFreeName(MLIRContext *context, StringRef name) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(context)
                      .getBlobManager();
  auto getName = [&](size_t number) {
    return number ? (name + "_" + Twine(number)).str() : name.str();
  };
  auto isTaken = [&](size_t number) {
    return manager.lookup(getName(number)) != nullptr;
  };
  if (!isTaken(0))
    return name.str();
  size_t taken = 0, free = 1;
  for (; isTaken(free); free *= 2)
    taken = free;
  while (free - taken > 1) {
    size_t middle = taken + (free - taken) / 2;
    (isTaken(middle) ? taken : free) = middle;
  }
  return getName(free);
}

ElementsAttr brisk::makeResource(RankedTensorType type, StringRef name,
                                 AsmResourceBlob blob) {
  return DenseResourceElementsAttr::get(
      type, findFreeName(type.getContext(), name), std::move(blob));
}

ElementsAttr brisk::makeElements(RankedTensorType type, ArrayRef<char> bytes) {
  return makeElements(
      type, [&](MutableArrayRef<char> to) { llvm::copy(bytes, to.begin()); });
}

ElementsAttr
brisk::makeElements(RankedTensorType type,
                    function_ref<void(MutableArrayRef<char>)> fill) {
  size_t size = type.getNumElements() * getElementBytes(type.getElementType());
  if (size > denseLimit) {
    AsmResourceBlob blob = allocateBlob(size);
    fill(blob.getMutableData());
    return makeResource(type, "constant", std::move(blob));
  }
  SmallVector<char> bytes(size);
  fill(bytes);
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> values(bytes.begin(), bytes.end());
  return DenseElementsAttr::get(type, values);
}

ElementsAttr brisk::makeSplat(RankedTensorType type, ArrayRef<char> element) {
  if (type.getNumElements() == 0)
    return makeElements(type, ArrayRef<char>());
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(type, element.front() != 0);
  return DenseElementsAttr::getFromRawBuffer(type, element);
}

ElementsAttr brisk::getSplatElement(ElementsAttr attr) {
  auto type = RankedTensorType::get({}, attr.getElementType());
  if (attr.getNumElements() == 1)
    return makeElements(type, ElementBytes(attr).bytes());
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat() || dense.getNumElements() == 0)
    return nullptr;
  return dense.resizeSplat(type);
}

ElementsAttr brisk::reshapeElements(ElementsAttr attr, RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(attr).reshape(type);
}

void brisk::releaseResource(ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    if (auto *entry = resource.getRawHandle().getResource())
      entry->setBlob({});
}
