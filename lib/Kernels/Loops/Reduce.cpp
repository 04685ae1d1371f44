//===- Reduce.cpp - Loops of reductions -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

static Values buildAt(KernelBuilder &b, ReduceOp op, Buffers in,
                      ValueRange at) {
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
    wide = getSumType(type);
  else if (kind == ReduceKind::Mean)
    wide = IntegerType::get(b.getContext(), 64,
                            type.isUnsignedInteger() ? IntegerType::Unsigned
                                                     : IntegerType::Signless);
  auto combine = [&](Value a, Value c) { return b.combine(kind, wide, a, c); };
  Value value =
      b.reduce(spans, b.identity(kind, wide), combine, [&](ValueRange inner) {
        Values from;
        size_t kept = 0, reduced = 0;
        for (int64_t dim = 0; dim < in[0].getRank(); ++dim) {
          bool isReduced = llvm::is_contained(axes, dim);
          from.push_back(isReduced ? inner[reduced++] : at[kept]);
          if (!isReduced || op.getKeepdims())
            ++kept;
        }
        return b.convert(in[0].load(b, from), type, wide);
      });
  if (kind == ReduceKind::Mean && (count > 0 || isa<FloatType>(wide)))
    value = b.div(wide, value, b.constant(wide, count));
  return {b.convert(value, wide, type)};
}

static Values buildAt(KernelBuilder &b, ArgReduceOp op, Buffers in,
                      ValueRange at) {
  int64_t axis = op.getNormalizedAxis();
  Type type = in[0].getElement();
  auto loadAt = [&](Value i) {
    if (!op.getKeepdims())
      return in[0].load(b, insertAxis(at, axis, i));
    Values from = llvm::to_vector(at);
    from[axis] = i;
    return in[0].load(b, from);
  };
  bool isMax = op.getKind() == ArgReduceKind::Max;
  Value first = b.index(0);
  Values best =
      b.loop(b.index(1), b.index(in[0].getDim(axis)), {loadAt(first), first},
             [&](Value i, ValueRange best) {
               Value value = loadAt(i);
               Value low = isMax ? best[0] : value,
                     high = isMax ? value : best[0];
               Value better =
                   op.getSelectLastIndex()
                       ? b.compare(type, arith::CmpIPredicate::sle, low, high)
                       : b.compare(type, arith::CmpIPredicate::slt, low, high);
               return Values{b.select(better, value, best[0]),
                             b.select(better, i, best[1])};
             });
  return {arith::IndexCastOp::create(b, b.getI64Type(), best[1])};
}

//===----------------------------------------------------------------------===//
// CumsumOp
//===----------------------------------------------------------------------===//

/// The shape without the axis: each place is a sum of its own.
static SmallVector<int64_t> getOuter(CumsumOp op) {
  return dropAxis(cast<RankedTensorType>(op.getType()).getShape(),
                  *op.getNormalizedAxis());
}

static void emitAt(KernelBuilder &b, CumsumOp op, Buffers in, Buffers out,
                   ValueRange outer) {
  int64_t axis = *op.getNormalizedAxis(), size = in[0].getDim(axis);
  Type type = in[0].getElement(), wide = getSumType(type);
  b.loop(b.index(0), b.index(size), {b.zero(wide)},
         [&](Value step, ValueRange carried) {
           Value place =
               op.getReverse() ? b.sub(b.index(size - 1), step) : step;
           Values at = insertAxis(outer, axis, place);
           Value value = b.convert(in[0].load(b, at), type, wide);
           Value sum = b.add(carried[0], value);
           Value shown = op.getExclusive() ? Value(carried[0]) : sum;
           out[0].store(b, b.convert(shown, wide, type), at);
           return Values{sum};
         });
}

//===----------------------------------------------------------------------===//
// LrnOp
//===----------------------------------------------------------------------===//

static Values buildAt(KernelBuilder &b, LrnOp op, Buffers in, ValueRange at) {
  Type type = in[0].getElement(), wide = getSumType(type);
  int64_t size = op.getSize(), channels = in[0].getShape().back();
  int64_t before = (size - 1) / 2, after = size - 1 - before;
  Span around{-1, b.maxIndex(b.add(at.back(), -before), b.index(0)),
              b.minIndex(b.add(at.back(), after + 1), b.index(channels))};
  auto loadAt = [&](Value channel) {
    Values from = llvm::to_vector(at);
    from.back() = channel;
    return b.convert(in[0].load(b, from), type, wide);
  };
  Value sum = b.sum(around, wide, [&](ValueRange i) {
    Value value = loadAt(i[0]);
    return b.mul(value, value);
  });
  double alpha = op.getAlpha().convertToDouble() / static_cast<double>(size);
  Value base = b.add(b.constant(wide, op.getBias().convertToDouble()),
                     b.mul(b.constant(wide, alpha), sum));
  Value power = b.make<math::PowFOp>(
      base, b.constant(wide, op.getBeta().convertToDouble()));
  return {b.convert(b.div(wide, loadAt(at.back()), power), wide, type)};
}

void brisk::addReductionLoops(LoopTable &table) {
  table.on<ReduceOp>(buildAt);
  table.on<ArgReduceOp>(buildAt);
  table.on<CumsumOp>(getOuter, emitAt).axis = [](Operation *op) {
    return *cast<CumsumOp>(op).getNormalizedAxis();
  };
  table.on<LrnOp>(buildAt);
}
