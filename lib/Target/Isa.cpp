//===- Isa.cpp - What kernels ask of an instruction set -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Isa.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace brisk;

std::optional<Scalar> brisk::getScalar(mlir::Type type) {
  if (type.isF16())
    return Scalar::F16;
  if (type.isBF16())
    return Scalar::BF16;
  if (type.isF32())
    return Scalar::F32;
  if (type.isF64())
    return Scalar::F64;
  if (type.isInteger(8))
    return type.isUnsignedInteger() ? Scalar::U8 : Scalar::I8;
  if (type.isSignlessInteger(32))
    return Scalar::I32;
  return std::nullopt;
}

int64_t Isa::getLanes(mlir::Type type) const {
  return std::max(vectors.bits / type.getIntOrFloatBitWidth(), 1u);
}

/// The scalar that `type` consists of.
static std::optional<Scalar> getElement(mlir::Type type) {
  return getScalar(mlir::getElementTypeOrSelf(type));
}

static const Isa::Product *find(llvm::ArrayRef<Isa::Product> products,
                                bool inTiles, mlir::Type lhs, mlir::Type rhs,
                                mlir::Type sum) {
  const auto *found = llvm::find_if(products, [&](const Isa::Product &product) {
    return (product.form == Isa::Form::Tiles) == inTiles &&
           product.lhs == getElement(lhs) && product.rhs == getElement(rhs) &&
           product.sum == getElement(sum);
  });
  return found == products.end() ? nullptr : found;
}

const Isa::Product *Isa::findProduct(mlir::Type lhs, mlir::Type rhs,
                                     mlir::Type sum) const {
  return find(products, /*inTiles=*/false, lhs, rhs, sum);
}

const Isa::Product *Isa::findTileProduct(mlir::Type lhs, mlir::Type rhs,
                                         mlir::Type sum) const {
  return find(products, /*inTiles=*/true, lhs, rhs, sum);
}

bool Isa::isFused(mlir::Type type) const {
  const Product *product = findProduct(type);
  return product && product->fused;
}

bool Isa::has(Operation operation, mlir::Type type) const {
  std::optional<Scalar> scalar = getElement(type);
  return scalar && llvm::any_of(operations, [&](const Support &support) {
           return support.operation == operation &&
                  llvm::is_contained(support.types, *scalar);
         });
}

double Isa::getReuseRate(double bytes) const {
  for (const auto &[level, cache] : llvm::enumerate(caches)) {
    // Others go through the first one meanwhile.
    int64_t room = level == 0 ? cache.bytes / 2 : cache.bytes;
    if (bytes <= static_cast<double>(room))
      return cache.bytesPerCycle;
  }
  return memoryBytesPerCycle;
}
