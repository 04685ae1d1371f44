//===- Softmax.cpp - Softmax along rows -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax and log-softmax: the maximum, the sum of exponentials, the results.
// Along the innermost dimension in vectors, along others element by element.
// What lines of moderate length hold between the passes stays in scratch
// memory; longer ones are computed anew. A line is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "RowMatch.h"
#include "RowReduction.h"
#include "brisk/Kernels/Families.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace brisk;

namespace {
/// What is normalized by itself: `count` lines of `size` elements.
struct Lines {
  explicit Lines(SoftmaxOp op)
      : wide(getSumType(op.getType().getElementType())) {
    ArrayRef<int64_t> shape = op.getType().getShape();
    int64_t axis = op.getNormalizedAxis();
    size = shape[axis];
    outer = llvm::product_of(shape.take_front(axis));
    columns = shape.back();
    if (axis + 1 < op.getType().getRank())
      step = llvm::product_of(shape.drop_front(axis + 1).drop_back());
    count = outer * (step ? step * columns : 1);
  }

  /// The row in which a line begins, and its column where lines are no rows.
  std::pair<Value, Value> getStart(KernelBuilder &b, Value line) const {
    if (!step)
      return {line, Value()};
    Values at = delinearize(b, line, {outer, step, columns});
    return {b.add(b.mul(at[0], size * step), at[1]), at[2]};
  }

  /// The row and column of elements of the line that begins at `start`.
  std::pair<Value, Value>
  getPlace(KernelBuilder &b, std::pair<Value, Value> start, Columns at) const {
    if (!step)
      return {start.first, at.start};
    return {b.add(start.first, b.mul(at.start, step)), start.second};
  }

  /// The type to compute in.
  Type wide;
  int64_t size, outer, columns, count;
  /// Rows from an element of a line to the next; 0 where lines are rows.
  int64_t step = 0;
};

class SoftmaxMatch : public RowMatch<SoftmaxScheduleAttr> {
public:
  SoftmaxMatch(const GroupView &view, SoftmaxOp softmax, const Lines &lines)
      : RowMatch(view, lines.count, lines.size, /*perTask=*/2048),
        softmax(softmax), lines(lines) {}

  double getCycles(ScheduleAttr) override {
    double perCycle = lines.step ? isa.operationsPerCycle
                                 : isa.getElementsPerCycle(lines.wide);
    // A line costs three horizontal chains besides its vectors.
    return lines.count * 60.0 + countFlops(group) / perCycle +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  int64_t getScratch(ScheduleAttr) override {
    bool keeps = !softmax.getLog() || !isGroupInput(softmax.getInput());
    return keeps && RowBuffer::isNear(lines.size, lines.wide)
               ? RowBuffer::getBytes(lines.size, lines.wide)
               : 0;
  }

  bool canRunInPlace(unsigned, unsigned) override { return true; }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    Type element = softmax.getType().getElementType(), wide = lines.wide;
    int64_t size = lines.size;
    int64_t lanes = lines.step ? 0 : getColumnLanes(b.isa, wide, size);
    Epilogue epilogue(group, softmax, ins, outs);
    RowBuffer buffer(b, size, wide);
    bool log = softmax.getLog();
    bool computed = !isGroupInput(softmax.getInput());
    forPieces([&](Value line) {
      std::pair<Value, Value> start = lines.getStart(b, line);
      // The operand, from the buffer once it is there.
      bool buffered = false;
      auto load = [&](Columns at) {
        if (buffered)
          return buffer.load(b, at);
        auto [row, column] = lines.getPlace(b, start, at);
        return b.convert(epilogue.evaluate(b, softmax.getInput(), row, column,
                                           at.lanes, at.mask),
                         element, wide);
      };
      Value most = RowReduction(b, ReduceKind::Max, wide, size, lanes)
                       .reduce([&](Columns at) {
                         Value x = load(at);
                         if (computed && buffer)
                           buffer.store(b, x, at);
                         return x;
                       });
      buffered = computed && buffer;
      auto shift = [&](Columns at) -> Value {
        Value x = load(at);
        return b.sub(x, b.broadcast(most, x.getType()));
      };
      bool keepsPowers = !log && buffer;
      Value sum = RowReduction(b, ReduceKind::Sum, wide, size, lanes)
                      .reduce([&](Columns at) -> Value {
                        Value power = b.make<math::ExpOp>(shift(at));
                        if (keepsPowers)
                          buffer.store(b, power, at);
                        return power;
                      });
      Value last =
          log ? b.make<math::LogOp>(sum) : b.div(b.constant(wide, 1), sum);
      // No column twice: the result may take an operand's place.
      forColumns(b, size, lanes, /*mayRepeat=*/false, [&](Columns at) {
        Value x = keepsPowers ? buffer.load(b, at) : shift(at);
        Value scale = b.broadcast(last, x.getType());
        if (log)
          x = b.sub(x, scale);
        else if (keepsPowers)
          x = b.mul(x, scale);
        else
          x = b.mul(b.make<math::ExpOp>(x), scale);
        auto [row, column] = lines.getPlace(b, start, at);
        epilogue.emit(b, b.convert(x, wide, element), row, column, at.lanes,
                      at.mask);
      });
    });
  }

private:
  SoftmaxOp softmax;
  Lines lines;
};
} // namespace

MatchPtr brisk::matchSoftmax(GroupView &view) {
  auto softmax = dyn_cast_or_null<SoftmaxOp>(view.getAnchor());
  if (!softmax || softmax.getType().getRank() == 0)
    return view.refuse("has no softmax");
  return std::make_unique<SoftmaxMatch>(view, softmax, Lines(softmax));
}
