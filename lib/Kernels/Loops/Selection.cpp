//===- Selection.cpp - Loops of compact and non_max_suppression -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

#include <limits>

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// compact
//===----------------------------------------------------------------------===//

/// Each place there is a row of its own.
static SmallVector<int64_t> getOuter(CompactOp op) {
  auto shape = cast<RankedTensorType>(op.getInput().getType()).getShape();
  return SmallVector<int64_t>(shape.drop_back());
}

static void emitAt(KernelBuilder &b, CompactOp, Buffers in, Buffers out,
                   ValueRange row) {
  Value zero = b.index(0), size = b.index(in[0].getShape().back());
  auto isKept = [&](Value place) {
    Value flag = in[1].load(b, join(row, place));
    return b.compare(arith::CmpIPredicate::ne, flag, b.zero(flag.getType()));
  };
  Value count =
      b.loop(zero, size, zero, [&](Value place, ValueRange carried) -> Values {
         Value next = carried.front();
         return b.ifElse(
             isKept(place), next.getType(),
             [&]() -> Values {
               out[0].store(b, in[0].load(b, join(row, place)),
                            join(row, next));
               return {b.add(next, 1)};
             },
             [&]() -> Values { return {next}; });
       }).front();
  b.loop(count, size, [&](Value place) {
    out[0].store(b, b.zero(getValueType(out[0].getElement())),
                 join(row, place));
  });
  out[1].store(b, arith::IndexCastOp::create(b, b.getI64Type(), count), row);
}

//===----------------------------------------------------------------------===//
// non_max_suppression
//===----------------------------------------------------------------------===//

/// Each place there is a set of boxes of its own.
static SmallVector<int64_t> getOuter(NonMaxSuppressionOp op) {
  auto shape = cast<RankedTensorType>(op.getScores().getType()).getShape();
  return SmallVector<int64_t>(shape.drop_back());
}

namespace {
/// A set of boxes, and those that were taken so far.
class Boxes {
public:
  Boxes(KernelBuilder &b, NonMaxSuppressionOp op, Buffers in, Buffers out,
        ValueRange set)
      : b(b), op(op), in(in), out(out), set(set),
        wide(getSumType(in[0].getElement())) {}

  void take();

private:
  struct Box {
    Value lowX, lowY, highX, highY, area;
  };
  /// The box to take next: its score, and its place, or the number of boxes
  /// where there is none.
  struct Candidate {
    Value score, place;
  };

  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return b.compare(predicate, x, y);
  }
  Value constant(double value) { return b.constant(wide, value); }
  Value loadScore(Value place) {
    return b.convert(in[1].load(b, join(set, place)), in[1].getElement(), wide);
  }
  Box loadBox(Value place);
  Value overlaps(const Box &x, const Box &y);
  Value isSuppressed(Value place, Value count);
  Candidate findNext(Candidate last, Value count);

  KernelBuilder &b;
  NonMaxSuppressionOp op;
  Buffers in, out;
  ValueRange set;
  Type wide;
};
} // namespace

Boxes::Box Boxes::loadBox(Value place) {
  SmallVector<Value, 4> at;
  for (int64_t i = 0; i < 4; ++i)
    at.push_back(b.convert(in[0].load(b, join(set, {place, b.index(i)})),
                           in[0].getElement(), wide));
  auto lower = [&](Value x, Value y) {
    return b.select(compare(arith::CmpFPredicate::OLT, y, x), y, x);
  };
  auto higher = [&](Value x, Value y) {
    return b.select(compare(arith::CmpFPredicate::OGT, y, x), y, x);
  };
  Box box{lower(at[0], at[2]), lower(at[1], at[3]), higher(at[0], at[2]),
          higher(at[1], at[3]), Value()};
  box.area = b.mul(b.sub(box.highX, box.lowX), b.sub(box.highY, box.lowY));
  return box;
}

/// Of boxes without an area, no: the quotient is NaN.
Value Boxes::overlaps(const Box &x, const Box &y) {
  auto getSpan = [&](Value lowX, Value highX, Value lowY, Value highY) {
    Value low =
        b.select(compare(arith::CmpFPredicate::OGT, lowY, lowX), lowY, lowX);
    Value high = b.select(compare(arith::CmpFPredicate::OLT, highY, highX),
                          highY, highX);
    Value span = b.sub(high, low), none = constant(0);
    return b.select(compare(arith::CmpFPredicate::OGT, span, none), span, none);
  };
  Value common = b.mul(getSpan(x.lowX, x.highX, y.lowX, y.highX),
                       getSpan(x.lowY, x.highY, y.lowY, y.highY));
  Value all = b.sub(b.add(x.area, y.area), common);
  return compare(arith::CmpFPredicate::OGT, b.div(common, all),
                 constant(op.getIouThreshold().convertToDouble()));
}

/// Whether one of the `count` boxes taken leaves out the one at `place`.
Value Boxes::isSuppressed(Value place, Value count) {
  Box box = loadBox(place);
  Value no = b.constant(b.getI1Type(), 0);
  return b
      .loop(b.index(0), count, no,
            [&](Value number, ValueRange carried) -> Values {
              Value other = arith::IndexCastOp::create(
                  b, b.getIndexType(), out[0].load(b, join(set, number)));
              Value left = overlaps(box, loadBox(other));
              if (op.getClasses()) {
                Value mine = in[2].load(b, join(set, place)),
                      its = in[2].load(b, join(set, other));
                left = b.logicalAnd(
                    left, b.compare(arith::CmpIPredicate::eq, mine, its));
              }
              return {b.createOrFold<arith::OrIOp>(carried.front(), left)};
            })
      .front();
}

/// The best box that comes after `last` in the order of scores and is not left
/// out.
Boxes::Candidate Boxes::findNext(Candidate last, Value count) {
  Value number = b.index(in[1].getShape().back());
  Value threshold = constant(op.getScoreThreshold().convertToDouble());
  Values best = b.loop(
      b.index(0), number, {threshold, number},
      [&](Value place, ValueRange carried) -> Values {
        Value score = loadScore(place);
        // Of equal scores the first one stays. NaN is larger than nothing.
        Value isBetter = compare(arith::CmpFPredicate::OGT, score, carried[0]);
        Value isLower = compare(arith::CmpFPredicate::OLT, score, last.score);
        Value isLater = b.logicalAnd(
            compare(arith::CmpFPredicate::OEQ, score, last.score),
            b.compare(arith::CmpIPredicate::sgt, place, last.place));
        Value isNext = b.logicalAnd(
            isBetter, b.createOrFold<arith::OrIOp>(isLower, isLater));
        return b.ifElse(
            isNext, carried.getTypes(),
            [&]() -> Values {
              Value left = isSuppressed(place, count);
              return {b.select(left, carried[0], score),
                      b.select(left, carried[1], place)};
            },
            [&]() -> Values { return Values(carried); });
      });
  return {best[0], best[1]};
}

void Boxes::take() {
  Value zero = b.index(0), most = b.index(out[0].getShape().back()),
        number = b.index(in[1].getShape().back());
  // In front of all scores, infinite ones included.
  Values start = {b.constant(wide, std::numeric_limits<double>::infinity()),
                  b.index(-1), zero};
  Values end =
      b.loop(zero, most, start, [&](Value, ValueRange carried) -> Values {
        Candidate last{carried[0], carried[1]};
        Value count = carried[2];
        // Behind the last one there is nothing to look for.
        Value goesOn = b.compare(arith::CmpIPredicate::ne, last.place, number);
        return b.ifElse(
            goesOn, carried.getTypes(),
            [&]() -> Values {
              Candidate next = findNext(last, count);
              Value isFound =
                  b.compare(arith::CmpIPredicate::ne, next.place, number);
              b.ifThen(isFound, [&] {
                out[0].store(
                    b,
                    arith::IndexCastOp::create(b, b.getI64Type(), next.place),
                    join(set, count));
              });
              return {next.score, next.place,
                      b.select(isFound, b.add(count, 1), count)};
            },
            [&]() -> Values { return Values(carried); });
      });
  b.loop(end[2], most, [&](Value place) {
    out[0].store(b, b.constant(b.getI64Type(), APInt(64, -1, true)),
                 join(set, place));
  });
  out[1].store(b, arith::IndexCastOp::create(b, b.getI64Type(), end[2]), set);
}

static void emitAt(KernelBuilder &b, NonMaxSuppressionOp op, Buffers in,
                   Buffers out, ValueRange set) {
  Boxes(b, op, in, out, set).take();
}

void brisk::addSelectionLoops(LoopTable &table) {
  auto last = [](Operation *op) {
    return cast<RankedTensorType>(op->getResult(0).getType()).getRank() - 1;
  };
  table.on<CompactOp>(getOuter, emitAt).axis = last;
  table.on<NonMaxSuppressionOp>(getOuter, emitAt).axis = last;
}
