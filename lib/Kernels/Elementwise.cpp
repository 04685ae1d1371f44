//===- Elementwise.cpp - Groups of elementwise ops --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sweep over the result, a vector of the innermost dimension at a time.
// Schedule: `chunk`, the elements that a task computes.
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class ElementwiseKernel : public Kernel {
public:
  StringRef getName() const override { return "elementwise"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"chunk"}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    for (Operation &op : group.getBlock()->without_terminator())
      if (!llvm::isa<ElementwiseOpInterface, ConstantOp>(op))
        return;
    ArrayRef<int64_t> shape = getShape(group);
    for (Value value : group.getYielded())
      if (cast<RankedTensorType>(value.getType()).getShape() != shape)
        return;
    schedules.push_back(
        ScheduleAttr::make(group.getContext(), getName(), {{"chunk", 8192}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    double bytes = countBytes(group), flops = countFlops(group);
    Type f32 = Float32Type::get(group.getContext());
    return bytes / isa.memoryBytesPerCycle +
           flops / isa.getElementsPerCycle(f32);
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    auto [rows, columns] = getRowsAndColumns(group);
    auto [taskRows, taskColumns] = getTaskSize(group);
    return std::max<int64_t>(1, llvm::divideCeil(rows, taskRows) *
                                    llvm::divideCeil(columns, taskColumns));
  }

  bool canRunInPlace(GroupOp, unsigned, unsigned) const override {
    return true;
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto [rows, columns] = getRowsAndColumns(group);
    if (rows * columns == 0)
      return success();
    auto [taskRows, taskColumns] = getTaskSize(group);
    Epilogue epilogue(group, nullptr, ins, outs);
    int64_t lanes = getVectorLanes(group, b.isa, columns);
    auto emitRow = [&, columns = columns](Value row, Value from, Value to,
                                          bool whole) {
      if (lanes == 0) {
        b.loop(from, to, 1,
               [&](Value column) { epilogue.emit(b, {}, row, column, 0); });
        return;
      }
      int64_t full = columns / lanes * lanes;
      Value fullEnd = whole ? b.index(full)
                            : b.createOrFold<arith::MinUIOp>(to, b.index(full));
      b.loop(from, fullEnd, lanes,
             [&](Value column) { epilogue.emit(b, {}, row, column, lanes); });
      if (full == columns)
        return;
      auto emitTail = [&] {
        epilogue.emit(b, {}, row, b.index(full), lanes,
                      b.mask(lanes, columns - full));
      };
      if (whole) {
        emitTail();
        return;
      }
      Value last = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, to,
                                         b.index(full));
      auto branch = scf::IfOp::create(b, last, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      emitTail();
    };
    b.loop(begin, end, 1,
           [&, rows = rows, columns = columns, taskRows = taskRows,
            taskColumns = taskColumns](Value task) {
             if (taskColumns < columns) {
               // Rows too long for a task: one task is a piece of one row.
               int64_t pieces = llvm::divideCeil(columns, taskColumns);
               SmallVector<Value> at = delinearize(b, task, {rows, pieces});
               Value from = b.mul(at[1], taskColumns);
               Value to = b.createOrFold<arith::MinUIOp>(
                   b.add(from, taskColumns), b.index(columns));
               emitRow(at[0], from, to, false);
               return;
             }
             Value from = b.mul(task, taskRows);
             Value to = b.createOrFold<arith::MinUIOp>(b.add(from, taskRows),
                                                       b.index(rows));
             b.loop(from, to, 1, [&](Value row) {
               emitRow(row, b.index(0), b.index(columns), true);
             });
           });
    return success();
  }

private:
  static ArrayRef<int64_t> getShape(GroupOp group) {
    return cast<RankedTensorType>(group.getYielded().front().getType())
        .getShape();
  }

  static std::pair<int64_t, int64_t> getRowsAndColumns(GroupOp group) {
    ArrayRef<int64_t> shape = getShape(group);
    if (shape.empty())
      return {1, 1};
    int64_t rows = 1;
    for (int64_t dim : shape.drop_back())
      rows *= dim;
    return {rows, shape.back()};
  }

  static std::pair<int64_t, int64_t> getTaskSize(GroupOp group) {
    int64_t chunk = group.getScheduleAttr().getInt("chunk");
    int64_t columns = std::max<int64_t>(1, getRowsAndColumns(group).second);
    if (columns > chunk)
      return {1, chunk};
    return {std::max<int64_t>(1, chunk / columns), columns};
  }

  /// Lanes for the widest element type in the group; 0 to compute in scalars.
  static int64_t getVectorLanes(GroupOp group, const Isa &isa,
                                int64_t columns) {
    unsigned bits = 8;
    group.getBlock()->walk([&](Operation *op) {
      for (Type type : llvm::concat<const Type>(op->getOperandTypes(),
                                                op->getResultTypes()))
        bits = std::max(bits, cast<RankedTensorType>(type)
                                  .getElementType()
                                  .getIntOrFloatBitWidth());
    });
    int64_t lanes = isa.vectors.bits / bits;
    return lanes > 1 && columns > 1 ? lanes : 0;
  }
};
} // namespace

const Kernel &brisk::getElementwiseKernel() {
  static const ElementwiseKernel kernel;
  return kernel;
}
