//===- ShapeInference.h - Shorthands of type inference ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops' inferReturnTypes are written with.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_SHAPEINFERENCE_H
#define BRISK_LIB_DIALECT_SHAPEINFERENCE_H

#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace brisk::inference {

using Types = llvm::SmallVectorImpl<mlir::Type>;
using OptionalLoc = std::optional<mlir::Location>;
inline constexpr int64_t dynamic = mlir::ShapedType::kDynamic;

inline bool isDynamic(int64_t dim) { return mlir::ShapedType::isDynamic(dim); }

/// True unless both are known and differ.
inline bool mayEqual(int64_t a, int64_t b) {
  return a == b || isDynamic(a) || isDynamic(b);
}

/// Gives a result's type, of `shape`; fails where no memory could hold it.
inline llvm::LogicalResult give(OptionalLoc loc, Types &results,
                                llvm::ArrayRef<int64_t> shape,
                                mlir::Type element) {
  if (!isAddressable(shape))
    return mlir::emitOptionalError(loc, "the result has too many elements");
  results.push_back(makeTensor(shape, element));
  return mlir::success();
}
inline llvm::LogicalResult giveUnranked(Types &results, mlir::Type element) {
  results.push_back(mlir::UnrankedTensorType::get(element));
  return mlir::success();
}

/// The product, or the largest integer where that overflows.
inline int64_t multiply(int64_t x, int64_t y) {
  int64_t product;
  return llvm::MulOverflow(x, y, product) ? INT64_MAX : product;
}

/// The sum of two sizes, or the largest integer where that overflows.
inline int64_t add(int64_t x, int64_t y) {
  int64_t sum;
  return llvm::AddOverflow(x, y, sum) ? INT64_MAX : sum;
}

/// No shape has more dimensions.
constexpr int64_t maxRank = int64_t(1) << 16;

/// Gives the type that a list operand of `rank` unknown elements leads to; a
/// list that is longer than any shape leads to none.
inline llvm::LogicalResult giveOfRank(Types &results, int64_t rank,
                                      mlir::Type element) {
  if (isDynamic(rank) || rank > maxRank)
    return giveUnranked(results, element);
  results.push_back(
      makeTensor(llvm::SmallVector<int64_t>(rank, dynamic), element));
  return mlir::success();
}

inline mlir::RankedTensorType ranked(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

inline mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

/// The number of elements of a list operand (a scalar counts as one), or
/// kDynamic; that of a list longer than any shape is more than `maxRank`.
inline int64_t lengthOf(mlir::Value list) {
  mlir::RankedTensorType type = ranked(list);
  if (!type || type.getRank() > 1)
    return dynamic;
  return type.getRank() == 0 ? 1 : std::min(type.getDimSize(0), maxRank + 1);
}

} // namespace brisk::inference

#endif // BRISK_LIB_DIALECT_SHAPEINFERENCE_H
