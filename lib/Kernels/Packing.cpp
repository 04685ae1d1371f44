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
#include "brisk/Dialect/NonZeros.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/xxhash.h"

#include <optional>

using namespace mlir;
using namespace brisk;

/// How weights of a group are packed: their layout, or null for those elements
/// that are not zero. Nothing for weights that are as they are.
using Form = std::optional<PackedAttr>;

static Form getForm(Value weights) {
  if (auto unpack = weights.getDefiningOp<UnpackOp>())
    return unpack.getLayout();
  if (weights.getDefiningOp<AssembleOp>())
    return PackedAttr();
  return std::nullopt;
}

int64_t brisk::getInputNumber(Value value) {
  if (getForm(value))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? argument.getArgNumber() : -1;
}

bool brisk::isConstantInput(GroupOp group, Value value) {
  int64_t input = getInputNumber(value);
  return input >= 0 &&
         (getForm(value) || group.getIns()[input].getDefiningOp<ConstantOp>());
}

ElementsAttr PackedWeights::share(RankedTensorType type, AsmResourceBlob blob) {
  ArrayRef<char> bytes = blob.getData();
  SmallVector<ElementsAttr, 1> &alike = known[llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()))];
  for (ElementsAttr other : alike)
    if (other.getType() == type && ElementBytes(other).bytes() == bytes)
      return other;
  return alike.emplace_back(makeResource(type, "packed", std::move(blob)));
}

PackedWeights::Parts PackedWeights::makeNonZeros(ConstantOp source) {
  auto type = cast<RankedTensorType>(source.getType());
  constexpr int64_t perEntry = sizeof(float) + sizeof(uint16_t);
  // Lists are made once, and copied once.
  if (failed(checkMemory(source, 2 * perEntry * type.getNumElements())))
    return {};
  NonZeros found = NonZeros::find(ElementBytes(source.getValue()).as<float>(),
                                  type.getShape().back());
  MLIRContext *context = source.getContext();
  auto add = [&](const auto &list, Type element) {
    auto bytes = ArrayRef(reinterpret_cast<const char *>(list.data()),
                          list.size() * sizeof(list.front()));
    AsmResourceBlob blob = allocateBlob(bytes.size());
    llvm::copy(bytes, blob.getMutableData().begin());
    return share(makeTensor({static_cast<int64_t>(list.size())}, element),
                 std::move(blob));
  };
  return {add(found.values, type.getElementType()),
          add(found.rows, IntegerType::get(context, 16, IntegerType::Unsigned)),
          add(found.starts, IntegerType::get(context, 32))};
}

PackedWeights::Parts PackedWeights::make(ConstantOp source, PackedAttr layout) {
  if (!layout)
    return makeNonZeros(source);
  Type element = source.getValue().getElementType();
  unsigned elementBytes = getElementBytes(element);
  int64_t count = layout.getPackedElements();
  // A splat is written out, too.
  int64_t splats = getSplatElement(source.getValue()) ? 2 : 1;
  if (failed(checkMemory(source, splats * count * elementBytes)))
    return {};
  AsmResourceBlob blob = allocateBlob(count * elementBytes);
  layout.pack(ElementBytes(source.getValue()).bytes(), blob.getMutableData(),
              elementBytes);
  return {share(makeTensor({count}, element), std::move(blob))};
}

ArrayRef<ElementsAttr> PackedWeights::get(ConstantOp source,
                                          PackedAttr layout) {
  Parts &result = made[{source.getValue().getAsOpaquePointer(),
                        layout.getAsOpaquePointer()}];
  if (result.empty())
    result = make(source, layout);
  return result;
}

LogicalResult PackedWeights::pack(GroupOp group, const Packing &packing,
                                  RewriterBase &rewriter) {
  auto argument = dyn_cast<BlockArgument>(packing.weights->get());
  if (!argument)
    return success();
  unsigned number = argument.getArgNumber();
  auto source = group.getIns()[number].getDefiningOp<ConstantOp>();
  ArrayRef<ElementsAttr> parts = get(source, packing.layout);
  if (parts.empty())
    return failure();
  Type type = argument.getType();
  auto addInput = [&](Value constant) {
    group.getInsMutable().append(constant);
    return group.getBlock()->addArgument(constant.getType(), argument.getLoc());
  };
  // Who else reads the weights gets them as they are, as one more input.
  if (!argument.hasOneUse()) {
    Value other = addInput(source);
    argument.replaceUsesWithIf(
        other, [&](OpOperand &use) { return &use != packing.weights; });
  }
  rewriter.setInsertionPoint(group);
  SmallVector<Value> inputs = {argument};
  for (auto [i, part] : llvm::enumerate(parts)) {
    Value constant = ConstantOp::create(rewriter, source.getLoc(), part);
    if (i > 0) {
      inputs.push_back(addInput(constant));
      continue;
    }
    group.getInsMutable()[number].set(constant);
    argument.setType(constant.getType());
  }
  rewriter.setInsertionPointToStart(group.getBlock());
  Location loc = group.getLoc();
  Value read =
      packing.layout
          ? UnpackOp::create(rewriter, loc, type, argument, packing.layout)
                .getResult()
          : AssembleOp::create(rewriter, loc, type, inputs).getResult();
  packing.weights->set(read);
  return success();
}

/// How `use` of a value of a group is to be packed.
static Form getForm(ArrayRef<Packing> packing, OpOperand &use) {
  for (const Packing &one : packing)
    if (one.weights == &use)
      return one.layout;
  return std::nullopt;
}

/// The first use of weights that is not packed as `packing` says, where they
/// are packed at all; null if there is none.
static OpOperand *findMispacked(GroupOp group, ArrayRef<Packing> packing) {
  for (Operation &op : group.getBlock()->without_terminator()) {
    if (!isa<AssembleOp, UnpackOp>(op))
      continue;
    Form form = getForm(op.getResult(0));
    for (OpOperand &use : op.getUses())
      if (getForm(packing, use) != form)
        return &use;
  }
  return nullptr;
}

static bool isPacked(const Packing &packing) {
  return getForm(packing.weights->get()).has_value();
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
  auto print = [&](Form form) {
    if (!form)
      diagnostic << "them as they are";
    else if (*form)
      diagnostic << *form;
    else
      diagnostic << "those that are not zero";
  };
  print(getForm(packing, *wrong));
  diagnostic << ", found ";
  print(getForm(wrong->get()));
  return diagnostic;
}
