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

ElementsAttr
PackedWeights::get(ConstantOp source, ScheduleAttr schedule,
                   ArrayRef<int64_t> parameters, int64_t count,
                   function_ref<void(MutableArrayRef<float>)> fill) {
  ElementsAttr &result =
      made[{source.getValue().getAsOpaquePointer(),
            schedule.getAsOpaquePointer(), parameters.vec()}];
  if (result)
    return result;
  // A splat is written out, too.
  int64_t splats = getSplatElement(source.getValue()) ? 2 : 1;
  if (::failed(checkMemory(source, splats * count * sizeof(float)))) {
    failed = true;
    return nullptr;
  }
  auto type = makeTensor({count}, Float32Type::get(source.getContext()));
  AsmResourceBlob blob = allocateBlob(count * sizeof(float));
  MutableArrayRef<char> bytes = blob.getMutableData();
  fill({reinterpret_cast<float *>(bytes.data()), static_cast<size_t>(count)});
  SmallVector<ElementsAttr, 1> &alike = known[llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()))];
  for (ElementsAttr other : alike)
    if (other.getType() == type &&
        ElementBytes(other).bytes() == ArrayRef<char>(bytes))
      return result = other;
  return result =
             alike.emplace_back(makeResource(type, "packed", std::move(blob)));
}

void brisk::setPacked(GroupOp group, OpOperand &weights, ElementsAttr packed,
                      RewriterBase &rewriter) {
  if (!packed)
    return;
  auto argument = cast<BlockArgument>(weights.get());
  unsigned number = argument.getArgNumber();
  auto type = cast<RankedTensorType>(argument.getType());
  // Who else reads the weights gets them as they are, as one more input.
  if (!argument.hasOneUse()) {
    group.getInsMutable().append(group.getIns()[number]);
    Value other = group.getBlock()->addArgument(type, argument.getLoc());
    argument.replaceUsesWithIf(
        other, [&](OpOperand &use) { return &use != &weights; });
  }
  auto packedType = cast<RankedTensorType>(packed.getType());
  rewriter.setInsertionPoint(group);
  Value constant =
      ConstantOp::create(rewriter, group.getIns()[number].getLoc(), packed);
  group.getInsMutable()[number].set(constant);
  argument.setType(packedType);
  rewriter.setInsertionPointToStart(group.getBlock());
  weights.set(UnpackOp::create(rewriter, group.getLoc(), type, argument));
}

LogicalResult brisk::verifyPacked(GroupOp group, Value value, int64_t count) {
  auto wanted = makeTensor({count}, Float32Type::get(group.getContext()));
  auto unpack = value.getDefiningOp<UnpackOp>();
  if (unpack && unpack.getPacked().getType() == wanted)
    return success();
  return group.emitOpError("weights are not packed for its schedule, as ")
         << wanted;
}
