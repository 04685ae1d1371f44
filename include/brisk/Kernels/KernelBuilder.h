//===- KernelBuilder.h - Emitting vector code --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernel families share when they emit: an op builder that knows the
// instruction set, element loads and stores in the dialect's storage format,
// and the elementwise ops of a group around its anchor.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_KERNELBUILDER_H
#define BRISK_KERNELS_KERNELBUILDER_H

#include "brisk/Dialect/StructuralOps.h"
#include "brisk/Target/Isa.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace brisk {

/// The type in which elements lie in memory: signless, booleans as i8.
mlir::Type getStorageType(mlir::Type elementType);
/// The type in which they are computed with: signless, booleans as i1.
mlir::Type getValueType(mlir::Type elementType);

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  KernelBuilder(mlir::Location loc, mlir::OpBuilder &b, const Isa &isa)
      : ImplicitLocOpBuilder(loc, b), isa(isa) {}

  const Isa &isa;

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*this, value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, int64_t b);
  /// a * b + c of floats: fused where the instruction set can.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// A float constant of `type`, splat where that is a vector.
  mlir::Value constant(mlir::Type type, double value);
  /// `scalar` in every lane of `vectorType`; `scalar` itself for a scalar type.
  mlir::Value broadcast(mlir::Value scalar, mlir::Type type);

  /// `for i in [begin, end) step step`: the body gets the index and the carried
  /// values and returns the next ones.
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value begin, mlir::Value end, int64_t step,
       mlir::ValueRange carried,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                         mlir::ValueRange)>
           body);
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);

  /// The first `count` of `lanes` lanes.
  mlir::Value mask(int64_t lanes, int64_t count);

  /// Loads `lanes` consecutive elements (a scalar for 0) of tensor element type
  /// `elementType`, in its value type. Lanes off in `mask` (null: all on) are
  /// not touched in memory and hold 0.
  mlir::Value load(mlir::Type elementType, mlir::Value memref,
                   mlir::ValueRange indices, int64_t lanes,
                   mlir::Value mask = {});
  /// The inverse: `value` is a scalar or a vector of the value type.
  void store(mlir::Type elementType, mlir::Value value, mlir::Value memref,
             mlir::ValueRange indices, mlir::Value mask = {});
};

/// The elementwise ops of a group, evaluated on scalars or vectors. The
/// anchor's result (or, without an anchor, the group's results) is seen as rows
/// by columns, the columns being the innermost dimension.
class Epilogue {
public:
  /// `anchor` is the group's op whose result comes from the kernel; null in a
  /// group of elementwise ops only. `ins` and `outs` as in Kernel::emit.
  Epilogue(GroupOp group, mlir::Operation *anchor, mlir::ValueRange ins,
           mlir::ValueRange outs);

  /// From here on, sees the anchor's two innermost dimensions as one, so that
  /// columns run over both; false, and nothing changes, if a tensor of the
  /// group has neither the result's shape nor just one element, or if a buffer
  /// does not hold the two next to each other.
  bool mergeColumns(KernelBuilder &b);

  /// Computes the group's results at `row` (linear over all but the innermost
  /// dimension) and columns [column, column + lanes), and stores them. `value`
  /// is the anchor's result there, a vector of `lanes` elements, or a scalar
  /// for lanes = 0, in the value type of its element type.
  void emit(KernelBuilder &b, mlir::Value value, mlir::Value row,
            mlir::Value column, int64_t lanes, mlir::Value mask = {});

  /// Evaluates the elementwise ops that lead from the group's inputs to
  /// `operand` (an operand of the anchor), at a place of that operand: for
  /// kernels that take a fused prologue.
  mlir::Value evaluate(KernelBuilder &b, mlir::Value operand, mlir::Value row,
                       mlir::Value column, int64_t lanes,
                       mlir::Value mask = {});

private:
  /// The shape in which a tensor of the group is walked.
  llvm::ArrayRef<int64_t> getShape(mlir::Value value) const;
  mlir::Value evaluateAt(KernelBuilder &b, mlir::Value value,
                         llvm::ArrayRef<int64_t> shape, mlir::Value row,
                         mlir::Value column, int64_t lanes, mlir::Value mask,
                         llvm::DenseMap<mlir::Value, mlir::Value> &done);

  GroupOp group;
  mlir::Operation *anchor;
  llvm::SmallVector<mlir::Value> ins, outs;
  /// The result's shape with merged columns; empty without.
  llvm::SmallVector<int64_t> merged;
};

/// `memref` with all but its innermost dimension as one, if its strides allow
/// that; null otherwise. Rank 0 and 1 become one row.
mlir::Value collapseRows(KernelBuilder &b, mlir::Value memref);

/// The indices of the dimensions of `shape` that make up linear index `linear`.
llvm::SmallVector<mlir::Value> delinearize(KernelBuilder &b, mlir::Value linear,
                                           llvm::ArrayRef<int64_t> shape);

} // namespace brisk

#endif // BRISK_KERNELS_KERNELBUILDER_H
