//===- Contraction.cpp - The inner loop of products -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

void Contraction::emitStep(KernelBuilder &b, Value k,
                           MutableArrayRef<Value> sums) const {
  Value rhsRow = b.add(rhsBase, b.mul(k, rhsStride));
  Values row;
  for (const ColumnVector &column : columns)
    row.push_back(
        rhs.load(b, b.add(rhsRow, column.offset), column.lanes, column.mask));
  Value lhsColumn = b.add(lhsBase, k);
  for (int64_t r = 0; r < rows; ++r) {
    Value element = lhs.load(b, b.add(lhsColumn, r * rowStride), /*lanes=*/0);
    for (auto [c, value] : llvm::enumerate(row)) {
      Value &sum = sums[r * row.size() + c];
      sum = b.fma(b.broadcast(element, value.getType()), value, sum);
    }
  }
  if (afterStep)
    afterStep(k);
}

Values Contraction::emit(KernelBuilder &b, ValueRange start) const {
  size_t count = start.size();
  Values sums(start);
  if (splitsSums)
    for (int64_t i = 1; i < unroll; ++i)
      for (Value sum : start)
        sums.push_back(b.zero(sum.getType()));
  auto step = [&](Value k, int64_t number, Values &sums) {
    size_t first = splitsSums ? number * count : 0;
    emitStep(b, k, MutableArrayRef(sums).slice(first, count));
  };
  int64_t full = depth / unroll * unroll;
  if (full)
    sums = b.loop(b.index(0), b.index(full), unroll, sums,
                  [&](Value k, ValueRange carried) {
                    Values next(carried);
                    for (int64_t i = 0; i < unroll; ++i)
                      step(b.add(k, i), i, next);
                    return next;
                  });
  for (int64_t k = full; k < depth; ++k)
    step(b.index(k), k - full, sums);
  // By halves, or what comes nearest.
  for (size_t rest = sums.size() / count; rest > 1;
       rest = llvm::divideCeil(rest, 2))
    for (size_t i = 0; i < rest / 2 * count; ++i)
      sums[i] = b.add(sums[i], sums[llvm::divideCeil(rest, 2) * count + i]);
  sums.resize(count);
  return sums;
}
