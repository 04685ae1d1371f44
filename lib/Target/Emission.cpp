//===- Emission.cpp - LLVM IR to objects ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Emission.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELF.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace brisk;

void brisk::initializeCodegen() {
  static const bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
    return true;
  }();
  (void)once;
}

/// LLVM asks some of the parts of a triple by their place, which they only have
/// in the normal form: "thumbv7em-none-eabihf" has no environment otherwise,
/// and code for it calls __divdi3 for the ABI's __aeabi_ldivmod.
static Triple getTriple(const brisk::Target &target) {
  return Triple(Triple::normalize(target.platform.triple));
}

static Expected<const llvm::Target *> lookup(const Triple &triple) {
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("%s", message.c_str());
  return target;
}

Expected<std::unique_ptr<TargetMachine>>
brisk::createMachine(const brisk::Target &target) {
  Triple triple = getTriple(target);
  auto generator = lookup(triple);
  if (!generator)
    return generator.takeError();
  TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  options.UseInitArray = true;
  options.FloatABIType = target.platform.floatAbi;
  // memcpy and its like by these names: firmware may have no others.
  options.EABIVersion = EABI::GNU;
  std::unique_ptr<TargetMachine> machine(
      (*generator)
          ->createTargetMachine(triple, target.cpu, target.features, options,
                                target.platform.pic ? Reloc::PIC_
                                                    : Reloc::Static,
                                std::nullopt, CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no code generator for %s",
                             target.platform.triple.c_str());
  return machine;
}

/// The one lane that a mask lets through; none if it is not constant or has
/// more.
static std::optional<unsigned> getOnlyLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  std::optional<unsigned> only;
  for (unsigned lane = 0; constant && type && lane < type->getNumElements();
       ++lane) {
    Constant *element = constant->getAggregateElement(lane);
    if (element && element->isNullValue())
      continue;
    if (only || !element || !element->isOneValue())
      return std::nullopt;
    only = lane;
  }
  return only;
}

/// Makes masked stores of one lane scalar ones. For AVX-512, LLVM 22 writes
/// such a lane as wide as it was before a truncation, over what lies behind.
static void storeSingleLanes(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
      continue;
    std::optional<unsigned> lane = getOnlyLane(store->getArgOperand(2));
    if (!lane)
      continue;
    IRBuilder<> builder(store);
    Value *value = store->getArgOperand(0);
    Type *type = value->getType()->getScalarType();
    uint64_t offset = *lane * function.getDataLayout().getTypeStoreSize(type);
    Value *address = builder.CreateConstInBoundsGEP1_32(
        type, store->getArgOperand(1), *lane);
    builder
        .CreateAlignedStore(
            builder.CreateExtractElement(value, *lane), address,
            commonAlignment(store->getParamAlign(1).valueOrOne(), offset))
        ->setAAMetadata(store->getAAMetadata());
    store->eraseFromParent();
  }
}

/// Copies signs of doubles by their bits where halves are made. LLVM 22 moves
/// a copied sign behind the roundings to float and to half, and then rounds the
/// double that it is taken from to half, by a function that is not there.
static void copySignBits(Function &function) {
  bool makesHalves = any_of(instructions(function), [](Instruction &i) {
    return isa<FPTruncInst>(i) && i.getType()->getScalarType()->isHalfTy();
  });
  if (!makesHalves)
    return;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *copy = dyn_cast<IntrinsicInst>(&instruction);
    if (!copy || copy->getIntrinsicID() != Intrinsic::copysign ||
        !copy->getType()->getScalarType()->isDoubleTy())
      continue;
    IRBuilder<> builder(copy);
    Type *bits = copy->getType()->getWithNewType(builder.getInt64Ty());
    Constant *sign = ConstantInt::get(bits, APInt::getSignMask(64));
    auto take = [&](unsigned operand, Constant *mask) {
      return builder.CreateAnd(
          builder.CreateBitCast(copy->getArgOperand(operand), bits), mask);
    };
    Value *result = builder.CreateBitCast(
        builder.CreateOr(take(0, ConstantExpr::getNot(sign)), take(1, sign)),
        copy->getType());
    copy->replaceAllUsesWith(result);
    copy->eraseFromParent();
  }
}

void brisk::optimize(Module &module, TargetMachine &machine,
                     OptimizationLevel level) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  // Kernels are unrolled as their schedules say.
  tuning.LoopUnrolling = false;
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);
  for (Function &function : module) {
    storeSingleLanes(function);
    copySignBits(function);
  }
}

Error brisk::emitModule(Module &module, TargetMachine &machine,
                        raw_pwrite_stream &os, bool assembly) {
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  assembly ? CodeGenFileType::AssemblyFile
                                           : CodeGenFileType::ObjectFile))
    return createStringError("the target cannot write this kind of file");
  passes.run(module);
  return Error::success();
}

bool brisk::isLargeData(const brisk::Target &target, uint64_t bytes) {
  constexpr uint64_t most = 64 << 20;
  return Triple(target.platform.triple).getArch() == Triple::x86_64 &&
         bytes > most;
}

uint64_t brisk::getDataLimit(const brisk::Target &target) {
  switch (Triple(target.platform.triple).getArch()) {
  case Triple::x86_64:
    return std::numeric_limits<int64_t>::max();
  case Triple::aarch64:
    // ADRP reaches 4 GiB, which code and other data are part of.
    return uint64_t(3) << 30;
  default:
    return std::numeric_limits<int32_t>::max();
  }
}

/// Says in an object that its section without contents has them, at `offset`.
template <typename ELFT>
static void setContents(MutableArrayRef<char> object, uint64_t offset) {
  using Header = typename ELFT::Shdr;
  auto file = cantFail(
      object::ELFFile<ELFT>::create(StringRef(object.data(), object.size())));
  for (const Header &header : cantFail(file.sections()))
    if (header.sh_type == ELF::SHT_NOBITS) {
      const_cast<Header &>(header).sh_type = ELF::SHT_PROGBITS;
      const_cast<Header &>(header).sh_offset = offset;
    }
}

Error brisk::emitData(const brisk::Target &target, StringRef symbol,
                      ArrayRef<ArrayRef<char>> pieces, StringRef ident,
                      raw_pwrite_stream &os) {
  Triple triple = getTriple(target);
  auto found = lookup(triple);
  if (!found)
    return found.takeError();
  const llvm::Target &generator = **found;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(generator.createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> assembler(
      generator.createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(generator.createMCInstrInfo());
  std::unique_ptr<MCSubtargetInfo> subtarget(
      generator.createMCSubtargetInfo(triple, target.cpu, target.features));
  MCContext context(triple, assembler.get(), registers.get(), subtarget.get());
  std::unique_ptr<MCObjectFileInfo> files(
      generator.createMCObjectFileInfo(context, target.platform.pic));
  context.setObjectFileInfo(files.get());
  std::unique_ptr<MCAsmBackend> backend(
      generator.createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<MCCodeEmitter> emitter(
      generator.createMCCodeEmitter(*instructions, context));
  SmallString<1024> object;
  raw_svector_ostream objectStream(object);
  std::unique_ptr<MCObjectWriter> writer =
      backend->createObjectWriter(objectStream);
  std::unique_ptr<MCStreamer> streamer(generator.createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::move(emitter), *subtarget));

  uint64_t total = 0;
  for (ArrayRef<char> piece : pieces)
    total = alignTo(total, target.platform.alignment) + piece.size();
  bool large = isLargeData(target, total);
  // MC would copy the bytes, which may be most of the memory there is: it
  // makes an object that leaves them out, and they are written behind it.
  MCSection *section = context.getELFSection(
      ((large ? ".lrodata." : ".rodata.") + symbol).str(), ELF::SHT_NOBITS,
      ELF::SHF_ALLOC | (large ? ELF::SHF_X86_64_LARGE : 0));
  streamer->switchSection(section);
  streamer->emitValueToAlignment(Align(target.platform.alignment));
  MCSymbol *label = context.getOrCreateSymbol(symbol);
  streamer->emitSymbolAttribute(label, MCSA_Global);
  streamer->emitSymbolAttribute(label, MCSA_Hidden);
  streamer->emitSymbolAttribute(label, MCSA_ELF_TypeObject);
  streamer->emitLabel(label);
  streamer->emitZeros(total);
  streamer->emitELFSize(label, MCConstantExpr::create(total, context));
  streamer->emitIdent(ident);
  // Linkers take an object without this mark for one that wants to run code on
  // the stack.
  if (MCSection *mark = assembler->getStackSection(context, /*Exec=*/false))
    streamer->switchSection(mark);
  streamer->finish();

  uint64_t place = alignTo(object.size(), target.platform.alignment);
  if (triple.isArch64Bit())
    setContents<object::ELF64LE>(object, place);
  else
    setContents<object::ELF32LE>(object, place);
  os << object;
  place = object.size();
  for (ArrayRef<char> piece : pieces) {
    uint64_t begin = alignTo(place, target.platform.alignment);
    os.write_zeros(begin - place).write(piece.data(), piece.size());
    place = begin + piece.size();
  }
  return Error::success();
}
