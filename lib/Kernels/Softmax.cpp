//===- Softmax.cpp - Softmax along rows --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax and log-softmax along the innermost dimension: the maximum, the sum
// of exponentials, the results. What rows of moderate length hold between the
// passes stays in a buffer on the stack; longer ones are computed anew.
// A row is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class SoftmaxMatch : public KernelMatch {
public:
  SoftmaxMatch(const GroupView &view, SoftmaxOp softmax)
      : KernelMatch(view), softmax(softmax),
        size(getRowsAndColumns(softmax.getInput())) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    for (int64_t rows : getNumbers(search, 2048 / size.columns))
      schedules.push_back(SoftmaxScheduleAttr::get(group.getContext(), rows));
  }

  double getCycles(ScheduleAttr) override {
    Type f32 = Float32Type::get(group.getContext());
    // A row costs three horizontal chains besides its vectors.
    return size.rows * 60.0 + countFlops(group) / isa.getElementsPerCycle(f32) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  Work getWork(ScheduleAttr schedule) override {
    return {size.rows, cast<SoftmaxScheduleAttr>(schedule).getRows()};
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    int64_t columns = size.columns;
    Type f32 = b.getF32Type();
    int64_t lanes = getColumnLanes(b.isa, f32, columns);
    Epilogue epilogue(group, softmax, ins, outs);
    RowBuffer buffer(b, columns);
    bool log = softmax.getLog();
    bool computed = !isGroupInput(softmax.getInput());
    forPieces([&](Value row) {
      // The operand, from the buffer once it is there.
      bool buffered = false;
      auto load = [&](Columns at) {
        return buffered ? buffer.load(b, at)
                        : epilogue.evaluate(b, softmax.getInput(), row,
                                            at.start, at.lanes, at.mask);
      };
      Value most = RowReduction(b, ReduceKind::Max, columns, lanes)
                       .reduce([&](Columns at) {
                         Value x = load(at);
                         if (computed && buffer)
                           buffer.store(b, x, at);
                         return x;
                       });
      buffered = computed && buffer;
      auto shift = [&](Columns at) -> Value {
        Value x = load(at);
        return arith::SubFOp::create(b, x, b.broadcast(most, x.getType()));
      };
      bool keepsPowers = !log && buffer;
      Value sum = RowReduction(b, ReduceKind::Sum, columns, lanes)
                      .reduce([&](Columns at) -> Value {
                        Value power = math::ExpOp::create(b, shift(at));
                        if (keepsPowers)
                          buffer.store(b, power, at);
                        return power;
                      });
      Value last =
          log ? math::LogOp::create(b, sum).getResult()
              : arith::DivFOp::create(b, b.constant(f32, 1), sum).getResult();
      forColumns(b, columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value x = keepsPowers ? buffer.load(b, at) : shift(at);
        Value scale = b.broadcast(last, x.getType());
        if (log)
          x = arith::SubFOp::create(b, x, scale);
        else if (keepsPowers)
          x = arith::MulFOp::create(b, x, scale);
        else
          x = arith::MulFOp::create(b, math::ExpOp::create(b, x), scale);
        epilogue.emit(b, x, row, at.start, at.lanes, at.mask);
      });
    });
  }

private:
  SoftmaxOp softmax;
  RowsAndColumns size;
};
} // namespace

MatchPtr brisk::matchSoftmax(GroupView &view) {
  auto softmax = dyn_cast_or_null<SoftmaxOp>(view.getAnchor());
  if (!softmax || !isF32(softmax.getResult()))
    return view.refuse("has no softmax of f32");
  ArrayRef<int64_t> shape = softmax.getInput().getType().getShape();
  if (shape.empty() || shape.back() == 0 ||
      softmax.getNormalizedAxis() != static_cast<int64_t>(shape.size()) - 1)
    return view.refuse("has a softmax along other than rows");
  return std::make_unique<SoftmaxMatch>(view, softmax);
}
