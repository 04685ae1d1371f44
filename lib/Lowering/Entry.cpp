//===- Entry.cpp - The C interface of a compiled model --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "brisk/Dialect/StructuralOps.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/model.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace brisk;

static constexpr llvm::StringLiteral modelAttrName = "brisk.model";

StringRef brisk::getModelName(FunctionOpInterface function) {
  return function->getParentOfType<ModuleOp>()
      ->getAttrOfType<StringAttr>(modelAttrName)
      .getValue();
}

ModelEntry::ModelEntry(func::FuncOp function, const CodegenInfo &info)
    : function(function), info(info), name(function.getName()) {}

LogicalResult ModelEntry::prepare(bool profile) {
  auto module = function->getParentOfType<ModuleOp>();
  inputs = function->getAttrOfType<ArrayAttr>(inputTypesAttrName);
  outputs = function->getAttrOfType<ArrayAttr>(outputTypesAttrName);
  auto arena = function->getAttrOfType<IntegerAttr>(arenaBytesAttrName);
  auto weights = function->getAttrOfType<IntegerAttr>(weightsBytesAttrName);
  if (!inputs || !outputs || !arena || !weights)
    return function.emitError("has no plan; run the plan stage first");
  arenaBytes = arena.getInt();
  weightsBytes = weights.getInt();

  OpBuilder b(function.getContext());
  module->setAttr(modelAttrName, b.getStringAttr(name));
  Block &block = function.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  block.addArguments({pointer, pointer},
                     {function.getLoc(), function.getLoc()});
  function.setFunctionType(b.getFunctionType(block.getArgumentTypes(), {}));
  int64_t most = 1;
  function.walk([&](LaunchOp launch) {
    most = std::max<int64_t>(most, launch.getOperands().size());
  });
  b.setInsertionPointToStart(&block);
  Value count = LLVM::ConstantOp::create(b, function.getLoc(), b.getI32Type(),
                                         b.getI32IntegerAttr(most));
  LLVM::AllocaOp::create(b, function.getLoc(), pointer, pointer, count);
  // Its public name is that of NAME_run, to come.
  SymbolTable::setSymbolName(function, EntryNames(name).body());
  function.setPrivate();
  return addHelpers(module, name, profile);
}

void ModelEntry::buildRun(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto b = ImplicitLocOpBuilder::atBlockEnd(
      NameLoc::get(StringAttr::get(context, name)), module.getBody());
  EntryNames names(name);
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = b.getI32Type();
  Type word = b.getIntegerType(info.indexBits);

  if (weightsBytes) {
    auto global = LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), weightsBytes),
        /*isConstant=*/true, LLVM::Linkage::External, names.weights(),
        Attribute(), info.alignment);
    global.setVisibility_(LLVM::Visibility::Hidden);
  }
  auto run = LLVM::LLVMFuncOp::create(
      b, names.run(),
      LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer, pointer}));
  Block *check = run.addEntryBlock(b);
  Block *work = b.createBlock(&run.getBody());
  Block *null = b.createBlock(&run.getBody());
  Block *align = b.createBlock(&run.getBody());
  Block *misaligned = b.createBlock(&run.getBody());
  Block *take = b.createBlock(&run.getBody());
  auto fail = [&](Block *block, brisk_status value) {
    b.setInsertionPointToEnd(block);
    Value constant =
        LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(value));
    LLVM::ReturnOp::create(b, constant);
  };
  fail(null, BRISK_ERROR_NULL);
  fail(misaligned, BRISK_ERROR_ALIGNMENT);

  b.setInsertionPointToEnd(check);
  Value one = LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(1));
  Value status = LLVM::AllocaOp::create(b, pointer, i32, one);
  Value zero = LLVM::ZeroOp::create(b, pointer);
  SmallVector<Value> required;
  if (!inputs.empty())
    required.push_back(run.getArgument(0));
  if (!outputs.empty())
    required.push_back(run.getArgument(1));
  if (arenaBytes)
    required.push_back(run.getArgument(2));
  Value anyIsNull =
      LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(false));
  for (Value given : required) {
    Value isNull =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, given, zero);
    anyIsNull = LLVM::OrOp::create(b, anyIsNull, isNull);
  }
  LLVM::CondBrOp::create(b, anyIsNull, null, align);

  b.setInsertionPointToEnd(align);
  Value address = LLVM::PtrToIntOp::create(b, word, run.getArgument(2));
  Value mask = LLVM::ConstantOp::create(
      b, word, b.getIntegerAttr(word, arenaBytes ? info.alignment - 1 : 0));
  Value rest = LLVM::AndOp::create(b, address, mask);
  Value none = LLVM::ConstantOp::create(b, word, b.getIntegerAttr(word, 0));
  Value odd = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, rest, none);
  LLVM::CondBrOp::create(b, odd, misaligned, take);

  b.setInsertionPointToEnd(take);
  Value anyLacks =
      LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(false));
  auto checkArray = [&](Value array, ArrayAttr types) {
    // Tensors of no elements need no memory.
    auto isRequired = [&](int64_t i) {
      return cast<ShapedType>(cast<TypeAttr>(types[i]).getValue())
                 .getNumElements() != 0;
    };
    int64_t count = types.size();
    for (int64_t begin = 0, end; begin < count; begin = end + 1) {
      for (end = begin; end < count && isRequired(end);)
        ++end;
      if (begin == end)
        continue;
      Type i64 = b.getI64Type();
      Value from = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(begin));
      Value to = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(end));
      Value lacks =
          LLVM::CallOp::create(b, TypeRange(b.getI1Type()), names.lacks(),
                               ValueRange{array, from, to})
              .getResult();
      anyLacks = LLVM::OrOp::create(b, anyLacks, lacks);
    }
  };
  checkArray(run.getArgument(0), inputs);
  checkArray(run.getArgument(1), outputs);
  LLVM::CondBrOp::create(b, anyLacks, null, work);

  b.setInsertionPointToEnd(work);
  Value ok = LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(BRISK_OK));
  LLVM::StoreOp::create(b, ok, status);
  // The order is that of bufferize-model and plan-memory.
  SmallVector<Value> arguments = {run.getArgument(0), run.getArgument(1)};
  arguments.push_back(weightsBytes ? Value(LLVM::AddressOfOp::create(
                                         b, pointer, names.weights()))
                                   : Value(LLVM::ZeroOp::create(b, pointer)));
  arguments.push_back(run.getArgument(2));
  arguments.push_back(run.getArgument(3));
  arguments.push_back(status);
  LLVM::CallOp::create(b, TypeRange(), names.body(), arguments);
  Value result = LLVM::LoadOp::create(b, i32, status);
  LLVM::ReturnOp::create(b, result);
}

void ModelEntry::buildTask(ModuleOp module, StringRef kernel) {
  auto target = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel);
  MLIRContext *context = module.getContext();
  ImplicitLocOpBuilder b(target.getLoc(), context);
  b.setInsertionPointAfter(target);
  target.setLinkage(LLVM::Linkage::Internal);
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = b.getI64Type();
  auto task = LLVM::LLVMFuncOp::create(
      b, EntryNames(name).task(kernel),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, i64, i64}));
  task.setVisibility_(LLVM::Visibility::Hidden);
  task.addEntryBlock(b);
  b.setInsertionPointToEnd(&task.getBody().front());
  SmallVector<Value> arguments;
  unsigned buffers = target.getNumArguments() - 2;
  for (unsigned i = 0; i < buffers; ++i) {
    Value slot =
        LLVM::GEPOp::create(b, pointer, pointer, task.getArgument(0),
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    arguments.push_back(LLVM::LoadOp::create(b, pointer, slot));
  }
  for (unsigned i = 1; i <= 2; ++i) {
    Value bound = task.getArgument(i);
    Type word = target.getArgumentTypes()[buffers + i - 1];
    if (word != i64)
      bound = LLVM::TruncOp::create(b, word, bound);
    arguments.push_back(bound);
  }
  LLVM::CallOp::create(b, target, arguments);
  LLVM::ReturnOp::create(b, ValueRange());
}

/// Where a field of a descriptor comes from, as far as that can be seen.
static Value traceField(LLVM::ExtractValueOp field) {
  Value container = field.getContainer();
  while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == field.getPosition())
      return insert.getValue();
    container = insert.getContainer();
  }
  return {};
}

void ModelEntry::takeArrays(LLVM::LLVMFuncOp body) {
  Block &block = body.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(body.getContext());
  unsigned count = inputs.size() + outputs.size();
  Value arrays[] = {block.insertArgument(0u, pointer, body.getLoc()),
                    block.insertArgument(1u, pointer, body.getLoc())};
  auto load = [&](BlockArgument argument, OpBuilder b) -> Value {
    unsigned number = argument.getArgNumber() - 2;
    bool isInput = number < inputs.size();
    auto index =
        static_cast<int32_t>(isInput ? number : number - inputs.size());
    Value slot =
        LLVM::GEPOp::create(b, body.getLoc(), pointer, pointer,
                            arrays[!isInput], ArrayRef<LLVM::GEPArg>{index});
    return LLVM::LoadOp::create(b, body.getLoc(), pointer, slot);
  };
  auto isTensor = [&](BlockArgument argument) {
    return argument && argument.getOwner() == &block &&
           argument.getArgNumber() >= 2 && argument.getArgNumber() < count + 2;
  };
  SmallVector<LLVM::ExtractValueOp> fields;
  body.walk([&](LLVM::ExtractValueOp field) {
    if (isTensor(dyn_cast_if_present<BlockArgument>(traceField(field))))
      fields.push_back(field);
  });
  for (LLVM::ExtractValueOp field : fields) {
    Value loaded =
        load(cast<BlockArgument>(traceField(field)), OpBuilder(field));
    field.replaceAllUsesWith(loaded);
    field.erase();
  }
  // What is left are descriptors, most of which nothing reads any more.
  for (unsigned i = 2; i < count + 2; ++i)
    if (BlockArgument argument = block.getArgument(i); !argument.use_empty())
      argument.replaceAllUsesWith(
          load(argument, OpBuilder::atBlockBegin(&block)));
  block.eraseArguments(2, count);
  body.setFunctionType(
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(body.getContext()),
                                  llvm::to_vector(block.getArgumentTypes())));
  body.removeArgAttrsAttr();
}

void ModelEntry::finish(ModuleOp module, ArrayRef<std::string> kernels) {
  auto body = module.lookupSymbol<LLVM::LLVMFuncOp>(EntryNames(name).body());
  body.setLinkage(LLVM::Linkage::Internal);
  takeArrays(body);
  buildRun(module);
  for (StringRef kernel : kernels)
    buildTask(module, kernel);
}
