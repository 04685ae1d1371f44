//===- Loops.cpp - Ops as plain loops -------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Loops.h"
#include "LoopOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;

static const OpLoops *findLoops(Operation *op) {
  static const LoopTable table = [] {
    LoopTable table;
    for (auto *addLoops :
         {addShapeLoops, addGatherLoops, addScatterLoops, addTopKLoops,
          addResizeLoops, addFrameLoops, addSelectionLoops, addGridSampleLoops,
          addPoolLoops, addConvolutionLoops, addProductLoops,
          addReductionLoops})
      addLoops(table);
    return table;
  }();
  return table.find(op);
}

bool brisk::hasLoops(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return findLoops(op) && llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic) &&
         cast<ComputeOpInterface>(op).hasKnownParameters();
}

/// The shape of whose places tasks are made: by default, the result's.
static SmallVector<int64_t> getOuter(Operation *op) {
  const OpLoops *loops = findLoops(op);
  return loops->getOuter ? loops->getOuter(op)
                         : llvm::to_vector(cast<RankedTensorType>(
                                               op->getResult(0).getType())
                                               .getShape());
}

int64_t brisk::getLoopTasks(Operation *op) { return countTasks(getOuter(op)); }

bool brisk::writesInOrder(Operation *op) {
  const OpLoops *loops = findLoops(op);
  if (!loops->axis)
    return true;
  // Lists are rows of what is before the axis, unless they are cut further.
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  return getLoopTasks(op) == countTasks(shape.take_front(loops->axis(op)));
}

bool brisk::isElementByElement(Operation *op) {
  return findLoops(op)->buildAt != nullptr;
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
  const OpLoops *loops = findLoops(op);
  b.taskNest(getOuter(op), task, [&](ValueRange at) {
    if (loops->emitAt)
      return loops->emitAt(b, op, in, out, at);
    Values values = loops->buildAt(b, op, in, at);
    if (fusion.store)
      return fusion.store(b, values, at);
    for (auto [value, buffer] : llvm::zip_equal(values, out))
      buffer.store(b, value, at);
  });
}
