//===- StructuralOps.cpp - Constants, groups and control flow -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/NonZeros.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/StructuralOps.cpp.inc"

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  if (!getType().hasStaticShape())
    return emitError("constant of type ")
           << getType() << ", expected a static shape";
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource) {
    if (!isa<DenseElementsAttr>(getValue()))
      return emitError("constant is neither dense nor a resource");
    if (!isReadable(getValue()))
      return emitError("constant of type ")
             << getType() << " is larger than an address space";
    return success();
  }
  const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitError("constant has no data: it was left out when the model was "
                     "printed; compile the model's source instead");
  size_t bytes =
      resource.getNumElements() * getElementBytes(resource.getElementType());
  if (blob->getData().size() != bytes)
    return emitError("constant of type ")
           << getType() << " needs " << bytes << " bytes, its resource has "
           << blob->getData().size();
  return success();
}

std::optional<View> brisk::findView(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  return compute ? compute.getView() : std::nullopt;
}

bool brisk::needsKernel(Operation *op) {
  return isa<ComputeOpInterface>(op) && !findView(op);
}

Operation *GroupOp::getAnchor() {
  Operation *last = nullptr;
  for (Operation &op : getBlock()->without_terminator()) {
    if (isa<AssembleOp, ConstantOp, UnpackOp>(op))
      continue;
    if (!isa<ElementwiseOpInterface>(op))
      return &op;
    last = &op;
  }
  return last;
}

OperandRange GroupOp::getYielded() {
  return getBlock()->getTerminator()->getOperands();
}

LogicalResult GroupOp::verify() {
  Block *block = getBlock();
  // An operand is the argument's tensor, or its buffer.
  auto agrees = [](Type operand, Type inside) {
    auto shaped = dyn_cast<ShapedType>(operand);
    auto tensor = dyn_cast<RankedTensorType>(inside);
    return shaped && tensor && shaped.hasRank() &&
           shaped.getShape() == tensor.getShape() &&
           shaped.getElementType() == tensor.getElementType();
  };
  if (block->getNumArguments() != getIns().size())
    return emitOpError("has ")
           << getIns().size() << " inputs and " << block->getNumArguments()
           << " region arguments";
  for (auto [in, arg] : llvm::zip_equal(getIns(), block->getArguments()))
    if (!agrees(in.getType(), arg.getType()))
      return emitOpError("input of type ")
             << in.getType() << " does not agree with region argument of type "
             << arg.getType();
  if (getYielded().size() != getOuts().size())
    return emitOpError("has ") << getOuts().size() << " outs and yields "
                               << getYielded().size() << " values";
  for (auto [out, value] : llvm::zip_equal(getOuts(), getYielded()))
    if (!agrees(out.getType(), value.getType()))
      return emitOpError("out of type ")
             << out.getType() << " does not agree with yielded type "
             << value.getType();
  return success();
}

LogicalResult GroupOp::verifyRegions() {
  // What `value` is where it is a constant input.
  auto getConstant = [&](Value value) -> ElementsAttr {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != getBlock())
      return {};
    auto op = getIns()[argument.getArgNumber()].getDefiningOp<ConstantOp>();
    return op && isReadable(op.getValue()) ? op.getValue() : ElementsAttr();
  };
  for (auto op : getBlock()->getOps<AssembleOp>()) {
    ElementsAttr rows = getConstant(op.getRows());
    ElementsAttr starts = getConstant(op.getStarts());
    if (!rows || !starts)
      continue;
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getType()).getShape();
    if (!NonZeros::areValid(ElementBytes(rows).as<uint16_t>(),
                            ElementBytes(starts).as<int32_t>(),
                            ShapedType::getNumElements(shape.drop_back())))
      return op.emitOpError("reads beyond its values or rows: expected starts "
                            "that ascend from 0 to the number of values in "
                            "multiples of ")
             << NonZeros::step << ", and rows of " << op.getType();
  }
  return success();
}

LogicalResult GroupOp::canonicalize(GroupOp op, PatternRewriter &rewriter) {
  // Buffers copied onto themselves.
  if (op->getNumResults() != 0 || op.getOuts().empty())
    return rewriter.notifyMatchFailure(op, "computes on tensors");
  for (auto [value, out] : llvm::zip_equal(op.getYielded(), op.getOuts())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || op.getIns()[argument.getArgNumber()] != out)
      return rewriter.notifyMatchFailure(op, "writes something new");
  }
  rewriter.eraseOp(op);
  return success();
}

void GroupOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (operand.getOperandNumber() < getIns().size())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

bool GroupOp::bufferizesToMemoryRead(OpOperand &operand,
                                     const AnalysisState &) {
  return !isDpsInit(&operand);
}

bool GroupOp::bufferizesToMemoryWrite(OpOperand &operand,
                                      const AnalysisState &) {
  return isDpsInit(&operand);
}

bool GroupOp::bufferizesToElementwiseAccess(const AnalysisState &,
                                            ArrayRef<OpOperand *>) {
  return false;
}

AliasingValueList GroupOp::getAliasingValues(OpOperand &operand,
                                             const AnalysisState &) {
  if (!isDpsInit(&operand))
    return {};
  return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
}

bool GroupOp::hasTensorSemantics() {
  // The region's tensors do not count: they stay.
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(getOperation()->getOperandTypes(), isTensor) ||
         llvm::any_of(getOperation()->getResultTypes(), isTensor);
}

LogicalResult GroupOp::bufferize(RewriterBase &rewriter,
                                 const BufferizationOptions &options,
                                 BufferizationState &state) {
  auto toBuffers = [&](ValueRange values, SmallVector<Value> &buffers) {
    for (Value value : values) {
      if (!isa<TensorType>(value.getType())) {
        buffers.push_back(value);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    return success();
  };
  SmallVector<Value> ins, outs;
  rewriter.setInsertionPoint(getOperation());
  if (failed(toBuffers(getIns(), ins)) || failed(toBuffers(getOuts(), outs)))
    return failure();
  auto group = GroupOp::create(rewriter, getLoc(), TypeRange(), ins, outs,
                               getScratch(), getScheduleAttr());
  group->setDiscardableAttrs(getOperation()->getDiscardableAttrDictionary());
  group.getBody().takeBody(getBody());
  replaceOpWithBufferizedValues(rewriter, getOperation(), outs);
  return success();
}

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto yield = dyn_cast<YieldOp>(region->front().getTerminator());
    if (!yield)
      return emitOpError("regions must end with brisk.yield");
    if (!areCompatible(yield.getOperandTypes(), getResultTypes()))
      return emitOpError("branch yields ")
             << yield.getOperandTypes() << " where results are "
             << getResultTypes();
  }
  return success();
}

Region *IfOp::getTakenRegion() {
  auto condition = getConstantInts(getCondition());
  if (!condition || condition->size() != 1)
    return nullptr;
  return condition->front() ? &getThenRegion() : &getElseRegion();
}

void IfOp::inlineRegion(Region &taken, RewriterBase &rewriter) {
  Block *block = &taken.front();
  Operation *yield = block->getTerminator();
  SmallVector<Value> results(yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(block, *this);
  rewriter.replaceOp(*this, results);
}

/// A condition known at compile time leaves one branch.
LogicalResult IfOp::canonicalize(IfOp op, PatternRewriter &rewriter) {
  Region *taken = op.getTakenRegion();
  if (!taken)
    return rewriter.notifyMatchFailure(op, "condition is not known");
  op.inlineRegion(*taken, rewriter);
  return success();
}

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  if (!isa<TensorType>(op.getCondition().getType()))
    return rewriter.notifyMatchFailure(op, "is lowered already");
  auto condition = getConstantInts(op.getCondition());
  if (!condition || condition->size() != 1 || !condition->front())
    return rewriter.notifyMatchFailure(op, "is not known to hold");
  rewriter.eraseOp(op);
  return success();
}

LogicalResult UnpackOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getType());
  int64_t elements = ShapedType::getNumElements(getLayout().getShape());
  if (!type || !type.hasStaticShape() || type.getNumElements() != elements)
    return emitOpError("layout holds ")
           << elements << " elements, which are no " << getType();
  auto packed =
      makeTensor({getLayout().getPackedElements()}, type.getElementType());
  if (getPacked().getType() != packed)
    return emitOpError("layout makes a ")
           << packed << " of " << type << ", found " << getPacked().getType();
  return success();
}

OpFoldResult UnpackOp::fold(FoldAdaptor adaptor) {
  auto packed = dyn_cast_or_null<ElementsAttr>(adaptor.getPacked());
  RankedTensorType type = getFoldable(getResult());
  if (!packed || !type || !isReadable(packed))
    return {};
  return makeElements(type, [&](MutableArrayRef<char> to) {
    getLayout().unpack(ElementBytes(packed).bytes(), to,
                       getElementBytes(type.getElementType()));
  });
}

LogicalResult AssembleOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !type.getElementType().isF32())
    return emitOpError("makes matrices of f32 of static shape, found ")
           << getType();
  int64_t columns = type.getShape().back();
  int64_t rows = ShapedType::getNumElements(type.getShape().drop_back());
  if (rows > NonZeros::mostRows)
    return emitOpError("numbers ")
           << NonZeros::mostRows << " rows at most, found " << rows;
  auto values = dyn_cast<RankedTensorType>(getValues().getType());
  if (!values || !values.hasStaticShape() || values.getRank() != 1 ||
      !values.getElementType().isF32())
    return emitOpError("needs values of f32 in one dimension, found ")
           << getValues().getType();
  MLIRContext *context = getContext();
  auto ui16 = IntegerType::get(context, 16, IntegerType::Unsigned);
  for (auto [operand, expected] :
       {std::pair(getRows(), makeTensor(values.getShape(), ui16)),
        std::pair(getStarts(),
                  makeTensor({columns + 1}, IntegerType::get(context, 32)))})
    if (operand.getType() != expected)
      return emitOpError("expected ")
             << expected << " for values of " << values << " in " << type
             << ", found " << operand.getType();
  return success();
}

OpFoldResult AssembleOp::fold(FoldAdaptor adaptor) {
  auto values = dyn_cast_or_null<ElementsAttr>(adaptor.getValues());
  auto rows = dyn_cast_or_null<ElementsAttr>(adaptor.getRows());
  auto starts = dyn_cast_or_null<ElementsAttr>(adaptor.getStarts());
  RankedTensorType type = getFoldable(getResult());
  if (!values || !rows || !starts || !type || !isReadable(values) ||
      !isReadable(rows) || !isReadable(starts))
    return {};
  ElementBytes v(values), r(rows), s(starts);
  int64_t columns = type.getShape().back();
  if (!columns || !NonZeros::areValid(r.as<uint16_t>(), s.as<int32_t>(),
                                      type.getNumElements() / columns))
    return {};
  return makeElements(type, [&](MutableArrayRef<char> to) {
    llvm::fill(to, 0);
    NonZeros::scatter(
        v.as<float>(), r.as<uint16_t>(), s.as<int32_t>(),
        {reinterpret_cast<float *>(to.data()), to.size() / sizeof(float)});
  });
}

LogicalResult BorderOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getType());
  if (!type || !type.hasStaticShape())
    return emitOpError("needs a static shape, has ") << getType();
  size_t rank = type.getRank();
  if (getLow().size() != rank || getHigh().size() != rank)
    return emitOpError("needs ") << rank << " low and high widths";
  for (auto [low, high, dim] :
       llvm::zip_equal(getLow(), getHigh(), type.getShape()))
    if (low < 0 || high < 0 || low > dim || high > dim - low)
      return emitOpError("border of ")
             << low << " and " << high << " exceeds dimension of " << dim;
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
