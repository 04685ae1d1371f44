//===- Package.cpp - From the LLVM dialect to files -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Package.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/System/OutputFiles.h"
#include "brisk/System/RunTool.h"
#include "brisk/Target/Emission.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>

using namespace brisk;
using llvm::Error;
using llvm::Expected;

std::string brisk::findEmitFault(const Target &target, Emit emit) {
  if (target.platform.hosted || (emit != Emit::Shared && emit != Emit::Exe))
    return "";
  return "target '" + target.name +
         "' has no operating system to load programs; emit lib or obj";
}

/// Functions of one piece of code: enough that a piece's fixed cost does not
/// count, few enough that cores share the work evenly.
static constexpr size_t functionsPerPiece = 6;

/// Splits off the kernels of `module`, some a piece. Symbols used across pieces
/// are declared in the piece that uses them.
static std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
splitKernels(mlir::ModuleOp module) {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> pieces;
  mlir::OpBuilder b(module.getContext());
  // A kernel and the task that calls it are neighbours; the task is the symbol
  // that others use.
  std::vector<std::pair<mlir::LLVM::LLVMFuncOp, mlir::LLVM::LLVMFuncOp>> tasks;
  for (auto task : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (llvm::StringRef kernel = ModelSymbols::getKernel(task.getName());
        !kernel.empty())
      tasks.emplace_back(module.lookupSymbol<mlir::LLVM::LLVMFuncOp>(kernel),
                         task);
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (i % functionsPerPiece == 0)
      pieces.push_back(mlir::ModuleOp::create(module.getLoc()));
    mlir::Block *body = pieces.back()->getBody();
    auto [kernel, task] = tasks[i];
    b.setInsertionPointToEnd(module.getBody());
    auto declaration = mlir::LLVM::LLVMFuncOp::create(
        b, task.getLoc(), task.getName(), task.getFunctionType());
    declaration.setVisibility_(mlir::LLVM::Visibility::Hidden);
    kernel->moveBefore(body, body->end());
    task->moveBefore(body, body->end());
  }
  // What kernels refer to beside each other: tables, and functions of the
  // target's compiler.
  mlir::SymbolTable symbols(module);
  for (auto &piece : pieces) {
    mlir::SymbolTable here(*piece);
    llvm::SetVector<mlir::StringAttr> used;
    piece->walk([&](mlir::Operation *op) {
      if (auto address = mlir::dyn_cast<mlir::LLVM::AddressOfOp>(op))
        used.insert(address.getGlobalNameAttr().getAttr());
      else if (auto call = mlir::dyn_cast<mlir::LLVM::CallOp>(op))
        if (mlir::FlatSymbolRefAttr callee = call.getCalleeAttr())
          used.insert(callee.getAttr());
    });
    for (mlir::StringAttr name : used)
      if (mlir::Operation *outside = symbols.lookup(name))
        if (!here.lookup(name))
          here.insert(outside->clone());
  }
  return pieces;
}

/// What the section .comment says of a model.
static std::string getIdent(const ModelInfo &model) {
  return model.compiler + ": model " + model.name + ", " + model.flags +
         ", source SHA-256 " + model.sourceSha256;
}

/// Translates one module to LLVM IR for `machine`.
static Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, llvm::LLVMContext &context,
          const ModelInfo &model, const Target &target,
          llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> result =
      mlir::translateModuleToLLVMIR(module, context);
  if (!result)
    return llvm::createStringError("cannot translate to LLVM IR");
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  result->getOrInsertNamedMetadata("llvm.ident")
      ->addOperand(llvm::MDNode::get(
          context, llvm::MDString::get(context, getIdent(model))));
  // The weights, which lie in an object of their own.
  for (llvm::GlobalVariable &global : result->globals())
    if (global.isDeclaration() &&
        isLargeData(target, result->getDataLayout().getTypeAllocSize(
                                global.getValueType())))
      global.setCodeModel(llvm::CodeModel::Large);
  for (llvm::Function &function : *result) {
    // What lies below the stack pointer is not in any frame's size.
    function.addFnAttr(llvm::Attribute::NoRedZone);
    if (!target.platform.unwindTables)
      function.setDoesNotThrow();
  }
  return result;
}

Error Packager::writeText(Emit emit, llvm::raw_pwrite_stream &os) {
  initializeCodegen();
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto whole = translate(module, context, model, target, **machine);
  if (!whole)
    return whole.takeError();
  addDescriptor(**whole, model, /*withGetter=*/false);
  optimize(**whole, **machine, llvm::OptimizationLevel::O3);
  if (emit == Emit::Llvm) {
    (*whole)->print(os, nullptr);
    return Error::success();
  }
  return emitModule(**whole, **machine, os, /*assembly=*/true);
}

Error Packager::compile(const ScratchFolder &folder, bool withGetter) {
  initializeCodegen();
  auto pieces = splitKernels(module);
  // The model's function and the descriptor go last.
  size_t count = pieces.size() + 1;
  std::vector<std::string> errors(count + 1);
  objects.assign(count, {});
  std::vector<StackUsage> stacks(count);
  uint64_t vectorBytes = target.isa.vectors.bits / 8;
  auto writeObject = [&](size_t i) -> Error {
    auto machine = createMachine(target);
    if (!machine)
      return machine.takeError();
    llvm::LLVMContext context;
    mlir::ModuleOp piece = i < pieces.size() ? pieces[i].get() : module;
    auto code = translate(piece, context, model, target, **machine);
    if (!code)
      return code.takeError();
    if (i == pieces.size())
      addDescriptor(**code, model, withGetter);
    (*code)->setModuleIdentifier(model.name);
    (*code)->setSourceFileName(model.name);
    // The model's function only launches kernels, maybe thousands, one after
    // the other: passes that take time by the square find nothing in it.
    optimize(**code, **machine,
             i < pieces.size() ? llvm::OptimizationLevel::O3
                               : llvm::OptimizationLevel::O1);
    stacks[i].watch(**code, vectorBytes, target.isa.vectors.mostScale);
    std::string number = i < pieces.size() ? "_" + std::to_string(i) : "";
    return folder
        .write(model.name + number + ".o",
               [&](llvm::raw_fd_ostream &os) {
                 return emitModule(**code, **machine, os, /*assembly=*/false);
               })
        .moveInto(objects[i]);
  };
  auto weights =
      module->getAttrOfType<mlir::ArrayAttr>(BriskDialect::weightsAttrName);
  auto writeWeights = [&]() -> Error {
    if (!weights || !model.weightsBytes)
      return Error::success();
    std::vector<ElementBytes> bytes;
    std::vector<llvm::ArrayRef<char>> views;
    bytes.reserve(weights.size());
    for (auto value : weights.getAsRange<mlir::ElementsAttr>()) {
      bytes.emplace_back(value);
      views.push_back(bytes.back().bytes());
    }
    std::string symbol = ModelSymbols(model.name).weights();
    return folder
        .write(symbol + ".o",
               [&](llvm::raw_fd_ostream &os) {
                 return emitData(target, symbol, views, getIdent(model), os);
               })
        .moveInto(weightsObject);
  };
  mlir::parallelFor(module.getContext(), 0, count + 1, [&](size_t i) {
    if (Error error = i == 0 ? writeWeights() : writeObject(i - 1))
      errors[i] = llvm::toString(std::move(error));
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError("%s", error.c_str());
  for (const StackUsage &piece : stacks)
    stack.merge(piece);
  // Who reads the object has as much in memory again.
  if (weights)
    for (auto value : weights.getAsRange<mlir::ElementsAttr>())
      releaseResource(value);
  return Error::success();
}

Error Packager::checkSymbols() const {
  llvm::StringSet<> defined;
  llvm::SetVector<llvm::StringRef> undefined;
  std::vector<llvm::object::OwningBinary<llvm::object::ObjectFile>> files;
  for (const std::string &path : getObjects()) {
    auto object = llvm::object::ObjectFile::createObjectFile(path);
    if (!object)
      return object.takeError();
    files.push_back(std::move(*object));
    for (llvm::object::SymbolRef symbol : files.back().getBinary()->symbols()) {
      Expected<uint32_t> flags = symbol.getFlags();
      Expected<llvm::StringRef> name = symbol.getName();
      if (!flags || !name)
        return llvm::joinErrors(flags.takeError(), name.takeError());
      if (*flags & llvm::object::SymbolRef::SF_FormatSpecific)
        continue;
      if (*flags & llvm::object::SymbolRef::SF_Undefined)
        undefined.insert(*name);
      else
        defined.insert(*name);
    }
  }
  for (llvm::StringRef name : undefined) {
    bool given = defined.contains(name) || name == "memcpy" ||
                 name == "memmove" || name == "memset" ||
                 name == "_GLOBAL_OFFSET_TABLE_" ||
                 (!target.platform.helperPrefix.empty() &&
                  name.starts_with(target.platform.helperPrefix));
    if (!given)
      return llvm::createStringError(
          "the code needs function '%s', which target '%s' does not have; "
          "compute in f32 or in narrower integers",
          name.str().c_str(), target.name.c_str());
  }
  return Error::success();
}

Expected<PackageSizes> Packager::measure() const {
  PackageSizes sizes;
  for (const std::string &path : objects) {
    auto object = llvm::object::ObjectFile::createObjectFile(path);
    if (!object)
      return object.takeError();
    for (llvm::object::SectionRef section : object->getBinary()->sections()) {
      llvm::object::ELFSectionRef elf(section);
      if (!(elf.getFlags() & llvm::ELF::SHF_ALLOC))
        continue;
      (section.isText() ? sizes.codeBytes : sizes.dataBytes) +=
          section.getSize();
      Expected<llvm::StringRef> name = section.getName();
      if (!name)
        return name.takeError();
      // Every function has a section of its own.
      if (section.isText() && name->consume_front(".text."))
        sizes.kernels.push_back({name->str(), section.getSize()});
    }
  }
  llvm::sort(sizes.kernels, [](const KernelSize &a, const KernelSize &b) {
    return std::tie(b.bytes, a.name) < std::tie(a.bytes, b.name);
  });
  sizes.stackBytes = stack.getDepth(ModelSymbols(model.name).call());
  return sizes;
}

/// The runtime's libraries: beside the program, in the build tree or installed.
static std::string getRuntimeFolder() {
  static int anchor;
  std::string program =
      llvm::sys::fs::getMainExecutable("briskc", static_cast<void *>(&anchor));
  llvm::SmallString<128> path(llvm::sys::path::parent_path(program));
  llvm::SmallString<128> installed(path);
  llvm::sys::path::append(path, "..", "lib");
  llvm::sys::path::append(installed, "..", BRISK_INSTALL_LIBDIR);
  if (llvm::sys::fs::exists(installed + "/libbrisk_core.a"))
    path = installed;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::vector<std::string> Packager::getObjects() const {
  std::vector<std::string> paths(objects);
  if (!weightsObject.empty())
    paths.push_back(weightsObject);
  return paths;
}

Error Packager::writeArchive(llvm::raw_ostream &os) const {
  std::vector<llvm::NewArchiveMember> members;
  // Members refer to their names.
  const std::vector<std::string> paths = getObjects();
  for (const std::string &object : paths) {
    auto member =
        llvm::NewArchiveMember::getFile(object, /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    member->MemberName = llvm::sys::path::filename(object);
    members.push_back(std::move(*member));
  }
  return llvm::writeArchiveToStream(os, members,
                                    llvm::SymtabWritingMode::NormalSymtab,
                                    llvm::object::Archive::K_GNU,
                                    /*Deterministic=*/true, /*Thin=*/false);
}

/// An error if a file cannot grow to so many bytes.
static Error checkRoom(const std::string &path, uint64_t bytes) {
  int file;
  std::error_code code = llvm::sys::fs::openFileForWrite(path, file);
  if (!code) {
    if (int reason = posix_fallocate(file, 0, std::max<uint64_t>(bytes, 1)))
      code = std::error_code(reason, std::generic_category());
    llvm::sys::fs::closeFile(file);
  }
  return code ? cannotWrite(path, code) : Error::success();
}

Error Packager::link(Emit emit, const std::string &path, llvm::StringRef name,
                     const ScratchFolder &folder) const {
  std::vector<std::string> inputs = getObjects(), command;
  if (emit == Emit::Obj) {
    command = {target.platform.linker, "-r", "-o", path};
    llvm::append_range(command, inputs);
  } else if (emit == Emit::Shared) {
    command = {target.platform.linker,
               "-shared",
               "--gc-sections",
               "--build-id=none",
               "-z",
               "noexecstack",
               "-soname",
               name.str(),
               "-o",
               path};
    llvm::append_range(command, inputs);
  } else {
    std::string runtime = getRuntimeFolder();
    command = target.platform.driver;
    llvm::append_values(command, std::string("-o"), path);
    llvm::append_range(command, inputs);
    for (const char *library : {"bench_main", "host", "core"})
      command.push_back(runtime + "/libbrisk_" + library + ".a");
    llvm::append_values(command, std::string("-lpthread"), std::string("-ldl"),
                        std::string("-lm"), std::string("-Wl,--build-id=none"));
  }
  Error error = runTool(command, folder);
  if (!error)
    return Error::success();
  // Linkers crash where there is no room for what they write.
  uint64_t bytes = 0;
  for (const std::string &input : inputs) {
    uint64_t size = 0;
    if (!llvm::sys::fs::file_size(input, size))
      bytes += size;
  }
  if (Error full = checkRoom(path, bytes)) {
    consumeError(std::move(error));
    return full;
  }
  return error;
}
