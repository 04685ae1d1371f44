//===- GemmProblem.h - Convolutions and products as tiles -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description for matrix products and convolutions without padding: a
// matrix of rows by columns, each element a sum over taps and, within a tap,
// over consecutive elements of the left operand.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_GEMMPROBLEM_H
#define BRISK_LIB_KERNELS_GEMMPROBLEM_H

#include "NBitWeights.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>

namespace brisk {

/// A dimension that is walked in strides of elements.
struct StridedDim {
  int64_t size, stride;
};

struct GemmProblem {
  GemmProblem(mlir::Operation *anchor, const Isa &isa);
  GemmProblem(MatmulNBitsOp anchor, const Isa &isa);

  mlir::Operation *anchor;
  Multiplier multiplier;
  /// What multiplies the same in tile registers; null if nothing does.
  const Isa::Product *tileProduct = nullptr;
  /// What is in memory of the left operand: itself, or the group's input that
  /// it is computed from, element by element.
  mlir::Value lhsInput;
  /// Positions of the operands among the group's inputs; -1: none.
  int64_t lhs, rhs, bias = -1;
  /// Rows: `outer` dimensions by `inner` consecutive rows, strides in the left
  /// operand.
  llvm::SmallVector<StridedDim> outer;
  StridedDim inner;
  /// Strides of the outer dimensions in the right operand; zeros where it is
  /// the same for all.
  llvm::SmallVector<int64_t> outerRhs;
  /// What is summed over: taps by `depth` elements of stride 1.
  llvm::SmallVector<StridedDim> taps;
  int64_t depth;
  int64_t columns;
  /// The right operand is a constant that is packed; else its rows, of
  /// `columns` elements, lie `rhsStride` apart.
  bool packed;
  int64_t rhsStride = 0;
  /// Packed weights of few bits, which become floats in registers.
  std::optional<NBitWeights> narrow;

  int64_t getOuterSize() const;
  /// The indices of the outer dimensions at place `outer` of all of them.
  Values getOuterIndices(KernelBuilder &b, mlir::Value outer) const;
  /// The left operand's first element of a row.
  mlir::Value getLhsPlace(KernelBuilder &b, mlir::ValueRange outer,
                          mlir::Value row) const;
  int64_t getRows() const { return getOuterSize() * inner.size; }
  int64_t getTaps() const;
  /// Elements summed for one of the result.
  int64_t getReduction() const { return getTaps() * depth; }
  /// Steps that the multiplier takes for a tap.
  int64_t getDepthSteps() const {
    return llvm::divideCeil(depth, multiplier.getDepth());
  }
  int64_t getSteps() const { return getTaps() * getDepthSteps(); }
  /// Rows of a panel of the right operand, where it is packed.
  int64_t getPanelRows() const {
    return narrow ? narrow->getByteRows() : getSteps() * multiplier.getDepth();
  }
  /// Bytes of the right operand that a step reads for a column.
  double getColumnBytes() const;
  /// What a step's elements take between load and product.
  Multiplier::Preparation getPreparation(const Isa &isa) const {
    Multiplier::Preparation preparation =
        narrow ? narrow->getPreparation() : multiplier.getPreparation(isa);
    // A step's elements are taken out of those that are computed at once.
    preparation.row += computesLhs() ? 1 : 0;
    return preparation;
  }
  /// The left operand is computed from what is in memory.
  bool computesLhs() const { return lhsInput != anchor->getOperand(0); }
  mlir::Type getLhsElement() const {
    return mlir::getElementTypeOrSelf(lhsInput);
  }
  /// How many times as many elements of the left operand are read as there
  /// are, for each panel of columns.
  double getLhsReads() const;
  /// The most rows of a tile of `vectors` vectors of columns.
  int64_t getMostRows(const Isa &isa, int64_t vectors) const;
};

/// The problem that a group is; nullopt, and the view has the reason, if its
/// anchor is of another kind.
std::optional<GemmProblem> findGemmProblem(GroupView &view);

} // namespace brisk

#endif // BRISK_LIB_KERNELS_GEMMPROBLEM_H
