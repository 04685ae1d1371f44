//===- Loops.cpp - Ops as plain loops --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Loops.h"
#include "LoopOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

namespace {
template <typename... Ops> struct OpList {
  static bool contains(Operation *op) { return isa<Ops...>(op); }
};
/// Ops with a `buildAt`.
using ElementOps =
    OpList<ExpandOp, FillOp, PadOp, RangeOp, SliceOp, TileOp, TransposeOp,
           GatherElementsOp, OneHotOp, ReverseSequenceOp, TriluOp, ResizeOp,
           MaxPoolOp, AveragePoolOp, LpPoolOp, MaxPoolWithIndicesOp, EinsumOp,
           ReduceOp, ArgReduceOp, LrnOp>;
/// Ops with an `emitTask`.
using TaskOps =
    OpList<ConcatOp, GatherOp, GatherNdOp, ScatterElementsOp, ScatterNdOp,
           TopKOp, ConvOp, ConvTransposeOp, MatmulOp, CumsumOp>;

/// Calls `function` with the op as what it is.
template <typename Function, typename... Ops>
void withOp(Operation *op, OpList<Ops...>, Function &&function) {
  ((isa<Ops>(op) ? function(cast<Ops>(op)) : void()), ...);
}
} // namespace

bool brisk::hasLoops(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return (ElementOps::contains(op) || TaskOps::contains(op)) &&
         llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic) &&
         cast<ComputeOpInterface>(op).hasKnownParameters();
}

int64_t brisk::getLoopTasks(Operation *op) {
  int64_t tasks =
      countTasks(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  withOp(op, TaskOps(), [&](auto op) { tasks = getTasks(op); });
  return std::max<int64_t>(tasks, 1);
}

bool brisk::writesInOrder(Operation *op) {
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  // Tasks are lists along an axis: rows of what is before it, unless they are
  // cut further.
  auto hasRowsBefore = [&](int64_t axis) {
    return getLoopTasks(op) == countTasks(shape.take_front(axis));
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ConcatOp, GatherOp, GatherNdOp, ConvOp, ConvTransposeOp, MatmulOp>(
          [](auto) { return true; })
      .Case([&](CumsumOp op) { return hasRowsBefore(*op.getNormalizedAxis()); })
      .Default(false);
}

bool brisk::isElementByElement(Operation *op) {
  return ElementOps::contains(op);
}

void brisk::emitLoops(KernelBuilder &b, Operation *op, ValueRange inputs,
                      ValueRange outputs, Value task,
                      const LoopFusion &fusion) {
  assert(hasLoops(op) && "ops without loops fit other families");
  SmallVector<Buffer> in, out;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    Buffer &buffer = in.emplace_back();
    buffer.memref = inputs[i];
    buffer.type = cast<RankedTensorType>(value.getType());
    if (buffer.memref || matchPattern(value, m_Constant(&buffer.constant)))
      continue;
    buffer.compute = [&fusion, i = i](KernelBuilder &b, ValueRange at) {
      return fusion.load(b, i, at);
    };
  }
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Buffer &buffer = out.emplace_back();
    buffer.memref = outputs[i];
    buffer.type = cast<RankedTensorType>(value.getType());
  }
  withOp(op, ElementOps(), [&](auto op) {
    b.taskNest(out[0].getShape(), task, [&](ValueRange at) {
      Values values = buildAt(b, op, in, at);
      if (fusion.store)
        return fusion.store(b, values, at);
      for (auto [value, buffer] : llvm::zip_equal(values, out))
        buffer.store(b, value, at);
    });
  });
  withOp(op, TaskOps(), [&](auto op) { emitTask(b, op, in, out, task); });
}
