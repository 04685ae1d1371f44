//===- TopK.cpp - Loops of top_k ------------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

/// x < y, with NaN above all else, as NumPy sorts.
static Value isBelow(KernelBuilder &b, Type type, Value x, Value y) {
  Value isNumber = b.compare(type, arith::CmpIPredicate::eq, x, x);
  Value no = b.constant(b.getI1Type(), 0);
  return b.select(b.compare(type, arith::CmpIPredicate::sle, y, x), no,
                  isNumber);
}

/// Each place there is a list of its own.
static SmallVector<int64_t> getOuter(TopKOp op) {
  return dropAxis(cast<RankedTensorType>(op.getInput().getType()).getShape(),
                  op.getNormalizedAxis());
}

namespace {
/// A list's best elements so far, in the results: a heap with the worst first.
/// Equal ones are the better the earlier they come.
class Heap {
public:
  struct Entry {
    Value value, index;
  };

  Heap(KernelBuilder &b, TopKOp op, Buffers out, ValueRange list)
      : b(b), axis(op.getNormalizedAxis()), largest(op.getLargest()), out(out),
        list(list) {}

  /// The indices of a place in the list.
  Values at(Value place) const { return insertAxis(list, axis, place); }
  Entry load(Value place) const {
    return {out[0].load(b, at(place)), out[1].load(b, at(place))};
  }
  void store(Entry entry, Value place) const {
    out[0].store(b, entry.value, at(place));
    out[1].store(b, entry.index, at(place));
  }

  /// True if `x` is the worse by its value alone.
  Value hasWorseValue(Value x, Value y) const {
    Type type = out[0].getElement();
    return largest ? isBelow(b, type, x, y) : isBelow(b, type, y, x);
  }
  Value isWorse(Entry x, Entry y) const {
    Value worse = hasWorseValue(x.value, y.value);
    Value better = hasWorseValue(y.value, x.value);
    Value later = b.compare(arith::CmpIPredicate::sgt, x.index, y.index);
    Value differ = arith::XOrIOp::create(b, worse, better);
    return b.select(differ, worse, later);
  }

  /// Puts `entry` into the heap of `size` entries, from whose place `hole` one
  /// was taken: what is worse moves up.
  void sift(Entry entry, Value hole, Value size) const {
    Type index = b.getIndexType();
    auto loop =
        scf::WhileOp::create(b, TypeRange{index, index}, ValueRange(hole));
    {
      OpBuilder::InsertionGuard guard(b);
      Block *before = b.createBlock(&loop.getBefore(), {}, index, b.getLoc());
      Value place = before->getArgument(0);
      Value left = b.add(b.mul(place, 2), 1);
      Value right = b.add(left, 1);
      auto isIn = [&](Value child) {
        return b.compare(arith::CmpIPredicate::slt, child, size);
      };
      Values next = b.ifElse(
          isIn(left), TypeRange{b.getI1Type(), index},
          [&] {
            Values child = b.ifElse(
                isIn(right), index,
                [&] {
                  Entry first = load(left), second = load(right);
                  return Values{b.select(isWorse(second, first), right, left)};
                },
                [&] { return Values{left}; });
            return Values{isWorse(load(child[0]), entry), child[0]};
          },
          [&] { return Values{b.constant(b.getI1Type(), 0), left}; });
      scf::ConditionOp::create(b, next[0], ValueRange{place, next[1]});
      Block *after = b.createBlock(&loop.getAfter(), {}, {index, index},
                                   {b.getLoc(), b.getLoc()});
      store(load(after->getArgument(1)), after->getArgument(0));
      scf::YieldOp::create(b, ValueRange(after->getArgument(1)));
    }
    store(entry, loop.getResult(0));
  }

private:
  KernelBuilder &b;
  int64_t axis;
  bool largest;
  Buffers out;
  ValueRange list;
};
} // namespace

/// Fills a heap with the first elements, replaces its worst by each better one
/// that follows, then takes the worst out one by one, from the back.
static void emitAt(KernelBuilder &b, TopKOp op, Buffers in, Buffers out,
                   ValueRange list) {
  int64_t axis = op.getNormalizedAxis();
  int64_t k = out[0].getDim(axis), size = in[0].getDim(axis);
  if (k == 0)
    return;
  Heap heap(b, op, out, list);
  Value zero = b.index(0), count = b.index(k);
  auto take = [&](Value i) {
    Value index = arith::IndexCastOp::create(b, b.getI64Type(), i);
    return Heap::Entry{in[0].load(b, heap.at(i)), index};
  };
  b.loop(zero, count, [&](Value i) { heap.store(take(i), i); });
  b.loop(zero, b.index(k / 2), [&](Value i) {
    Value place = b.sub(b.index(k / 2 - 1), i);
    heap.sift(heap.load(place), place, count);
  });
  b.loop(count, b.index(size), [&](Value i) {
    Heap::Entry entry = take(i);
    Value worst = out[0].load(b, heap.at(zero));
    b.ifThen(heap.hasWorseValue(worst, entry.value),
             [&] { heap.sift(entry, zero, count); });
  });
  b.loop(zero, b.index(k - 1), [&](Value i) {
    Value last = b.sub(b.index(k - 1), i);
    Heap::Entry worst = heap.load(zero), entry = heap.load(last);
    heap.sift(entry, zero, last);
    heap.store(worst, last);
  });
}

void brisk::addTopKLoops(LoopTable &table) {
  table.on<TopKOp>(getOuter, emitAt).axis = [](Operation *op) {
    return cast<TopKOp>(op).getNormalizedAxis();
  };
}
