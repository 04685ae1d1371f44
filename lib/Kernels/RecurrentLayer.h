//===- RecurrentLayer.h - Recurrent layers as kernels see them --*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_RECURRENTLAYER_H
#define BRISK_LIB_KERNELS_RECURRENTLAYER_H

#include "brisk/Dialect/Ops.h"

#include <optional>

namespace brisk {

/// A recurrent layer, whatever its cells.
struct RecurrentLayer {
  mlir::Operation *op = nullptr;
  mlir::Value x, w, r, bias, lens, initialH, initialC, peepholes;
  mlir::OpOperand *weights = nullptr; ///< `r`
  /// Of weights of few bits: scales, zero points, and the sums of columns.
  mlir::OpOperand *scale = nullptr, *zero = nullptr, *sums = nullptr;
  int64_t bits = 32, block = 0;
  int64_t gates = 0, units = 0, directions = 0;
  RecurrentDirection direction = RecurrentDirection::Forward;
  bool batchFirst = false, coupled = false, linearBeforeReset = false;
  std::optional<double> clip;
  /// The functions f, g, h of each direction.
  llvm::SmallVector<RecurrentFunction, 3> functions[2];

  /// Null if the op is none.
  static std::optional<RecurrentLayer> get(mlir::Operation *op);

  int64_t getSteps() const { return getXShape()[batchFirst ? 1 : 0]; }
  int64_t getSequences() const { return getXShape()[batchFirst ? 0 : 1]; }
  mlir::Type getElement() const {
    return mlir::getElementTypeOrSelf(x.getType());
  }
  /// True if the weights are of few bits.
  bool isNarrow() const { return scale; }
  /// True if states are quantized before they are multiplied.
  bool quantizesStates() const { return sums; }
  /// Weights of a state's units.
  int64_t getColumns() const { return gates * units; }
  /// True if the reset gates multiply the hidden state.
  bool resetsState() const {
    return llvm::isa<GruOp>(op) && !linearBeforeReset;
  }
  /// True if both directions have the same functions.
  bool isUniform() const;

private:
  template <typename Op> static RecurrentLayer getFrom(Op op);
  llvm::ArrayRef<int64_t> getXShape() const {
    return llvm::cast<mlir::ShapedType>(x.getType()).getShape();
  }
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_RECURRENTLAYER_H
