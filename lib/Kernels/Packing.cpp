//===- Packing.cpp - Weights in the order kernels read them ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "brisk/Dialect/AvailableMemory.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace brisk;

int64_t brisk::getInputNumber(Value value) {
  if (auto unpack = value.getDefiningOp<UnpackOp>())
    value = unpack.getPacked();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? argument.getArgNumber() : -1;
}

bool brisk::isConstantInput(GroupOp group, Value value) {
  if (value.getDefiningOp<UnpackOp>())
    return true;
  int64_t input = getInputNumber(value);
  return input >= 0 && group.getIns()[input].getDefiningOp<ConstantOp>();
}

ElementsAttr PackedWeights::get(ConstantOp source, PackedAttr layout) {
  ElementsAttr &result = made[{source.getValue().getAsOpaquePointer(),
                               layout.getAsOpaquePointer()}];
  if (result)
    return result;
  Type element = source.getValue().getElementType();
  unsigned elementBytes = getElementBytes(element);
  int64_t count = layout.getPackedElements();
  // A splat is written out, too.
  int64_t splats = getSplatElement(source.getValue()) ? 2 : 1;
  if (::failed(checkMemory(source, splats * count * elementBytes))) {
    failed = true;
    return nullptr;
  }
  RankedTensorType type = makeTensor({count}, element);
  AsmResourceBlob blob = allocateBlob(count * elementBytes);
  MutableArrayRef<char> bytes = blob.getMutableData();
  layout.pack(ElementBytes(source.getValue()).bytes(), bytes, elementBytes);
  SmallVector<ElementsAttr, 1> &alike = known[llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()))];
  for (ElementsAttr other : alike)
    if (other.getType() == type &&
        ElementBytes(other).bytes() == ArrayRef<char>(bytes))
      return result = other;
  return result =
             alike.emplace_back(makeResource(type, "packed", std::move(blob)));
}

void PackedWeights::pack(GroupOp group, OpOperand &weights, PackedAttr layout,
                         RewriterBase &rewriter) {
  auto argument = cast<BlockArgument>(weights.get());
  unsigned number = argument.getArgNumber();
  auto source = group.getIns()[number].getDefiningOp<ConstantOp>();
  ElementsAttr packed = get(source, layout);
  if (!packed)
    return;
  auto type = cast<RankedTensorType>(argument.getType());
  // Who else reads the weights gets them as they are, as one more input.
  if (!argument.hasOneUse()) {
    group.getInsMutable().append(group.getIns()[number]);
    Value other = group.getBlock()->addArgument(type, argument.getLoc());
    argument.replaceUsesWithIf(
        other, [&](OpOperand &use) { return &use != &weights; });
  }
  rewriter.setInsertionPoint(group);
  Value constant = ConstantOp::create(rewriter, source.getLoc(), packed);
  group.getInsMutable()[number].set(constant);
  argument.setType(constant.getType());
  rewriter.setInsertionPointToStart(group.getBlock());
  weights.set(
      UnpackOp::create(rewriter, group.getLoc(), type, argument, layout));
}

LogicalResult brisk::verifyPacked(GroupOp group, Value value,
                                  PackedAttr layout) {
  auto unpack = value.getDefiningOp<UnpackOp>();
  if (unpack && unpack.getLayout() == layout)
    return success();
  InFlightDiagnostic diagnostic =
      group.emitOpError("weights are not packed for its schedule: expected ")
      << layout << ", found ";
  if (!unpack)
    return diagnostic << "them unpacked";
  return diagnostic << unpack.getLayout();
}
