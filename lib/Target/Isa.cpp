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

/// The first product of elements of those types that `fits`.
static const Isa::Product *
find(const Isa &isa, mlir::Type lhs, mlir::Type rhs, mlir::Type sum,
     llvm::function_ref<bool(const Isa::Product &)> fits) {
  const auto *found =
      llvm::find_if(isa.products, [&](const Isa::Product &product) {
        return product.lhs == getElement(lhs) &&
               product.rhs == getElement(rhs) &&
               product.sum == getElement(sum) && fits(product);
      });
  return found == isa.products.end() ? nullptr : found;
}

int64_t Isa::Product::getEvenStep(int64_t depth) const {
  int64_t step = k;
  while (depth % step)
    step -= getGroup();
  return step;
}

const Isa::Product *Isa::findProduct(mlir::Type lhs, mlir::Type rhs,
                                     mlir::Type sum) const {
  return find(*this, lhs, rhs, sum,
              [](const Product &product) { return product.m == 1; });
}

const Isa::Product *Isa::findProduct(mlir::Type lhs, mlir::Type rhs,
                                     mlir::Type sum, Form form) const {
  return find(*this, lhs, rhs, sum, [&](const Product &product) {
    return product.m > 1 && product.form == form;
  });
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
