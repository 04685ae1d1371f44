//===- Quantized.h - Values with a scale and a zero point -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_QUANTIZED_H
#define BRISK_LIB_TRANSFORMS_QUANTIZED_H

#include "ArithmeticMatchers.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Target/Isa.h"
#include "mlir/IR/Builders.h"

#include <optional>
#include <vector>

namespace brisk {

/// The integer that a constant holds in every element; none for others.
std::optional<int64_t> getInteger(mlir::Value value);

/// True if a scale and a zero point, which may be null, have one element.
bool areOne(mlir::Value scale, mlir::Value zeroPoint);

/// 8-bit integers that stand for `scale` * (integer - `zero`), where one scale
/// and zero point hold for all.
struct Quantized {
  mlir::Value integers;
  double scale = 1;
  int64_t zero = 0;
  /// A zero point of one element that is known at run time; null for others.
  mlir::Value runtimeZero;

  /// What dequantized integers are; none if the scale is not a constant.
  static std::optional<Quantized> get(mlir::Value value);
};

/// What a bias of sums becomes.
struct QuantizedBias {
  /// Integers to add to the sums.
  std::vector<int64_t> integers;
  /// Else floats to add to what they stand for; null for none.
  mlir::Value floats;

  /// The bias of sums that have `scales`: an integer one has the same, in
  /// models that quantizers make.
  static QuantizedBias get(mlir::Value bias, llvm::ArrayRef<double> scales);
};

/// A constant of `values` as f32.
mlir::Value makeFloats(mlir::OpBuilder &b, mlir::Location loc,
                       llvm::ArrayRef<double> values,
                       llvm::ArrayRef<int64_t> shape);

/// A constant of one number, as integer of `type`.
mlir::Value makeInteger(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        int64_t value);

/// The instruction set of the module that `op` is in; null in a module without
/// a target, where quantized values are computed in floats.
const Isa *findIsa(mlir::Operation *op);

/// The bytes that products are to have for their first operand: unsigned ones,
/// unless the instruction set only multiplies signed ones by signed ones.
mlir::IntegerType getProductInput(const Isa &isa, mlir::MLIRContext *context);

/// The type of bytes that tensors of `input` have to become for the instruction
/// set to multiply them by such of `weights`; null if they stay as they are.
mlir::IntegerType getOtherInput(const Isa &isa, mlir::Type input,
                                mlir::Type weights);

/// Bytes of `type` for those of the other signedness, with a zero point that
/// getShiftTo says.
mlir::Value changeSign(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value bytes, mlir::IntegerType type);

/// What is added to the zero point of bytes that become such of `type`, of the
/// other signedness.
inline int64_t getShiftTo(mlir::IntegerType type) {
  return type.isUnsigned() ? 128 : -128;
}

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_QUANTIZED_H
