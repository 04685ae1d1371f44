//===- TypeInference.h - Result types of ops --------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops' type inference shares: broadcasting, and when an inferred type
// agrees with a given one.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_TYPEINFERENCE_H
#define BRISK_DIALECT_TYPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace brisk {

/// True if the types agree in number, element types and, where both are known,
/// in rank and dimensions.
bool areCompatible(mlir::TypeRange inferred, mlir::TypeRange actual);

/// The same, but f32 where 16-bit floats are inferred agrees with them.
bool areCompatibleSums(mlir::TypeRange inferred, mlir::TypeRange actual);

/// What holds of a value that has the one tensor type or the other, which have
/// one element type.
mlir::TensorType joinTypes(mlir::TensorType a, mlir::TensorType b);

/// The tensor type of the NumPy-broadcast shape of `operands`, with the given
/// element type: unranked if an operand is unranked. Reports dimensions that
/// contradict at `loc` and fails.
mlir::FailureOr<mlir::Type> inferBroadcast(std::optional<mlir::Location> loc,
                                           mlir::TypeRange operands,
                                           mlir::Type elementType);

/// A tensor type from a shape that may have kDynamic dimensions.
mlir::RankedTensorType makeTensor(llvm::ArrayRef<int64_t> shape,
                                  mlir::Type elementType);

/// The elements of a tensor of static shape.
uint64_t countElements(mlir::Value tensor);

/// Whether memory could hold a tensor of this shape, where a dimension that is
/// empty or not known counts as one. Sizes of those that it could are far from
/// overflowing.
bool isAddressable(llvm::ArrayRef<int64_t> shape);

/// The integers of a constant tensor operand, row-major; nullopt if `value` is
/// not a constant of integer elements.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Value value);

/// The same of a float tensor, as doubles.
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Value value);

/// `axis` counted from the front: negative axes count from the back of `rank`
/// dimensions. Reports an axis out of range at `loc` and fails.
mlir::FailureOr<int64_t> normalizeAxis(std::optional<mlir::Location> loc,
                                       int64_t axis, int64_t rank);

/// The same where `axis` is known to be one of `tensor`, which has a rank.
int64_t countFromFront(int64_t axis, mlir::Value tensor);

/// Normalizes all; fails also where one comes twice.
mlir::FailureOr<llvm::SmallVector<int64_t>>
normalizeAxes(std::optional<mlir::Location> loc, llvm::ArrayRef<int64_t> axes,
              int64_t rank);

} // namespace brisk

#endif // BRISK_DIALECT_TYPEINFERENCE_H
