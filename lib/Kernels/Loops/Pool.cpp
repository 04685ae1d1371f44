//===- Pool.cpp - Loops of pooling ----------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

Span brisk::getTaps(KernelBuilder &b, const Window &window, size_t dim,
                    Value place) {
  int64_t stride = window.strides[dim], step = window.dilations[dim];
  int64_t pad = window.padBegin[dim], taps = window.kernel[dim];
  if (window.isInside(dim))
    return {taps, {}, {}};
  // First tap at or after 0 and first at or after the end.
  Value start = b.add(b.mul(place, stride), -pad);
  Value begin = b.ceilDiv(b.sub(b.index(0), start), step);
  Value end = b.ceilDiv(b.sub(b.index(window.input[dim]), start), step);
  return {-1, b.maxIndex(begin, b.index(0)), b.minIndex(end, b.index(taps))};
}

Values brisk::getSource(KernelBuilder &b, const Window &window, ValueRange at,
                        ValueRange tap) {
  Values source = llvm::to_vector(at);
  for (size_t dim = 0; dim < window.getRank(); ++dim) {
    Value start =
        b.add(b.mul(at[dim + 1], window.strides[dim]), -window.padBegin[dim]);
    source[dim + 1] = b.add(start, b.mul(tap[dim], window.dilations[dim]));
  }
  return source;
}

namespace {
/// The window of one element of a pool's result.
struct PoolWindow {
  template <typename Op>
  PoolWindow(KernelBuilder &b, Op op, ValueRange at)
      : b(b), window(*op.getWindow()), at(llvm::to_vector(at)) {
    for (size_t dim = 0; dim < window.getRank(); ++dim)
      taps.push_back(getTaps(b, window, dim, at[dim + 1]));
  }

  /// The input's element at a tap.
  Value load(const Buffer &in, ValueRange tap) const {
    return in.load(b, getSource(b, window, at, tap));
  }

  KernelBuilder &b;
  Window window;
  Values at;
  SmallVector<Span> taps;
};
} // namespace

static Values buildAt(KernelBuilder &b, MaxPoolOp op, Buffers in,
                      ValueRange at) {
  PoolWindow pool(b, op, at);
  Type type = in[0].getElement();
  return {b.reduce(
      pool.taps, b.least(type),
      [&](Value a, Value c) { return b.max(type, a, c); },
      [&](ValueRange tap) { return pool.load(in[0], tap); })};
}

static Values buildAt(KernelBuilder &b, MaxPoolWithIndicesOp op, Buffers in,
                      ValueRange at) {
  PoolWindow pool(b, op, at);
  Type type = in[0].getElement();
  Value none = b.index(-1);
  Values best = b.nest(
      pool.taps, {b.least(type), none}, [&](ValueRange tap, ValueRange best) {
        Values source = getSource(b, pool.window, at, tap);
        Value value = in[0].load(b, source);
        // The place in N x C x spatial.
        Value place = b.add(b.mul(source.front(), in[0].getShape().back()),
                            source.back());
        SmallVector<unsigned> order;
        for (size_t dim = 0; dim < pool.window.getRank(); ++dim)
          order.push_back(dim + 1);
        if (op.getStorageOrder())
          std::reverse(order.begin(), order.end());
        for (unsigned dim : order)
          place = b.add(b.mul(place, in[0].getDim(dim)), source[dim]);
        Value better = arith::OrIOp::create(
            b, b.compare(type, arith::CmpIPredicate::slt, best[0], value),
            b.compare(arith::CmpIPredicate::eq, best[1], none));
        return Values{b.select(better, value, best[0]),
                      b.select(better, place, best[1])};
      });
  return {best[0], arith::IndexCastOp::create(b, b.getI64Type(), best[1])};
}

static Values buildAt(KernelBuilder &b, AveragePoolOp op, Buffers in,
                      ValueRange at) {
  PoolWindow pool(b, op, at);
  Type type = in[0].getElement();
  bool isFloat = isa<FloatType>(type);
  Type wide = isFloat ? getSumType(type) : Type(b.getI64Type());
  Value sum = b.sum(pool.taps, wide, [&](ValueRange tap) {
    return b.convert(pool.load(in[0], tap), type, wide);
  });
  // How many elements the mean is over.
  Value count = b.index(1);
  const Window &window = pool.window;
  for (size_t dim = 0; dim < window.getRank(); ++dim) {
    Span taps = pool.taps[dim];
    Value here;
    if (taps.size >= 0) {
      here = b.index(taps.size);
    } else if (op.getCountIncludePad()) {
      Value start =
          b.add(b.mul(at[dim + 1], window.strides[dim]), -window.padBegin[dim]);
      Value bound = b.index(window.input[dim] + window.padEnd[dim]);
      here = b.minIndex(b.ceilDiv(b.sub(bound, start), window.dilations[dim]),
                        b.index(window.kernel[dim]));
    } else {
      here = b.sub(taps.end, taps.begin);
    }
    count = b.mul(count, b.maxIndex(here, b.index(1)));
  }
  count = arith::IndexCastOp::create(b, b.getI64Type(), count);
  Value mean = b.div(wide, sum, b.convert(count, b.getI64Type(), wide));
  return {b.convert(mean, wide, type)};
}

static Values buildAt(KernelBuilder &b, LpPoolOp op, Buffers in,
                      ValueRange at) {
  PoolWindow pool(b, op, at);
  Type type = in[0].getElement(), wide = getSumType(type);
  if (!isa<FloatType>(type))
    wide = b.getF32Type();
  int64_t p = op.getP();
  Value sum = b.sum(pool.taps, wide, [&](ValueRange tap) {
    Value value = b.convert(pool.load(in[0], tap), type, wide);
    if (p == 2)
      return b.mul(value, value);
    value = b.make<math::AbsFOp>(value);
    return p == 1 ? value : b.make<math::PowFOp>(value, b.constant(wide, p));
  });
  if (p == 2)
    sum = b.make<math::SqrtOp>(sum);
  else if (p != 1)
    sum = b.make<math::PowFOp>(sum, b.constant(wide, 1.0 / p));
  if (isa<FloatType>(type))
    return {b.convert(sum, wide, type)};
  return {b.toInteger(sum, getValueType(type), type.isUnsignedInteger())};
}

void brisk::addPoolLoops(LoopTable &table) {
  table.on<MaxPoolOp>(buildAt);
  table.on<MaxPoolWithIndicesOp>(buildAt);
  table.on<AveragePoolOp>(buildAt);
  table.on<LpPoolOp>(buildAt);
}
