//===- Reduce.cpp - Loops of reductions --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

Values brisk::buildAt(LoopBuilder &b, ReduceOp op, Buffers in, ValueRange at) {
  SmallVector<int64_t> axes = *op.getReducedAxes();
  Type type = in[0].getElement();
  ReduceKind kind = op.getKind();
  SmallVector<Span> spans;
  int64_t count = 1;
  for (int64_t axis : axes) {
    spans.push_back({in[0].getDim(axis), {}, {}});
    count *= in[0].getDim(axis);
  }
  Type wide = type;
  if (isa<FloatType>(type))
    wide = LoopBuilder::getSumType(type);
  else if (kind == ReduceKind::Mean)
    wide = IntegerType::get(b.getContext(), 64,
                            type.isUnsignedInteger() ? IntegerType::Unsigned
                                                     : IntegerType::Signless);
  Value neutral = kind == ReduceKind::Max    ? b.least(wide)
                  : kind == ReduceKind::Min  ? b.greatest(wide)
                  : kind == ReduceKind::Prod ? b.constant(wide, 1)
                                             : b.zero(wide);
  auto combine = [&](Value a, Value c) {
    switch (kind) {
    case ReduceKind::Max:
      return b.max(wide, a, c);
    case ReduceKind::Min:
      return b.min(wide, a, c);
    case ReduceKind::Prod:
      return b.mul(wide, a, c);
    default:
      return b.add(wide, a, c);
    }
  };
  Value value = b.reduce(spans, neutral, combine, [&](ValueRange inner) {
    Values from;
    size_t kept = 0, reduced = 0;
    for (int64_t dim = 0; dim < in[0].getRank(); ++dim) {
      bool isReduced = llvm::is_contained(axes, dim);
      from.push_back(isReduced ? inner[reduced++] : at[kept]);
      if (!isReduced || op.getKeepdims())
        ++kept;
    }
    return b.convert(b.load(in[0], from), type, wide);
  });
  if (kind == ReduceKind::Mean && (count > 0 || isa<FloatType>(wide)))
    value = b.div(wide, value, b.constant(wide, count));
  return {b.convert(value, wide, type)};
}

Values brisk::buildAt(LoopBuilder &b, ArgReduceOp op, Buffers in,
                      ValueRange at) {
  int64_t axis = op.getNormalizedAxis();
  Type type = in[0].getElement();
  auto loadAt = [&](Value i) {
    Values from = llvm::to_vector(at);
    if (op.getKeepdims())
      from[axis] = i;
    else
      from.insert(from.begin() + axis, i);
    return b.load(in[0], from);
  };
  bool isMax = op.getKind() == ArgReduceKind::Max;
  Value first = b.index(0);
  Values best = b.loop(b.index(1), b.index(in[0].getDim(axis)),
                       {loadAt(first), first}, [&](Value i, ValueRange best) {
                         Value value = loadAt(i);
                         Value low = isMax ? best[0] : value,
                               high = isMax ? value : best[0];
                         Value better = op.getSelectLastIndex()
                                            ? b.isLessOrEqual(type, low, high)
                                            : b.isLess(type, low, high);
                         return Values{b.select(better, value, best[0]),
                                       b.select(better, i, best[1])};
                       });
  return {arith::IndexCastOp::create(b, b.getI64Type(), best[1])};
}

//===----------------------------------------------------------------------===//
// CumsumOp
//===----------------------------------------------------------------------===//

/// The shape without the axis: each place is a sum of its own.
static SmallVector<int64_t> getSums(CumsumOp op) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(op.getType()).getShape());
  shape.erase(shape.begin() + *op.getNormalizedAxis());
  return shape;
}

int64_t brisk::getTasks(CumsumOp op) { return countTasks(getSums(op)); }

void brisk::emitTask(LoopBuilder &b, CumsumOp op, Buffers in, Buffers out,
                     Value task) {
  int64_t axis = *op.getNormalizedAxis(), size = in[0].getDim(axis);
  Type type = in[0].getElement(), wide = LoopBuilder::getSumType(type);
  b.taskNest(getSums(op), task, [&](ValueRange outer) {
    b.loop(b.index(0), b.index(size), {b.zero(wide)},
           [&](Value step, ValueRange carried) {
             Value place =
                 op.getReverse() ? b.subIndex(b.index(size - 1), step) : step;
             Values at = llvm::to_vector(outer);
             at.insert(at.begin() + axis, place);
             Value value = b.convert(b.load(in[0], at), type, wide);
             Value sum = b.add(wide, carried[0], value);
             Value shown = op.getExclusive() ? Value(carried[0]) : sum;
             b.store(b.convert(shown, wide, type), out[0], at);
             return Values{sum};
           });
  });
}
