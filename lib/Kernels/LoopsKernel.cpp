//===- LoopsKernel.cpp - Groups that no vector kernel covers --- -*- C++
//-*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The anchor's loops write its result into the group's; the elementwise ops
// around it then run over that in place.
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Kernels/Loops.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;

namespace {
class LoopsKernel : public Kernel {
public:
  StringRef getName() const override { return "loops"; }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    Operation *anchor = group.getAnchor();
    if (!anchor || isa<ElementwiseOpInterface>(anchor) || !hasLoops(anchor))
      return;
    // Operands come from outside or are constants: there is no prologue.
    for (Value operand : anchor->getOperands())
      if (!isa<BlockArgument>(operand) && !operand.getDefiningOp<ConstantOp>())
        return;
    bool withEpilogue = hasEpilogue(group, anchor);
    if (withEpilogue &&
        (anchor->getNumResults() != 1 || group.getYielded().size() != 1 ||
         group.getYielded().front().getType() !=
             anchor->getResult(0).getType()))
      return;
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName()));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    // Scalar code: a result an iteration, with its index arithmetic.
    constexpr double perElement = 10, perFlop = 2;
    double elements = 0;
    for (Value value : group.getYielded())
      elements += cast<RankedTensorType>(value.getType()).getNumElements();
    return perElement * elements + perFlop * countFlops(group) +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    Operation *anchor = group.getAnchor();
    return hasEpilogue(group, anchor) ? 1 : getLoopTasks(anchor);
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    Operation *anchor = group.getAnchor();
    SmallVector<Value> inputs, outputs;
    for (Value operand : anchor->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      inputs.push_back(argument ? ins[argument.getArgNumber()] : Value());
    }
    for (Value result : anchor->getResults())
      outputs.push_back(findOut(group, result, outs));
    bool withEpilogue = hasEpilogue(group, anchor);
    if (withEpilogue) {
      // One task: its iterations are all of the anchor's.
      begin = b.index(0);
      end = b.index(getLoopTasks(anchor));
    }
    if (failed(emitLoops(b, anchor, inputs, outputs, begin, end)))
      return failure();
    if (!withEpilogue)
      return success();
    auto type = cast<RankedTensorType>(anchor->getResult(0).getType());
    if (type.getNumElements() == 0)
      return success();
    Epilogue epilogue(group, anchor, ins, outs);
    int64_t columns = type.getRank() ? type.getShape().back() : 1;
    int64_t rows = type.getNumElements() / columns;
    ArrayRef<int64_t> shape = type.getShape();
    b.loop(b.index(0), b.index(rows), 1, [&](Value row) {
      SmallVector<Value> at;
      if (type.getRank())
        at = delinearize(b, row, shape.drop_back());
      b.loop(b.index(0), b.index(columns), 1, [&](Value column) {
        SmallVector<Value> indices(at);
        if (type.getRank())
          indices.push_back(column);
        Value value = b.load(type.getElementType(), outs.front(), indices, 0);
        epilogue.emit(b, value, row, column, 0);
      });
    });
    return success();
  }

private:
  static bool hasEpilogue(GroupOp group, Operation *anchor) {
    return llvm::any_of(group.getYielded(), [&](Value value) {
      return value.getDefiningOp() != anchor;
    });
  }

  /// The buffer of a result; null if the group does not yield it.
  static Value findOut(GroupOp group, Value result, ValueRange outs) {
    for (auto [yielded, out] : llvm::zip_equal(group.getYielded(), outs))
      if (yielded == result)
        return out;
    return outs.size() == 1 && group.getAnchor()->getNumResults() == 1
               ? outs.front()
               : Value();
  }
};
} // namespace

const Kernel &brisk::getLoopsKernel() {
  static const LoopsKernel kernel;
  return kernel;
}
