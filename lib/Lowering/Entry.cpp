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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace brisk;

static constexpr llvm::StringLiteral modelAttrName = "brisk.model";

StringRef brisk::getModelName(FunctionOpInterface function) {
  return function->getParentOfType<ModuleOp>()
      ->getAttrOfType<StringAttr>(modelAttrName)
      .getValue();
}

// brisk_hooks is {context, clock, parallel_for, trace}; brisk_trace is
// {records, capacity, count, dropped}; brisk_record is {op, reserved, start,
// end}.
static constexpr llvm::StringLiteral dispatchSource = R"mlir(
llvm.func internal @NAME_dispatch(%hooks: !llvm.ptr, %task: !llvm.ptr,
                                  %args: !llvm.ptr, %count: i64)
    attributes {passthrough = ["noinline"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %given = llvm.icmp "ne" %hooks, %null : !llvm.ptr
  %several = llvm.icmp "sgt" %count, %one : i64
  %look = llvm.and %given, %several : i1
  llvm.cond_br %look, ^look, ^serial
^look:
  %slot = llvm.getelementptr inbounds %hooks[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %for = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %set = llvm.icmp "ne" %for, %null : !llvm.ptr
  llvm.cond_br %set, ^parallel, ^serial
^parallel:
  %context = llvm.load %hooks : !llvm.ptr -> !llvm.ptr
  llvm.call %for(%context, %task, %args, %count) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
^serial:
  llvm.call %task(%args, %zero, %count) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
  llvm.return
}
)mlir";

// NAME_trace is the trace where there is a clock for it, else null.
static constexpr llvm::StringLiteral profileSource = R"mlir(
llvm.func internal @NAME_trace(%hooks: !llvm.ptr) -> !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  %given = llvm.icmp "ne" %hooks, %null : !llvm.ptr
  llvm.cond_br %given, ^look, ^none
^look:
  %traceSlot = llvm.getelementptr inbounds %hooks[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %trace = llvm.load %traceSlot : !llvm.ptr -> !llvm.ptr
  %clockSlot = llvm.getelementptr inbounds %hooks[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %clock = llvm.load %clockSlot : !llvm.ptr -> !llvm.ptr
  %set = llvm.icmp "ne" %clock, %null : !llvm.ptr
  %timed = llvm.select %set, %trace, %null : i1, !llvm.ptr
  llvm.return %timed : !llvm.ptr
^none:
  llvm.return %null : !llvm.ptr
}

llvm.func internal @NAME_clock(%hooks: !llvm.ptr) -> i64
    attributes {passthrough = ["noinline"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %trace = llvm.call @NAME_trace(%hooks) : (!llvm.ptr) -> !llvm.ptr
  %traced = llvm.icmp "ne" %trace, %null : !llvm.ptr
  llvm.cond_br %traced, ^read, ^none
^read:
  %context = llvm.load %hooks : !llvm.ptr -> !llvm.ptr
  %clockSlot = llvm.getelementptr inbounds %hooks[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %clock = llvm.load %clockSlot : !llvm.ptr -> !llvm.ptr
  %now = llvm.call %clock(%context) : !llvm.ptr, (!llvm.ptr) -> i64
  llvm.return %now : i64
^none:
  llvm.return %zero : i64
}

llvm.func internal @NAME_record(%hooks: !llvm.ptr, %op: i32, %start: i64)
    attributes {passthrough = ["noinline"]} {
  %none = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %more = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %trace = llvm.call @NAME_trace(%hooks) : (!llvm.ptr) -> !llvm.ptr
  %traced = llvm.icmp "ne" %trace, %null : !llvm.ptr
  llvm.cond_br %traced, ^read, ^out
^read:
  %end = llvm.call @NAME_clock(%hooks) : (!llvm.ptr) -> i64
  %capacitySlot = llvm.getelementptr inbounds %trace[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %capacity = llvm.load %capacitySlot : !llvm.ptr -> i32
  %countSlot = llvm.getelementptr inbounds %trace[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %count = llvm.load %countSlot : !llvm.ptr -> i32
  %room = llvm.icmp "ult" %count, %capacity : i32
  llvm.cond_br %room, ^write, ^drop
^write:
  %records = llvm.load %trace : !llvm.ptr -> !llvm.ptr
  %wide = llvm.zext %count : i32 to i64
  %opSlot = llvm.getelementptr inbounds %records[%wide, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %op, %opSlot : i32, !llvm.ptr
  %reservedSlot = llvm.getelementptr inbounds %records[%wide, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %none, %reservedSlot : i32, !llvm.ptr
  %startSlot = llvm.getelementptr inbounds %records[%wide, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %start, %startSlot : i64, !llvm.ptr
  %endSlot = llvm.getelementptr inbounds %records[%wide, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %end, %endSlot : i64, !llvm.ptr
  %next = llvm.add %count, %one : i32
  llvm.store %next, %countSlot : i32, !llvm.ptr
  llvm.return
^drop:
  %droppedSlot = llvm.getelementptr inbounds %trace[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %dropped = llvm.load %droppedSlot : !llvm.ptr -> i64
  %lost = llvm.add %dropped, %more : i64
  llvm.store %lost, %droppedSlot : i64, !llvm.ptr
  llvm.return
^out:
  llvm.return
}
)mlir";

/// Parses LLVM dialect functions into `module`, with NAME replaced.
static LogicalResult addSource(ModuleOp module, StringRef source,
                               StringRef name) {
  std::string text;
  while (!source.empty()) {
    auto [before, after] = source.split("NAME");
    text += before;
    if (before.size() != source.size())
      text += name;
    source = after;
  }
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, module.getContext());
  if (!parsed)
    return failure();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           parsed->getBody()->getOperations());
  return success();
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
  if (failed(addSource(module, dispatchSource, name)))
    return failure();
  return profile ? addSource(module, profileSource, name) : success();
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
  auto isAnyNull = [&](ArrayRef<Value> pointers) {
    Value any =
        LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(false));
    for (Value given : pointers) {
      Value isNull =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, given, zero);
      any = LLVM::OrOp::create(b, any, isNull);
    }
    return any;
  };
  SmallVector<Value> required;
  if (!inputs.empty())
    required.push_back(run.getArgument(0));
  if (!outputs.empty())
    required.push_back(run.getArgument(1));
  if (arenaBytes)
    required.push_back(run.getArgument(2));
  LLVM::CondBrOp::create(b, isAnyNull(required), null, align);

  b.setInsertionPointToEnd(align);
  Value address = LLVM::PtrToIntOp::create(b, word, run.getArgument(2));
  Value mask = LLVM::ConstantOp::create(
      b, word, b.getIntegerAttr(word, arenaBytes ? info.alignment - 1 : 0));
  Value rest = LLVM::AndOp::create(b, address, mask);
  Value none = LLVM::ConstantOp::create(b, word, b.getIntegerAttr(word, 0));
  Value odd = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, rest, none);
  LLVM::CondBrOp::create(b, odd, misaligned, take);

  b.setInsertionPointToEnd(take);
  required.clear();
  SmallVector<Value> arguments;
  auto takeFrom = [&](Value array, ArrayAttr types) {
    for (auto [i, type] : llvm::enumerate(types.getAsValueRange<TypeAttr>())) {
      Value slot =
          LLVM::GEPOp::create(b, pointer, pointer, array,
                              ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      arguments.push_back(LLVM::LoadOp::create(b, pointer, slot));
      if (cast<ShapedType>(type).getNumElements() != 0)
        required.push_back(arguments.back());
    }
  };
  takeFrom(run.getArgument(0), inputs);
  takeFrom(run.getArgument(1), outputs);
  LLVM::CondBrOp::create(b, isAnyNull(required), null, work);

  b.setInsertionPointToEnd(work);
  Value ok = LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(BRISK_OK));
  LLVM::StoreOp::create(b, ok, status);
  // The order is that of bufferize-model and plan-memory.
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

void ModelEntry::finish(ModuleOp module, ArrayRef<std::string> kernels) {
  auto body = module.lookupSymbol<LLVM::LLVMFuncOp>(EntryNames(name).body());
  body.setLinkage(LLVM::Linkage::Internal);
  buildRun(module);
  for (StringRef kernel : kernels)
    buildTask(module, kernel);
}
