//===- ByteTable.cpp - Elementwise ops on bytes as tables -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ByteTable.h"
#include "ElementEvaluator.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace brisk;

static_assert(ElementEvaluator::chunk == 256, "a table takes one run");

/// The only element of a constant; null for other values.
static ElementsAttr getOnly(Value value) {
  ElementsAttr constant = getConstant(value);
  return constant ? getSplatElement(constant) : nullptr;
}

static bool isBytes(Value value) {
  return getElementTypeOrSelf(value.getType()).isInteger(8);
}

namespace {
/// The ops between a value and the bytes that it follows from.
class Cone {
public:
  /// Those above `value` up to the first bytes; fails if they are not what a
  /// table takes.
  LogicalResult add(Value value);
  /// Goes on, from the bytes that are computed last, until one value is left.
  LogicalResult narrow();

  Value getInput() const { return bytes.front(); }
  ArrayRef<Operation *> getOps() const { return ops.getArrayRef(); }

private:
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> bytes;
};
} // namespace

LogicalResult Cone::add(Value value) {
  auto op = value.getDefiningOp<ElementwiseOpInterface>();
  if (!op || op->getNumResults() != 1)
    return failure();
  if (!ops.insert(op))
    return success();
  auto type = cast<RankedTensorType>(value.getType());
  for (Value operand : op->getOperands()) {
    if (getOnly(operand))
      continue;
    auto from = cast<RankedTensorType>(operand.getType());
    if (from.getShape() != type.getShape())
      return failure();
    if (isBytes(operand))
      bytes.insert(operand);
    else if (failed(add(operand)))
      return failure();
  }
  return success();
}

LogicalResult Cone::narrow() {
  while (bytes.size() > 1) {
    Value last;
    for (Value each : bytes) {
      Operation *op = each.getDefiningOp();
      if (op && (!last || last.getDefiningOp()->isBeforeInBlock(op)))
        last = each;
    }
    bytes.remove(last);
    if (!last || failed(add(last)))
      return failure();
  }
  return success(!bytes.empty());
}

/// Whether a function is rounded to the nearest, everywhere.
static bool isExact(Operation &op) {
  return !isa<math::MathDialect>(op.getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::FloorOp, math::FmaOp, math::RoundEvenOp, math::RoundOp,
             math::SqrtOp, math::TruncOp, math::IsNaNOp, math::IsInfOp>(op);
}

std::optional<ByteTable> brisk::findByteTable(Value value) {
  Cone cone;
  if (!isBytes(value) || failed(cone.add(value)) || failed(cone.narrow()))
    return std::nullopt;
  // Operands before users.
  SmallVector<Operation *> ops(cone.getOps());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ByteTable table = {cone.getInput(), {}, 0, true};

  // The ops on one element, of which the constants and the byte are arguments.
  Block block;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointToEnd(&block);
  IRMapping elements;
  SmallVector<ElementsAttr> constants = {nullptr};
  auto addArgument = [&](Value operand) {
    Type type = getValueType(getElementTypeOrSelf(operand.getType()));
    elements.map(operand, block.addArgument(type, operand.getLoc()));
  };
  addArgument(table.input);
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (!elements.contains(operand)) {
        addArgument(operand);
        constants.push_back(getOnly(operand));
      }
    auto elementwise = cast<ElementwiseOpInterface>(op);
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return elements.lookup(operand);
    });
    elements.map(op->getResult(0),
                 elementwise.buildElement(builder, op->getLoc(), operands));
    auto count = cast<RankedTensorType>(value.getType()).getNumElements();
    table.flops +=
        static_cast<double>(cast<ComputeOpInterface>(op).countFlops()) /
        static_cast<double>(std::max<int64_t>(count, 1));
  }
  table.isExact = llvm::all_of(block, isExact);

  auto evaluator = ElementEvaluator::create(block, elements.lookup(value));
  if (!evaluator)
    return std::nullopt;
  std::array<char, 256> all;
  std::iota(all.begin(), all.end(), 0);
  evaluator->load(0, 0, all.size(), all.data(), 1);
  for (auto [number, constant] : llvm::enumerate(constants))
    if (constant)
      evaluator->load(number, 0, all.size(),
                      ElementBytes(constant).bytes().data(), 0);
  evaluator->run(all.size());
  evaluator->store(all.size(), table.entries.data());
  return table;
}
