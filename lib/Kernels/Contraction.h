//===- Contraction.h - The inner loop of products ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matrix products, convolutions and recurrent layers have in common: a
// block of sums in registers, to each of which every step of the reduction adds
// an element of the left operand times one of the right.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_CONTRACTION_H
#define BRISK_LIB_KERNELS_CONTRACTION_H

#include "Access.h"

namespace brisk {

/// A vector (or, with 0 lanes, a scalar) of a block's columns, which begins
/// `offset` columns into it. Lanes off in `mask` are not loaded.
struct ColumnVector {
  int64_t offset, lanes;
  mlir::Value mask;
};

/// How elements are multiplied and added up: by instructions for that, of
/// several elements at a time, or one by one in the type of the sums.
struct Multiplier {
  Multiplier(const Isa &isa, mlir::Type lhs, mlir::Type rhs, mlir::Type sum);
  /// That of an op's two operands, whose result is a sum or rounded from one.
  Multiplier(const Isa &isa, mlir::Operation *op);
  /// The same without such instructions.
  static Multiplier oneByOne(mlir::Operation *op);
  /// True if kernels multiply what the op multiplies: floats, bytes, or f32 by
  /// integers.
  static bool fits(mlir::Operation *op);

  /// Null: one by one.
  const Isa::Product *product;
  mlir::Type lhs, rhs, sum;

  /// Takes the product of several rows at a time if that is faster for `rows`
  /// rows of `depth` elements, with what it takes to fill it up.
  void takeBlocks(const Isa &isa, int64_t rows, int64_t depth);

  /// Elements of a step.
  int64_t getDepth() const { return product ? product->k : 1; }
  /// Rows that are multiplied at once.
  int64_t getRows() const { return product ? product->m : 1; }
  /// Multiply-adds of elements started per cycle.
  double getRate(const Isa &isa) const;
  /// Cycles to the next one of the same sums.
  double getLatency(const Isa &isa) const;
  /// Instructions that a step's elements take between load and product.
  struct Preparation {
    int64_t row = 0, column = 0;
  };
  Preparation getPreparation(const Isa &isa) const;
  /// Tiles of `vectors` vectors of columns: the most rows for which there are
  /// registers.
  int64_t getMostRows(const Isa &isa, int64_t vectors) const;
  /// A step's elements of a row, to multiply with: a scalar of as many bits as
  /// a sum or, one by one, in the type of sums. Behind the first `count` are
  /// zeros.
  mlir::Value loadRow(KernelBuilder &b, const FlatBuffer &from, mlir::Value at,
                      int64_t count) const;
  /// Those of as many rows as are multiplied at once, of which there are
  /// `rows`, `stride` apart.
  mlir::Value loadRows(KernelBuilder &b, const FlatBuffer &from, mlir::Value at,
                       int64_t stride, int64_t rows, int64_t count) const;
  /// The same of elements that `load` gives, `lanes` (0: one) from the
  /// `first` one on.
  using LoadElements =
      llvm::function_ref<mlir::Value(int64_t first, int64_t lanes)>;
  mlir::Value makeRow(KernelBuilder &b, int64_t count, LoadElements load) const;
  /// Those of several steps that `elements` has one after the other, a vector.
  mlir::Value joinSteps(KernelBuilder &b, mlir::Value elements) const;
  /// A step's elements for each of `lanes` lanes, to multiply with: those in
  /// `count` rows that are `stride` apart.
  mlir::Value loadLanes(KernelBuilder &b, const FlatBuffer &from,
                        mlir::Value at, int64_t stride, int64_t count,
                        int64_t lanes, mlir::Value mask) const;
  /// Those of columns, which are packed: a column's are next to each other.
  mlir::Value loadColumns(KernelBuilder &b, const FlatBuffer &from,
                          mlir::Value at, int64_t lanes,
                          mlir::Value mask) const;
  /// Those of a step with `count` elements, packed as so many: behind them is
  /// whatever, to be multiplied with zeros.
  mlir::Value loadShortColumns(KernelBuilder &b, const FlatBuffer &from,
                               mlir::Value at, int64_t count,
                               int64_t lanes) const;
  /// Those of columns that lie in `count` rows, `stride` apart.
  mlir::Value interleaveColumns(KernelBuilder &b, const FlatBuffer &from,
                                mlir::Value at, int64_t stride, int64_t count,
                                int64_t lanes, mlir::Value mask) const;
  mlir::Value multiplyAdd(KernelBuilder &b, mlir::Value row,
                          mlir::Value columns, mlir::Value sums) const;
  /// The columns that a product takes which adds to the `number`th of the
  /// vectors of sums for the rows that are multiplied at once.
  mlir::Value getPart(KernelBuilder &b, mlir::Value columns,
                      int64_t number) const;
  /// Brings sums of rows, each of `width` vectors, into the order of products,
  /// or back: where two rows are multiplied at once, a vector has half of the
  /// lanes of either. To an odd number of rows, one is added.
  Values regroup(KernelBuilder &b, Values sums, int64_t width) const;
};

/// Calls `step` for [0, count), `unroll` times in an iteration, with the number
/// within it, and carries values on.
Values loopUnrolled(
    KernelBuilder &b, int64_t count, int64_t unroll, Values carried,
    llvm::function_ref<void(mlir::Value at, int64_t number, Values &)> step);

/// What the sums of columns start from: the bias, whose elements may be smaller
/// than sums, or zeros where there is none.
mlir::Value getStart(KernelBuilder &b, Epilogue &epilogue, mlir::Value bias,
                     const Columns &columns, mlir::Type sum);

/// The same of a bias in memory, for vector `vector` of the columns from
/// `column` on; `bias` is null where there is none.
mlir::Value loadBias(KernelBuilder &b, mlir::Value bias, mlir::Value column,
                     const ColumnVector &vector, mlir::Type sum);

/// Cycles of what a group computes beside its anchor, whose sums are of `sum`.
double getEpilogueCycles(GroupOp group, mlir::Type sum, const Isa &isa);
/// Those of what leads to `operand`, a part of it.
double getPrologueCycles(mlir::Value operand, mlir::Type sum, const Isa &isa);

struct Contraction {
  const Multiplier &multiplier;
  /// Row r and element k are at `lhsBase` + k + r * `rowStride`.
  const FlatBuffer &lhs;
  mlir::Value lhsBase;
  int64_t rows, rowStride;
  /// Packed, the elements of column c and step k, one after the other, are at
  /// `rhsBase` + k * `rhsStride` + c * elements of a step; else element k of
  /// column c is at `rhsBase` + k * `rhsStride` + c.
  const FlatBuffer &rhs;
  mlir::Value rhsBase;
  int64_t rhsStride;
  llvm::ArrayRef<ColumnVector> columns;
  /// Elements to sum up, and how many steps an iteration takes.
  int64_t depth, unroll = 1;
  /// The steps of an iteration add to sums of their own, so that they overlap;
  /// these are added up at the end.
  bool splitsSums = false;
  bool packed = true;
  /// Called after each step's loads.
  llvm::function_ref<void(mlir::Value k)> afterStep = nullptr;
  /// What elements of the left operand, a vector or one, are computed from
  /// what `lhs` holds of them; null where it holds themselves.
  llvm::function_ref<mlir::Value(mlir::Value loaded)> compute = nullptr;

  /// Adds all steps to `sums`: for each row those of the columns.
  Values emit(KernelBuilder &b, mlir::ValueRange sums) const;

private:
  /// The right operand's elements of a step, of which it has `count`.
  mlir::Value loadColumns(KernelBuilder &b, mlir::Value k, int64_t count,
                          const ColumnVector &column) const;
  /// What is multiplied of row `r`, and those that go with it, from element
  /// `at` on, at a step of `count` elements.
  mlir::Value loadRow(KernelBuilder &b, mlir::Value at, int64_t r,
                      int64_t count) const;
  /// Adds one step, of as many elements as the multiplier takes or, for the
  /// last one, of `count`, of rows that `loadRow` gives.
  void emitStep(KernelBuilder &b, mlir::Value k, int64_t count,
                llvm::MutableArrayRef<mlir::Value> sums,
                llvm::function_ref<mlir::Value(int64_t r)> loadRow) const;
  /// Adds `steps` whole steps from `k` on.
  void emitSteps(KernelBuilder &b, mlir::Value k, int64_t steps,
                 llvm::MutableArrayRef<mlir::Value> sums) const;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_CONTRACTION_H
