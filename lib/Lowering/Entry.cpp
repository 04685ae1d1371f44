//===- Entry.cpp - The C interface of a compiled model --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "brisk/Dialect/Ops.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace brisk;
using LLVM::ICmpPredicate;

LogicalResult ModelEntry::prepare() {
  auto interface =
      function->getAttrOfType<InterfaceAttr>(BriskDialect::interfaceAttrName);
  memory = function->getAttrOfType<MemoryAttr>(BriskDialect::memoryAttrName);
  if (!interface || !memory)
    return function.emitError("has no plan; run the plan stage first");
  inputs = interface.getInputs();
  outputs = interface.getOutputs();
  auto isBuffer = llvm::IsaPred<MemRefType>;
  if (function.getNumArguments() != inputs.size() + outputs.size() + 2 ||
      !llvm::all_of(function.getArgumentTypes(), isBuffer))
    return function.emitError("expected a buffer for each of its ")
           << inputs.size() << " inputs and " << outputs.size()
           << " outputs, for the weights and for the arena";
  weightsBytes = getWeightsBytes(function->getParentOfType<ModuleOp>(),
                                 platform.alignment);
  function.walk([&](LaunchOp launch) {
    kernelArguments =
        std::max<int64_t>(kernelArguments, launch.getOperands().size());
  });
  auto pointer = LLVM::LLVMPointerType::get(function.getContext());
  for (unsigned i = 0; i < 3; ++i) // hooks, kernels' arguments, status
    addModelArgument(function, pointer);
  // Its public name is that of NAME_call, to come.
  SymbolTable::setSymbolName(function, symbols.body());
  function.setPrivate();
  return success();
}

/// Whether one of an array's pointers is null that must not be: tensors of no
/// elements need no memory.
Value ModelEntry::findLack(CBuilder &b, Value array, ArrayAttr ports) {
  Value anyLacks = b.number(b.getI1Type(), 0);
  auto isEmpty = [](Attribute port) {
    return cast<PortAttr>(port).getType().getNumElements() == 0;
  };
  for (auto *begin = ports.begin(); begin != ports.end();) {
    auto *end = std::find_if(begin, ports.end(), isEmpty);
    if (begin != end) {
      Value lacks = b.call(symbols.lacks(),
                           {array, b.number(b.i64, begin - ports.begin()),
                            b.number(b.i64, end - ports.begin())},
                           b.getI1Type());
      anyLacks = LLVM::OrOp::create(b, anyLacks, lacks);
    }
    begin = end == ports.end() ? end : end + 1;
  }
  return anyLacks;
}

void ModelEntry::addCall(CBuilder &b) {
  Value call =
      b.function(symbols.call(), b.pointer, b.i32, LLVM::Linkage::External)
          .getArgument(0);
  Value status = b.room(b.i32);
  Value kernelRoom = b.room(b.pointer, kernelArguments);
  auto refuse = [&](Value fault, brisk_status reason) {
    // The model's function is inlined where it is likely to be called.
    b.when(fault, [&] { b.ret(b.number(b.i32, reason)); }, /*unlikely=*/true);
  };
  auto isShort = [&](Value size, uint64_t least) {
    return b.compare(ICmpPredicate::ult, size, b.number(b.i32, least));
  };
  unsigned addressBytes = platform.indexBits / 8;
  refuse(b.isNull(call), BRISK_ERROR_NULL);
  refuse(isShort(b.get(call, &brisk_call::size),
                 getSizeOf<brisk_call>(addressBytes)),
         BRISK_ERROR_SIZE);
  Value hooks = b.get(call, &brisk_call::hooks);
  b.when(b.isSet(hooks), [&] {
    refuse(isShort(b.get(hooks, &brisk_hooks::size),
                   getSizeOf<brisk_hooks>(addressBytes)),
           BRISK_ERROR_SIZE);
  });
  Value inputArray = b.get(call, &brisk_call::inputs);
  Value outputArray = b.get(call, &brisk_call::outputs);
  if (!inputs.empty())
    refuse(b.isNull(inputArray), BRISK_ERROR_NULL);
  if (!outputs.empty())
    refuse(b.isNull(outputArray), BRISK_ERROR_NULL);
  Value arena = b.null();
  if (memory.getBytes() || memory.getBytesPerWorker()) {
    Value blocks = b.get(call, &brisk_call::memory);
    refuse(b.isNull(blocks), BRISK_ERROR_NULL);
    arena = b.load(b.pointer, blocks);
    refuse(b.isNull(arena), BRISK_ERROR_NULL);
    Type word = b.getIntegerType(platform.indexBits);
    Value rest =
        LLVM::AndOp::create(b, LLVM::PtrToIntOp::create(b, word, arena),
                            b.number(word, platform.alignment - 1));
    refuse(b.compare(ICmpPredicate::ne, rest, b.number(word, 0)),
           BRISK_ERROR_ALIGNMENT);
  }
  refuse(LLVM::OrOp::create(b, findLack(b, inputArray, inputs),
                            findLack(b, outputArray, outputs)),
         BRISK_ERROR_NULL);
  LLVM::StoreOp::create(b, b.number(b.i32, BRISK_OK), status);
  Value weights =
      weightsBytes
          ? Value(LLVM::AddressOfOp::create(b, b.pointer, symbols.weights()))
          : b.null();
  // The arrays of tensors, and then what ModelArgument lists.
  b.call(symbols.body(),
         {inputArray, outputArray, weights, arena, hooks, kernelRoom, status});
  b.ret(b.load(b.i32, status));
}

void ModelEntry::addTask(LLVM::LLVMFuncOp kernel) {
  CBuilder b(kernel.getLoc(), OpBuilder::atBlockEnd(&kernel.getBody().back()));
  kernel.setLinkage(LLVM::Linkage::Internal);
  auto task = b.function(ModelSymbols::task(kernel.getName()),
                         {b.pointer, b.pointer}, {}, LLVM::Linkage::External);
  task.setVisibility_(LLVM::Visibility::Hidden);
  Value args = task.getArgument(0), work = task.getArgument(1);
  SmallVector<Value> arguments;
  unsigned buffers = kernel.getNumArguments() - 2;
  for (unsigned i = 0; i < buffers; ++i) {
    Value buffer = b.load(b.pointer, b.at(b.pointer, args, i));
    if (kernel.getArgAttr(i, BriskDialect::perWorkerAttrName)) {
      // Translation to LLVM IR knows none of it.
      kernel.removeArgAttr(i, BriskDialect::perWorkerAttrName);
      Value worker =
          LLVM::ZExtOp::create(b, b.i64, b.get(work, &brisk_work::worker));
      Value offset = LLVM::MulOp::create(
          b, worker, b.number(b.i64, memory.getBytesPerWorker()));
      buffer = b.at(b.getI8Type(), buffer, offset);
    }
    arguments.push_back(buffer);
  }
  Type word = kernel.getArgumentTypes().back();
  for (auto field : {&brisk_work::begin, &brisk_work::end}) {
    Value bound = b.get(work, field);
    arguments.push_back(
        word == b.i64 ? bound : Value(LLVM::TruncOp::create(b, word, bound)));
  }
  b.call(kernel.getName(), arguments);
  b.ret();
}

void ModelEntry::addStart(CBuilder &b, ModuleOp module) {
  bool usesTiles = module
                       .walk([&](LLVM::CallIntrinsicOp call) {
                         return call.getIntrin() == tiles.configure
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (!usesTiles || !llvm::Triple(platform.triple).isOSLinux())
    return;
  b.function(symbols.start(), {});
  LLVM::InlineAsmOp::create(b, b.getLoc(), Type(), ValueRange(), tiles.request,
                            tiles.requestClobbers, /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
  b.ret();
  b.setInsertionPointToEnd(module.getBody());
  constexpr int32_t usual = 65535;
  LLVM::GlobalCtorsOp::create(
      b,
      b.getArrayAttr(FlatSymbolRefAttr::get(b.getContext(), symbols.start())),
      b.getI32ArrayAttr(usual),
      b.getArrayAttr(LLVM::ZeroAttr::get(b.getContext())));
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

void ModelEntry::finish(ModuleOp module, ArrayRef<std::string> kernels,
                        bool profile) {
  auto body = module.lookupSymbol<LLVM::LLVMFuncOp>(symbols.body());
  body.setLinkage(LLVM::Linkage::Internal);
  takeArrays(body);
  CBuilder b(body.getLoc(), OpBuilder::atBlockEnd(module.getBody()));
  if (weightsBytes)
    LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), weightsBytes),
        /*isConstant=*/true, LLVM::Linkage::External, symbols.weights(),
        Attribute(), platform.alignment)
        .setVisibility_(LLVM::Visibility::Hidden);
  addHelpers(b, profile);
  addCall(b);
  addStart(b, module);
  for (StringRef kernel : kernels)
    addTask(module.lookupSymbol<LLVM::LLVMFuncOp>(kernel));
}
