//===- LoopsKernel.cpp - The family of plain loops ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs any op that brisk/Kernels/Loops.h knows, scalar by scalar: for what no
// family of vector kernels fits.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Kernels/Loops.h"

using namespace mlir;
using namespace brisk;

/// The indices of a place as row and column (see Epilogue).
static std::pair<Value, Value>
getRowAndColumn(KernelBuilder &b, ArrayRef<int64_t> shape, ValueRange at) {
  if (at.empty())
    return {b.index(0), b.index(0)};
  Value row = b.index(0);
  for (auto [dim, i] : llvm::zip_equal(shape.drop_back(), at.drop_back()))
    row = b.add(b.mul(row, dim), i);
  return {row, at.back()};
}

/// True if the group yields anything but the anchor's results in order.
static bool hasEpilogue(GroupOp group) {
  ValueRange results = group.getAnchor()->getResults();
  return !llvm::equal(results, group.getYielded());
}

namespace {
class LoopsMatch : public KernelMatch {
public:
  explicit LoopsMatch(const GroupView &view)
      : KernelMatch(view), anchor(view.getAnchor()) {}

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    schedules.push_back(LoopsScheduleAttr::get(group.getContext()));
  }

  double getCycles(ScheduleAttr) override {
    // Scalar code: a result an iteration, with its index arithmetic.
    constexpr double perElement = 10;
    double perFlop = isa.singleIssue ? 6 : 2;
    double elements = 0;
    for (Value value : group.getYielded())
      elements += static_cast<double>(
          cast<RankedTensorType>(value.getType()).getNumElements());
    return perElement * elements +
           perFlop * static_cast<double>(countFlops(group)) +
           static_cast<double>(getTraffic()) / isa.memoryBytesPerCycle;
  }

  bool takesSplats() override { return true; }

  Work getWork(ScheduleAttr) override { return {getTasks()}; }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    Epilogue epilogue(group, anchor, ins, outs);
    SmallVector<Value> buffers;
    LoopFusion fusion;
    for (Value operand : anchor->getOperands())
      buffers.push_back(isGroupInput(operand) ? getBuffer(ins, operand)
                                              : Value());
    fusion.load = [&](KernelBuilder &b, unsigned number, ValueRange at) {
      Value operand = anchor->getOperand(number);
      auto [row, column] = getRowAndColumn(b, getShape(operand), at);
      return epilogue.evaluate(b, operand, row, column, /*lanes=*/0);
    };
    auto emitLoop = [&](Value task) {
      emitLoops(b, anchor, buffers, outs, task, fusion);
    };
    if (!hasEpilogue(group))
      return forPieces(emitLoop);
    Value result = anchor->getResult(0);
    ArrayRef<int64_t> shape = getShape(result);
    if (isElementByElement(anchor)) {
      fusion.store = [&](KernelBuilder &b, ValueRange values, ValueRange at) {
        auto [row, column] = getRowAndColumn(b, shape, at);
        epilogue.emit(b, values.front(), row, column, /*lanes=*/0);
      };
      return forPieces(emitLoop);
    }
    // The op's result, then the rest over it: what each task has written, or
    // all.
    int64_t tasks = getTasks();
    int64_t loopTasks = getLoopTasks(anchor) / tasks;
    ArrayRef<int64_t> outer;
    while (outer.size() < shape.size() && llvm::product_of(outer) < tasks)
      outer = shape.take_front(outer.size() + 1);
    Type element = cast<RankedTensorType>(result.getType()).getElementType();
    forPieces([&](Value task) {
      Value first = b.mul(task, loopTasks);
      b.loop(first, b.add(first, loopTasks), 1, emitLoop);
      auto place = [&](ValueRange at) {
        auto [row, column] = getRowAndColumn(b, shape, at);
        Value value = b.load(element, outs.front(), at, /*lanes=*/0);
        epilogue.emit(b, value, row, column, /*lanes=*/0);
      };
      b.nest(shape, place, delinearize(b, task, outer));
    });
  }

private:
  int64_t getTasks() {
    if (hasEpilogue(group) && !isElementByElement(anchor) &&
        !writesInOrder(anchor))
      return 1;
    return getLoopTasks(anchor);
  }

  Operation *anchor;
};
} // namespace

MatchPtr brisk::matchLoops(GroupView &view) {
  GroupOp group = view.getGroup();
  Operation *anchor = view.getAnchor();
  if (!anchor || !hasLoops(anchor))
    return view.refuse("has no op that has loops");
  for (Operation &op : group.getBlock()->without_terminator())
    if (&op != anchor && !isa<ElementwiseOpInterface, ConstantOp>(op))
      return view.refuse("has two ops that are not elementwise");
  for (OpOperand &operand : anchor->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && operand.getOperandNumber() > 0 &&
        !isa<ConstantOp>(producer))
      return view.refuse("computes more than its op's first operand");
  }
  if (hasEpilogue(group)) {
    if (anchor->getNumResults() > 1)
      return view.refuse("has ops behind an op of several results");
    Type type = anchor->getResult(0).getType();
    for (Value value : group.getYielded())
      if (getShape(value) != getShape(anchor->getResult(0)))
        return view.refuse("has results of several shapes");
    // Other ops read their results back.
    if (!isElementByElement(anchor) &&
        (group.getYielded().size() != 1 ||
         group.getYielded().front().getType() != type))
      return view.refuse("has results of other types than its op's");
  }
  return std::make_unique<LoopsMatch>(view);
}
