//===- KernelBuilder.h - Emitting vector code -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all kernels are written in: an op builder that knows the instruction
// set, with arithmetic on elements (ElementBuilder) and on indices, control
// flow, and elements in memory in the dialect's storage format; and the
// elementwise ops of a group around its anchor.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_KERNELBUILDER_H
#define BRISK_KERNELS_KERNELBUILDER_H

#include "brisk/Dialect/ByteTable.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Target/Isa.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <concepts>
#include <memory>

namespace brisk {

using Values = llvm::SmallVector<mlir::Value>;

/// The type in which elements lie in memory: signless, booleans as i8.
mlir::Type getStorageType(mlir::Type elementType);

/// The places [begin, end) of a loop; `size` is their number where that is
/// known, else -1. Null bounds stand for 0 and `size`.
struct Span {
  int64_t size = -1;
  mlir::Value begin, end;
};

class KernelBuilder : public mlir::ImplicitLocOpBuilder, public ElementBuilder {
public:
  KernelBuilder(mlir::Location loc, mlir::OpBuilder &b, const Isa &isa)
      : ImplicitLocOpBuilder(loc, b),
        ElementBuilder(static_cast<mlir::OpBuilder &>(*this), loc), isa(isa) {}
  KernelBuilder(const KernelBuilder &) = delete;

  const Isa &isa;
  /// Bytes that the worker has for itself, as many as the kernel asked for.
  mlir::Value scratch;

  //===--------------------------------------------------------------------===//
  // Indices and elements
  //===--------------------------------------------------------------------===//

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*this, value);
  }
  using ElementBuilder::add;
  using ElementBuilder::mul;
  // Of indices; a number that is a float goes with a float.
  mlir::Value add(mlir::Value a, std::integral auto b) {
    return b ? add(a, index(b)) : a;
  }
  mlir::Value mul(mlir::Value a, std::integral auto b) {
    return b == 1 ? a : mul(a, index(b));
  }
  /// Of indices, which may be negative.
  mlir::Value minIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::MinSIOp>(a, b);
  }
  mlir::Value maxIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::MaxSIOp>(a, b);
  }
  /// a / b rounded up, for any a and positive b.
  mlir::Value ceilDiv(mlir::Value a, int64_t b) {
    return b == 1 ? a : createOrFold<mlir::arith::CeilDivSIOp>(a, index(b));
  }
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::AndIOp>(a, b);
  }
  /// 0 <= a < size.
  mlir::Value isWithin(mlir::Value a, int64_t size) {
    return compare(mlir::arith::CmpIPredicate::ult, a, index(size));
  }
  /// An integer that comes from the data, as an index: with `wrap` added where
  /// it is negative, and clamped to [low, high]. All that is done before it may
  /// lose bits, for an index of a microcontroller has 32.
  mlir::Value boundIndex(mlir::Value value, int64_t wrap, int64_t low,
                         int64_t high);

  /// a * b + c of floats: fused where the instruction set can.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// `scalar` in every lane of `vectorType`; `scalar` itself for a scalar type.
  mlir::Value broadcast(mlir::Value scalar, mlir::Type type);

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  using LoopBody = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;

  /// `for i in [begin, end) step step`: the body gets the index and the carried
  /// values and returns the next ones.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step,
              mlir::ValueRange carried, LoopBody body);
  Values loop(mlir::Value begin, mlir::Value end, mlir::ValueRange carried,
              LoopBody body) {
    return loop(begin, end, 1, carried, body);
  }
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value begin, mlir::Value end,
            llvm::function_ref<void(mlir::Value)> body) {
    loop(begin, end, 1, body);
  }
  /// Nested loops over a shape, the last dimension innermost, but for the
  /// outer dimensions whose indices are in `at`.
  void nest(llvm::ArrayRef<int64_t> shape,
            llvm::function_ref<void(mlir::ValueRange)> body, Values at = {});
  /// A task of the loops over a shape (see countTasks).
  void taskNest(llvm::ArrayRef<int64_t> shape, mlir::Value task,
                llvm::function_ref<void(mlir::ValueRange)> body);
  /// Nested loops over `spans` that carry values on.
  Values
  nest(llvm::ArrayRef<Span> spans, mlir::ValueRange carried,
       llvm::function_ref<Values(mlir::ValueRange, mlir::ValueRange)> body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> then);
  Values ifElse(mlir::Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);
  void ifElse(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);

  /// What a reduction makes of two values (a mean adds), and starts from.
  mlir::Value combine(ReduceKind kind, mlir::Type element, mlir::Value a,
                      mlir::Value b);
  mlir::Value identity(ReduceKind kind, mlir::Type type);
  /// Combines `term` at all places of `spans`, one after the other; `neutral`
  /// is the combination's neutral element. Long sums are taken in parts, so
  /// that rounding errors stay small.
  mlir::Value
  reduce(llvm::ArrayRef<Span> spans, mlir::Value neutral,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine,
         llvm::function_ref<mlir::Value(mlir::ValueRange)> term);
  /// The sum of `term`, which is of `type`.
  mlir::Value sum(llvm::ArrayRef<Span> spans, mlir::Type type,
                  llvm::function_ref<mlir::Value(mlir::ValueRange)> term) {
    return reduce(
        spans, zero(type),
        [&](mlir::Value a, mlir::Value b) { return add(a, b); }, term);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

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

  /// The one element of a constant, in each of `lanes` lanes (0: a scalar).
  mlir::Value splat(mlir::ElementsAttr constant, int64_t lanes);
  /// A constant table in the module, one-dimensional. Integers are i32, floats
  /// of `element`: f32 or f64.
  mlir::Value table(llvm::ArrayRef<double> values, mlir::Type element);
  mlir::Value table(llvm::ArrayRef<int32_t> values);
  /// A constant as a memref.
  mlir::Value table(mlir::ElementsAttr values);
  /// The entries of a table of 256 at the places that bytes, seen without a
  /// sign, give.
  mlir::Value lookUp(llvm::ArrayRef<char> entries, mlir::Value bytes);
};

/// Tasks that loops over a result of this shape divide into.
int64_t countTasks(llvm::ArrayRef<int64_t> shape);

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
                       mlir::Value mask = {}) {
    return evaluate(b, operand, getShape(operand), row, column, lanes, mask);
  }
  /// The same at a place of a tensor of `shape`, to which it is broadcast.
  mlir::Value evaluate(KernelBuilder &b, mlir::Value operand,
                       llvm::ArrayRef<int64_t> shape, mlir::Value row,
                       mlir::Value column, int64_t lanes,
                       mlir::Value mask = {});
  /// The same at a place where the group's input `from` has `value`, and all
  /// else that leads to `operand` is of one element.
  mlir::Value evaluateFrom(KernelBuilder &b, mlir::Value operand,
                           mlir::Value from, mlir::Value value);

private:
  /// The table that `value` is looked up in; null where it is computed.
  const ByteTable *findTable(const Isa &isa, mlir::Value value);
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
  /// What findTable has found.
  llvm::DenseMap<mlir::Value, std::shared_ptr<const ByteTable>> tables;
};

/// `memref` with all but its innermost dimension as one, if its strides allow
/// that; null otherwise. Rank 0 and 1 become one row.
mlir::Value collapseRows(KernelBuilder &b, mlir::Value memref);

/// The indices of the dimensions of `shape` that make up linear index `linear`.
llvm::SmallVector<mlir::Value> delinearize(KernelBuilder &b, mlir::Value linear,
                                           llvm::ArrayRef<int64_t> shape);

} // namespace brisk

#endif // BRISK_KERNELS_KERNELBUILDER_H
