//===- BufferizeModel.cpp - Tensors to buffers ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/AvailableMemory.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace brisk {
#define GEN_PASS_DEF_BUFFERIZEMODEL
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// The strides of a buffer, and its offset.
static std::pair<SmallVector<int64_t>, int64_t> getStrides(Value buffer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(buffer.getType());
  LogicalResult known = type.getStridesAndOffset(strides, offset);
  assert(succeeded(known) && "bufferization gives strided layouts");
  (void)known;
  return {strides, offset};
}

/// True where kernels can walk the innermost dimension in vectors.
static bool isInnermostConsecutive(Value buffer) {
  SmallVector<int64_t> strides = getStrides(buffer).first;
  return strides.empty() || strides.back() == 1;
}

namespace {
/// A dimension of two buffers of one shape, with a step along it in each.
struct CopiedDim {
  int64_t size, from, to;
};
} // namespace

/// Sees two buffers of one shape in their fewest dimensions, the innermost of
/// which is consecutive in both.
static void simplify(OpBuilder &b, Location loc, Value &from, Value &to) {
  auto [fromStrides, fromOffset] = getStrides(from);
  auto [toStrides, toOffset] = getStrides(to);
  ArrayRef<int64_t> shape = cast<MemRefType>(from.getType()).getShape();
  SmallVector<CopiedDim> dims = {{1, 1, 1}}; // innermost first
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    CopiedDim &inner = dims.back();
    if (fromStrides[d] == inner.from * inner.size &&
        toStrides[d] == inner.to * inner.size)
      inner.size *= shape[d];
    else if (shape[d] != 1)
      dims.push_back({shape[d], fromStrides[d], toStrides[d]});
  }
  std::reverse(dims.begin(), dims.end());
  auto sizes =
      llvm::map_to_vector(dims, [](const CopiedDim &dim) { return dim.size; });
  if (shape.equals(sizes) && isInnermostConsecutive(from) &&
      isInnermostConsecutive(to))
    return;
  auto cast = [&](Value buffer, int64_t offset, auto getStride) -> Value {
    auto strides = llvm::map_to_vector(dims, getStride);
    Type element = mlir::cast<MemRefType>(buffer.getType()).getElementType();
    auto layout = StridedLayoutAttr::get(b.getContext(), offset, strides);
    return memref::ReinterpretCastOp::create(
        b, loc, MemRefType::get(sizes, element, layout), buffer, offset, sizes,
        strides);
  };
  from = cast(from, fromOffset, [](const CopiedDim &dim) { return dim.from; });
  to = cast(to, toOffset, [](const CopiedDim &dim) { return dim.to; });
}

/// A group that copies `from` to `to`.
static void buildCopy(OpBuilder &b, Location loc, Value from, Value to) {
  if (cast<MemRefType>(from.getType()).getNumElements() == 0)
    return;
  simplify(b, loc, from, to);
  auto type = cast<MemRefType>(from.getType());
  auto tensor = makeTensor(type.getShape(), type.getElementType());
  auto group = GroupOp::create(b, loc, TypeRange(), ValueRange(from),
                               ValueRange(to), Value(), ScheduleAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&group.getBody(), {}, {tensor}, {loc});
  YieldOp::create(b, loc, ValueRange(block->getArgument(0)));
}

/// Copies operands whose innermost dimension is strided, as a reshape of one
/// column of a tensor is, to where it is not.
static void compactOperands(GroupOp group, unsigned alignment) {
  OpBuilder b(group);
  Location loc = group.getLoc();
  for (OpOperand &operand : group.getInsMutable()) {
    if (isInnermostConsecutive(operand.get()))
      continue;
    auto type = cast<MemRefType>(operand.get().getType());
    Value compact = memref::AllocOp::create(
        b, loc, MemRefType::get(type.getShape(), type.getElementType()),
        b.getI64IntegerAttr(alignment));
    buildCopy(b, loc, operand.get(), compact);
    operand.set(compact);
  }
}

/// Refuses functions that are no model.
static LogicalResult checkFunction(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("is no model: expected a body of one block");
  WalkResult calls = function.walk([](CallOpInterface call) {
    call.emitError("calls a function; inline it first");
    return WalkResult::interrupt();
  });
  if (calls.wasInterrupted())
    return failure();
  for (ArrayRef<Type> types :
       {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !findElementType(tensor.getElementType()))
        return function.emitError("takes or returns ")
               << type << ", expected tensors of numbers or booleans";
    }
  return success();
}

/// Turns the results of the model's function into arguments.
static void takeDestinations(func::FuncOp function) {
  Block &block = function.getBody().front();
  auto *terminator = block.getTerminator();
  OpBuilder b(terminator);
  MLIRContext *context = function.getContext();
  auto getPorts = [&](TypeRange types, auto getAttr) {
    SmallVector<Attribute> ports;
    for (auto [i, type] : llvm::enumerate(types)) {
      auto name = llvm::cast_if_present<StringAttr>(getAttr(i));
      ports.push_back(PortAttr::get(context,
                                    name ? name : StringAttr::get(context),
                                    cast<RankedTensorType>(type)));
    }
    return ArrayAttr::get(context, ports);
  };
  StringRef name = BriskDialect::nameAttrName;
  function->setAttr(
      BriskDialect::interfaceAttrName,
      InterfaceAttr::get(
          context,
          getPorts(function.getArgumentTypes(),
                   [&](unsigned i) { return function.getArgAttr(i, name); }),
          getPorts(function.getResultTypes(), [&](unsigned i) {
            return function.getResultAttr(i, name);
          })));

  for (Value result : terminator->getOperands()) {
    auto type = cast<RankedTensorType>(result.getType());
    Value place = block.addArgument(
        MemRefType::get(type.getShape(), type.getElementType()),
        result.getLoc());
    // What is reshaped last is written to its place seen in the other shape.
    auto start = OpBuilder::atBlockBegin(&block);
    while (Operation *op = result.getDefiningOp()) {
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
        place = memref::CollapseShapeOp::create(
            start, op->getLoc(), place, expand.getReassociationIndices());
        result = expand.getSrc();
      } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
        place = memref::ExpandShapeOp::create(
            start, op->getLoc(), collapse.getSrcType().getShape(), place,
            collapse.getReassociationIndices());
        result = collapse.getSrc();
      } else {
        break;
      }
    }
    bufferization::MaterializeInDestinationOp::create(
        b, result.getLoc(), Type(), result, place, /*restrict=*/true,
        /*writable=*/true);
  }
  terminator->setOperands(ValueRange());
  SmallVector<DictionaryAttr> none(block.getNumArguments(),
                                   DictionaryAttr::get(context));
  function.setFunctionType(
      FunctionType::get(context, block.getArgumentTypes(), {}));
  function.setAllArgAttrs(none);
  function->removeAttr(function.getResAttrsAttrName());
}

/// Turns constants outside groups into views of one more argument.
static LogicalResult takeWeights(func::FuncOp function, unsigned alignment) {
  llvm::MapVector<Attribute, int64_t> offsets;
  int64_t end = 0;
  SmallVector<ConstantOp> constants;
  WalkResult walk = function.walk([&](ConstantOp op) {
    if (op->getParentOfType<GroupOp>())
      return WalkResult::advance();
    if (op->use_empty()) {
      op->erase();
      return WalkResult::advance();
    }
    constants.push_back(op);
    ElementsAttr value = op.getValue();
    if (offsets.contains(value))
      return WalkResult::advance();
    int64_t offset = llvm::alignTo(end, alignment);
    offsets[value] = offset;
    end = offset + getByteSize(value.getShapedType());
    return failed(checkMemory(op, end)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  OpBuilder b(function.getContext());
  Value weights =
      addModelArgument(function, MemRefType::get({end}, b.getI8Type()));
  for (ConstantOp op : constants) {
    b.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op.getType());
    Value offset =
        arith::ConstantIndexOp::create(b, op.getLoc(), offsets[op.getValue()]);
    Value view = memref::ViewOp::create(
        b, op.getLoc(), MemRefType::get(type.getShape(), type.getElementType()),
        weights, offset, ValueRange());
    Value tensor = bufferization::ToTensorOp::create(b, op.getLoc(), type, view,
                                                     /*restrict=*/true);
    op.replaceAllUsesWith(tensor);
    op.erase();
  }
  SmallVector<Attribute> values;
  for (auto &[value, offset] : offsets)
    values.push_back(value);
  function->getParentOp()->setAttr(BriskDialect::weightsAttrName,
                                   b.getArrayAttr(values));
  return success();
}

/// Replaces arguments of no elements, whose types need not have the static
/// strides of a bare pointer, by views of the weights.
static void replaceEmptyArguments(func::FuncOp function) {
  Block &block = function.getBody().front();
  auto b = OpBuilder::atBlockBegin(&block);
  BlockArgument weights = getModelArgument(function, ModelArgument::Weights);
  for (BlockArgument argument :
       block.getArguments().take_front(weights.getArgNumber())) {
    auto type = cast<MemRefType>(argument.getType());
    if (type.getNumElements() != 0)
      continue;
    if (!argument.use_empty()) {
      Location loc = argument.getLoc();
      Value start = arith::ConstantIndexOp::create(b, loc, 0);
      argument.replaceAllUsesWith(
          memref::ViewOp::create(b, loc, type, weights, start, ValueRange()));
    }
    argument.setType(MemRefType::get(0, type.getElementType()));
  }
  function.setFunctionType(
      FunctionType::get(b.getContext(), block.getArgumentTypes(), {}));
}

namespace {
struct BufferizeModel : brisk::impl::BufferizeModelBase<BufferizeModel> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *target = getTarget(module);
    if (!target || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    unsigned alignment = target->platform.alignment;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (failed(checkFunction(function)))
        return signalPassFailure();
      takeDestinations(function);
      if (failed(takeWeights(function, alignment)))
        return signalPassFailure();
    }

    IRRewriter rewriter(&getContext());
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    // Every shape is static, so unknown layouts are the identity too.
    options.unknownTypeConverterFn =
        [](TensorType type, Attribute space,
           const bufferization::BufferizationOptions &) {
          return bufferization::getMemRefTypeWithStaticIdentityLayout(type,
                                                                      space);
        };
    options.bufferAlignment = alignment;
    // A group's region says what it computes, before and after.
    options.opFilter.denyOperation([](Operation *op) {
      return op->getParentOfType<GroupOp>() != nullptr;
    });
    options.memCpyFn = [&](OpBuilder &b, Location loc, Value from, Value to) {
      buildCopy(b, loc, from, to);
      return success();
    };
    if (failed(bufferization::eliminateEmptyTensors(rewriter, module)))
      return signalPassFailure();
    bufferization::BufferizationState bufferizationState;
    if (failed(bufferization::runOneShotModuleBufferize(module, options,
                                                        bufferizationState)))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      replaceEmptyArguments(function);
    SmallVector<GroupOp> groups;
    module.walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      compactOperands(group, alignment);
  }
};
} // namespace
