//===- Packing.cpp - Weights in the order kernels read them ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Packing.h"
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
  int64_t input = getInputNumber(value);
  return input >= 0 && (value.getDefiningOp<UnpackOp>() ||
                        group.getIns()[input].getDefiningOp<ConstantOp>());
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
  if (failed(checkMemory(source, splats * count * elementBytes)))
    return nullptr;
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

LogicalResult PackedWeights::pack(GroupOp group, const Packing &packing,
                                  RewriterBase &rewriter) {
  auto argument = dyn_cast<BlockArgument>(packing.weights->get());
  if (!argument)
    return success();
  unsigned number = argument.getArgNumber();
  auto source = group.getIns()[number].getDefiningOp<ConstantOp>();
  ElementsAttr packed = get(source, packing.layout);
  if (!packed)
    return failure();
  Type type = argument.getType();
  // Who else reads the weights gets them as they are, as one more input.
  if (!argument.hasOneUse()) {
    group.getInsMutable().append(group.getIns()[number]);
    Value other = group.getBlock()->addArgument(type, argument.getLoc());
    argument.replaceUsesWithIf(
        other, [&](OpOperand &use) { return &use != packing.weights; });
  }
  rewriter.setInsertionPoint(group);
  Value constant = ConstantOp::create(rewriter, source.getLoc(), packed);
  group.getInsMutable()[number].set(constant);
  argument.setType(constant.getType());
  rewriter.setInsertionPointToStart(group.getBlock());
  packing.weights->set(UnpackOp::create(rewriter, group.getLoc(), type,
                                        argument, packing.layout));
  return success();
}

/// The layout that `use` of a value of a group is to be unpacked from; null for
/// none.
static PackedAttr getLayout(ArrayRef<Packing> packing, OpOperand &use) {
  for (const Packing &one : packing)
    if (one.weights == &use)
      return one.layout;
  return {};
}

/// The first use of weights that is not unpacked as `packing` says, where they
/// are packed at all; null if there is none.
static OpOperand *findMispacked(GroupOp group, ArrayRef<Packing> packing) {
  for (auto unpack : group.getBlock()->getOps<UnpackOp>())
    for (OpOperand &use : unpack->getUses())
      if (getLayout(packing, use) != unpack.getLayout())
        return &use;
  return nullptr;
}

static bool isPacked(const Packing &packing) {
  return packing.weights->get().getDefiningOp<UnpackOp>();
}

bool brisk::canPack(GroupOp group, ArrayRef<Packing> packing) {
  return !findMispacked(group, packing) &&
         llvm::all_of(packing, [&](const Packing &one) {
           return isConstantInput(group, one.weights->get());
         });
}

LogicalResult brisk::verifyPacking(GroupOp group, ArrayRef<Packing> packing) {
  OpOperand *wrong = findMispacked(group, packing);
  auto *unpacked = llvm::find_if_not(packing, isPacked);
  if (!wrong && unpacked != packing.end())
    wrong = unpacked->weights;
  if (!wrong)
    return success();
  InFlightDiagnostic diagnostic =
      group.emitOpError("weights are not packed for its schedule: expected ");
  auto print = [&](PackedAttr layout) {
    if (layout)
      diagnostic << layout;
    else
      diagnostic << "them as they are";
  };
  print(getLayout(packing, *wrong));
  diagnostic << ", found ";
  auto unpack = wrong->get().getDefiningOp<UnpackOp>();
  print(unpack ? unpack.getLayout() : PackedAttr());
  return diagnostic;
}
