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
// Schedule: `rows`, the rows of a task.
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
class SoftmaxKernel : public Kernel {
public:
  StringRef getName() const override { return "softmax"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"rows"}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto softmax = dyn_cast_or_null<SoftmaxOp>(group.getAnchor());
    if (!softmax || !isF32(softmax.getResult()))
      return;
    auto [rows, columns] = getRowsAndColumns(softmax);
    int64_t rank = softmax.getInput().getType().getRank();
    if (rank == 0 || softmax.getNormalizedAxis() != rank - 1 || columns == 0)
      return;
    int64_t taskRows = std::max<int64_t>(1, 2048 / columns);
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                           {{"rows", taskRows}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    auto softmax = cast<SoftmaxOp>(group.getAnchor());
    auto [rows, columns] = getRowsAndColumns(softmax);
    Type f32 = Float32Type::get(group.getContext());
    // A row costs three horizontal chains besides its vectors.
    return rows * 60.0 + countFlops(group) / isa.getElementsPerCycle(f32) +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    int64_t rows = getRowsAndColumns(cast<SoftmaxOp>(group.getAnchor())).first;
    int64_t taskRows = group.getScheduleAttr().getInt("rows");
    return std::max<int64_t>(1, llvm::divideCeil(rows, taskRows));
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto softmax = cast<SoftmaxOp>(group.getAnchor());
    auto [rows, columns] = getRowsAndColumns(softmax);
    if (rows * columns == 0)
      return success();
    Type f32 = b.getF32Type();
    int64_t lanes = getColumnLanes(b.isa, f32, columns);
    Epilogue epilogue(group, softmax, ins, outs);
    RowBuffer buffer(b, columns);
    bool log = softmax.getLog();
    bool computed = !isGroupInput(softmax.getInput());
    int64_t taskRows = group.getScheduleAttr().getInt("rows");

    Value from = b.mul(begin, taskRows);
    Value to =
        b.createOrFold<arith::MinUIOp>(b.mul(end, taskRows), b.index(rows));
    b.loop(from, to, 1, [&, columns = columns](Value row) {
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
    return success();
  }

private:
  static std::pair<int64_t, int64_t> getRowsAndColumns(SoftmaxOp softmax) {
    ArrayRef<int64_t> shape = softmax.getInput().getType().getShape();
    int64_t columns = shape.empty() ? 1 : shape.back();
    int64_t elements = softmax.getInput().getType().getNumElements();
    return {columns ? elements / columns : 0, columns};
  }
};
} // namespace

const Kernel &brisk::getSoftmaxKernel() {
  static const SoftmaxKernel kernel;
  return kernel;
}
