//===- NBitWeights.h - Products with weights of few bits --------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights of 2, 4 or 8 bits, of which blocks of a column share a scale and a
// zero point, stay so in memory: a step of the reduction loads a vector of
// bytes, one for each column, takes them apart and makes floats of them in
// registers.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_NBITWEIGHTS_H
#define BRISK_LIB_KERNELS_NBITWEIGHTS_H

#include "Contraction.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace brisk {

struct NBitWeights {
  explicit NBitWeights(MatmulNBitsOp op);
  /// Of so many bits, a column of `depth` of them in blocks; `zero` may be
  /// null.
  NBitWeights(int64_t bits, int64_t block, int64_t depth, mlir::Value weights,
              mlir::Value scale, mlir::Value zero);

  int64_t bits, block, depth;
  mlir::Type integer;
  /// Positions of the parameters among the group's inputs; -1: none.
  int64_t scale, zero;

  int64_t getPerByte() const { return 8 / bits; }
  /// Rows of bytes.
  int64_t getByteRows() const { return llvm::divideCeil(depth, getPerByte()); }
  int64_t getBlocks() const { return llvm::divideCeil(depth, block); }
  /// True if the sums of a block are scaled, rather than each weight: where a
  /// tile has registers for them beside the whole sums.
  bool scalesSums(const Isa &isa, int64_t rows, int64_t vectors) const {
    int64_t sums = (getBlocks() == 1 ? 1 : 2) * rows * vectors;
    return zero < 0 && sums + vectors + 1 <= isa.vectors.count;
  }
  /// Registers that a vector of columns takes beside its sums and weights.
  int64_t getRegisters() const { return zero < 0 ? 2 : 3; }
  Multiplier::Preparation getPreparation() const {
    return {.row = 0, .column = zero < 0 && getBlocks() == 1 ? 2 : 3};
  }
};

/// The buffers of their scales and zero points, packed in panels as they are.
struct NBitParameters {
  NBitParameters(KernelBuilder &b, const NBitWeights &weights,
                 mlir::ValueRange ins);

  FlatBuffer scales;
  std::optional<FlatBuffer> zeros;
};

/// A tile of a product with such weights.
struct NBitContraction {
  const NBitWeights &weights;
  /// Row r and element k are at `lhsBase` + k + r * `rowStride`.
  const FlatBuffer &lhs;
  mlir::Value lhsBase;
  int64_t rows, rowStride;
  const FlatBuffer &bytes;
  const NBitParameters &parameters;
  /// Where the panel's bytes and its parameters begin, a row of which has
  /// `width` columns.
  mlir::Value bytesBase, parametersBase;
  int64_t width;
  llvm::ArrayRef<ColumnVector> columns;
  /// Bytes of a column in an iteration.
  int64_t unroll;

  /// Adds up all of the reduction: for each row the sums of the columns.
  Values emit(KernelBuilder &b, mlir::ValueRange sums) const;

private:
  /// What weights of a block are multiplied by, for each vector of columns, and
  /// what is added then; nothing where the block's sums are scaled.
  struct Factors {
    Values scales, offsets;
  };
  Factors loadFactors(KernelBuilder &b, mlir::Value block) const;
  /// Adds a block of `size` elements.
  Values emitBlock(KernelBuilder &b, mlir::Value block, int64_t size,
                   mlir::ValueRange sums) const;
  Values emitWeights(KernelBuilder &b, mlir::Value block, int64_t size,
                     const Factors &factors, mlir::ValueRange sums) const;
  /// Adds the first `count` elements of a row of bytes.
  void emitByteRow(KernelBuilder &b, mlir::Value byteRow, int64_t count,
                   const Factors &factors,
                   llvm::MutableArrayRef<mlir::Value> sums) const;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_NBITWEIGHTS_H
