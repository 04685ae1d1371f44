//===- ElementTypes.cpp - The table of element types ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

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
