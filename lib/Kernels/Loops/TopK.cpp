//===- TopK.cpp - Loops of top_k --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

/// The result's shape without the axis: each place there is a list of its own.
static SmallVector<int64_t> getLists(TopKOp op) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op.getInput().getType()).getShape());
  shape.erase(shape.begin() + op.getNormalizedAxis());
  return shape;
}

/// x < y, with NaN above all else, as NumPy sorts.
static Value isBelow(LoopBuilder &b, Type type, Value x, Value y) {
  Value isNumber = b.isEqual(type, x, x);
  Value no = b.constant(b.getI1Type(), 0);
  return b.select(b.isLessOrEqual(type, y, x), no, isNumber);
}

int64_t brisk::getTasks(TopKOp op) { return countTasks(getLists(op)); }

/// Inserts each element into the results, which are kept in order: the better
/// first, equal ones as they come. What the last place loses is dropped.
void brisk::emitTasks(LoopBuilder &b, TopKOp op, Buffers in, Buffers out,
                      Value begin, Value end) {
  int64_t axis = op.getNormalizedAxis();
  int64_t k = out[0].getDim(axis), size = in[0].getDim(axis);
  Type type = in[0].getElement();
  if (k == 0)
    return;
  b.taskNest(getLists(op), begin, end, [&](ValueRange list) {
    auto at = [&](Value i) {
      Values indices = llvm::to_vector(list);
      indices.insert(indices.begin() + axis, i);
      return indices;
    };
    b.loop(b.index(0), b.index(size), [&](Value i) {
      Value value = b.load(in[0], at(i));
      Value filled = b.minIndex(i, b.index(k));
      // Moves down what is worse than the element, from the end of the list.
      auto search = scf::WhileOp::create(b, TypeRange(b.getIndexType()),
                                         ValueRange(filled));
      {
        OpBuilder::InsertionGuard guard(b);
        Block *before = b.createBlock(&search.getBefore(), {}, b.getIndexType(),
                                      b.getLoc());
        Value place = before->getArgument(0);
        Value some = b.compare(arith::CmpIPredicate::sgt, place, b.index(0));
        Values worse = b.ifElse(
            some, b.getI1Type(),
            [&] {
              Value last = b.load(out[0], at(b.addIndex(place, -1)));
              return Values{op.getLargest() ? isBelow(b, type, last, value)
                                            : isBelow(b, type, value, last)};
            },
            [&] { return Values{b.constant(b.getI1Type(), 0)}; });
        scf::ConditionOp::create(b, worse[0], ValueRange(place));
        Block *after =
            b.createBlock(&search.getAfter(), {}, b.getIndexType(), b.getLoc());
        place = after->getArgument(0);
        Value above = b.addIndex(place, -1);
        b.ifThen(b.isWithin(place, k), [&] {
          for (const Buffer &buffer : out)
            b.store(b.load(buffer, at(above)), buffer, at(place));
        });
        scf::YieldOp::create(b, ValueRange(above));
      }
      Value place = search.getResult(0);
      b.ifThen(b.isWithin(place, k), [&] {
        b.store(value, out[0], at(place));
        Value index = arith::IndexCastOp::create(b, b.getI64Type(), i);
        b.store(index, out[1], at(place));
      });
    });
  });
}
