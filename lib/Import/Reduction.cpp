//===- Reduction.cpp - Reductions, softmax and their kin ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

namespace {
/// The parameters of a Reduce op, whose axes became an input in opset 18 (13
/// for ReduceSum).
struct Reduction {
  Value axes;
  bool keepdims, noop;

  Reduction(Node &n, bool isSum)
      : axes(), keepdims(n.getFlag("keepdims", true)), noop(false) {
    if (n.opset >= (isSum ? 13 : 18)) {
      axes = n.maybe(1);
      noop = n.getFlag("noop_with_empty_axes");
    } else if (auto list = n.getInts("axes")) {
      axes = n.ints(*list);
    }
  }

  Value reduce(Node &n, ReduceKind kind, Value x, bool keep) const {
    return n.make<ReduceOp>(x, axes, kind, keep, noop);
  }
  Value reduce(Node &n, ReduceKind kind, Value x) const {
    return reduce(n, kind, x, keepdims);
  }
};
} // namespace

template <ReduceKind kind> static Results reduce(Node &n) {
  Value x = n.in(0);
  return Reduction(n, kind == ReduceKind::Sum).reduce(n, kind, x);
}

static Results reduceL1(Node &n) {
  Value x = n.in(0);
  return Reduction(n, false).reduce(n, ReduceKind::Sum, n.make<AbsOp>(x));
}

static Results reduceSumSquare(Node &n) {
  Value x = n.in(0);
  return Reduction(n, false).reduce(n, ReduceKind::Sum, n.mul(x, x));
}

/// `apply` on floats; integers are converted and cut back.
static Value onFloats(Node &n, Value x,
                      llvm::function_ref<Value(Value)> apply) {
  if (Node::isFloat(x))
    return apply(x);
  Type element = Node::getElementType(x);
  return n.cast(apply(n.cast(x, n.builder.getF32Type())), element);
}

static Results reduceL2(Node &n) {
  Reduction reduction(n, false);
  return onFloats(n, n.in(0), [&](Value x) {
    return n.make<SqrtOp>(reduction.reduce(n, ReduceKind::Sum, n.mul(x, x)));
  });
}

static Results reduceLogSum(Node &n) {
  Reduction reduction(n, false);
  return onFloats(n, n.in(0), [&](Value x) {
    return n.make<LogOp>(reduction.reduce(n, ReduceKind::Sum, x));
  });
}

/// Exponentials are taken relative to the largest element, unless that is
/// infinite.
static Results reduceLogSumExp(Node &n) {
  Reduction reduction(n, false);
  return onFloats(n, n.in(0), [&](Value x) {
    auto largest = [&](bool keepdims) {
      Value most = reduction.reduce(n, ReduceKind::Max, x, keepdims);
      return n.select(n.make<IsInfOp>(most, true, true), n.scalarLike(0, x),
                      most);
    };
    Value exp = n.make<ExpOp>(n.sub(x, largest(true)));
    Value sum = reduction.reduce(n, ReduceKind::Sum, exp);
    return n.add(n.make<LogOp>(sum), largest(reduction.keepdims));
  });
}

template <ArgReduceKind kind> static Results argReduce(Node &n) {
  return n.make<ArgReduceOp>(n.in(0), kind, n.getInt("axis", 0),
                             n.getFlag("keepdims", true),
                             n.getFlag("select_last_index"));
}

static Results cumSum(Node &n) {
  return n.make<CumsumOp>(n.in(0), n.in(1), n.getFlag("exclusive"),
                          n.getFlag("reverse"));
}

/// Before opset 13 these act on the matrix that the input becomes when `axis`
/// splits its dimensions.
static Value onMatrix(Node &n,
                      llvm::function_ref<Value(Value, int64_t)> apply) {
  Value x = n.in(0);
  if (n.opset >= 13)
    return apply(x, n.getInt("axis", -1));
  int64_t rank = n.needRank(x);
  if (n.isBroken())
    return x;
  int64_t axis = n.getInt("axis", 1);
  if (axis == rank)
    axis = rank - 1;
  else
    axis = n.normalizeAxis(axis, std::max<int64_t>(rank, 1));
  bool alone = true;
  for (int64_t i = axis + 1; i < rank; ++i)
    alone &= Node::getDim(x, i) == 1;
  if (alone)
    return apply(x, axis);
  return n.reshapeLike(apply(n.make<FlattenOp>(x, axis), 1), x);
}

template <bool log> static Results softmax(Node &n) {
  return onMatrix(n, [&](Value x, int64_t axis) {
    return n.make<SoftmaxOp>(x, axis, log);
  });
}

static Results hardmax(Node &n) {
  return onMatrix(n, [&](Value x, int64_t axis) {
    int64_t rank = n.needRank(x);
    axis = n.normalizeAxis(axis, rank);
    Value largest =
        n.make<ArgReduceOp>(x, ArgReduceKind::Max, axis, true, false);
    Value index =
        n.make<RangeOp>(n.intScalar(0), n.dimOf(x, axis), n.intScalar(1));
    return n.cast(n.make<EqualOp>(largest, n.alongAxis(index, axis, x)),
                  Node::getElementType(x));
  });
}

void onnximport::addReductionRows(OpTable &table) {
  table.on("ArgMax", 1, argReduce<ArgReduceKind::Max>);
  table.on("ArgMin", 1, argReduce<ArgReduceKind::Min>);
  table.on("CumSum", 11, cumSum, Elements::FloatsAndWide);
  table.on("Hardmax", 1, hardmax, Elements::Floats);
  table.on("LogSoftmax", 1, softmax<true>);
  table.on("ReduceL1", 1, reduceL1, Elements::FloatsAndWide);
  table.on("ReduceL2", 1, inF32<reduceL2>, Elements::FloatsAndWide);
  table.on("ReduceLogSum", 1, inF32<reduceLogSum>, Elements::FloatsAndWide);
  table.on("ReduceLogSumExp", 1, inF32<reduceLogSumExp>,
           Elements::FloatsAndWide);
  table.on("ReduceMax", 1, reduce<ReduceKind::Max>);
  table.on("ReduceMean", 1, reduce<ReduceKind::Mean>, Elements::FloatsAndWide);
  table.on("ReduceMin", 1, reduce<ReduceKind::Min>);
  table.on("ReduceProd", 1, reduce<ReduceKind::Prod>, Elements::FloatsAndWide);
  table.on("ReduceSum", 1, reduce<ReduceKind::Sum>, Elements::FloatsAndWide);
  table.on("ReduceSumSquare", 1, inF32<reduceSumSquare>,
           Elements::FloatsAndWide);
  table.on("Softmax", 1, softmax<false>);
}
