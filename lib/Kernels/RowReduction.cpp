//===- RowReduction.cpp - Reductions along a row --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

int64_t brisk::getSumBlock(int64_t count) {
  return std::max<int64_t>(
      64, llvm::PowerOf2Ceil(uint64_t(std::sqrt(double(count)))));
}

RowReduction::RowReduction(KernelBuilder &b, ReduceKind kind, Type type,
                           int64_t count, int64_t lanes)
    : b(b), kind(kind), type(type), count(count), lanes(lanes) {
  int64_t width = std::max<int64_t>(lanes, 1);
  vectors = std::clamp<int64_t>(count / width, 1, 4);
  hasScalarTail = lanes && count % lanes && !b.isa.hasMasks();
}

SmallVector<Value> RowReduction::start() {
  Type vector = Columns{{}, lanes, {}}.getType(type);
  SmallVector<Value> accumulators(vectors, b.identity(kind, vector));
  if (hasScalarTail)
    accumulators.push_back(b.identity(kind, type));
  return accumulators;
}

SmallVector<Value> RowReduction::accumulate(ValueRange start, Load load) {
  SmallVector<Value> all(start);
  int64_t width = std::max<int64_t>(lanes, 1), step = vectors * width;
  int64_t full = count / step * step;
  auto addVectors = [&](Value column, int64_t number,
                        MutableArrayRef<Value> sums) {
    for (int64_t i = 0; i < number; ++i)
      sums[i] = b.combine(kind, type, sums[i],
                          load({b.add(column, i * width), lanes, {}}));
  };
  if (full == step) {
    addVectors(b.index(0), vectors, all);
  } else if (full) {
    auto addRange = [&](Value from, Value to, ArrayRef<Value> sums) {
      return b.loop(from, to, step, sums,
                    [&](Value column, ValueRange carried) {
                      SmallVector<Value> next(carried);
                      addVectors(column, vectors, next);
                      return next;
                    });
    };
    bool rounds = kind != ReduceKind::Max && kind != ReduceKind::Min;
    int64_t block = step * getSumBlock(full / step);
    int64_t inBlocks = rounds && full >= 2 * block ? full / block * block : 0;
    SmallVector<Value> sums(ArrayRef(all).take_front(vectors));
    if (inBlocks)
      sums = b.loop(b.index(0), b.index(inBlocks), block, sums,
                    [&](Value column, ValueRange carried) {
                      SmallVector<Value> fresh = this->start();
                      fresh.resize(vectors);
                      SmallVector<Value> next =
                          addRange(column, b.add(column, block), fresh);
                      for (auto [sum, total] : llvm::zip_equal(next, carried))
                        sum = b.combine(kind, type, total, sum);
                      return next;
                    });
    if (inBlocks < full)
      sums = addRange(b.index(inBlocks), b.index(full), sums);
    llvm::copy(sums, all.begin());
  }
  int64_t rest = (count - full) / width;
  addVectors(b.index(full), rest, all);
  full += rest * width;
  if (full == count)
    return all;
  if (!hasScalarTail) {
    Value mask = b.mask(lanes, count - full);
    Value value = load({b.index(full), lanes, mask});
    Value identity = b.identity(kind, value.getType());
    value = b.select(mask, value, identity);
    all[0] = b.combine(kind, type, all[0], value);
    return all;
  }
  all.back() = b.loop(b.index(full), b.index(count), 1, all.back(),
                      [&](Value column, ValueRange carried) {
                        return SmallVector<Value>{b.combine(
                            kind, type, carried[0], load({column, 0, {}}))};
                      })[0];
  return all;
}

Value RowReduction::finish(ValueRange accumulators) {
  SmallVector<Value> sums(accumulators.take_front(vectors));
  for (size_t distance = 1; distance < sums.size(); distance *= 2)
    for (size_t i = 0; i + distance < sums.size(); i += 2 * distance)
      sums[i] = b.combine(kind, type, sums[i], sums[i + distance]);
  Value result = sums[0];
  // Halves, so that the order of operations is the same on every target.
  for (int64_t width = lanes; width > 1; width /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < width / 2; ++i) {
      low.push_back(i);
      high.push_back(i + width / 2);
    }
    Value lower = vector::ShuffleOp::create(b, result, result, low);
    Value upper = vector::ShuffleOp::create(b, result, result, high);
    result = b.combine(kind, type, lower, upper);
  }
  if (lanes)
    result = vector::ExtractOp::create(b, result, ArrayRef<int64_t>{0});
  if (hasScalarTail)
    result = b.combine(kind, type, result, accumulators.back());
  return result;
}
