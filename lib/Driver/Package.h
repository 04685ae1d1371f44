//===- Package.h - From the LLVM dialect to files ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_PACKAGE_H
#define BRISK_LIB_DRIVER_PACKAGE_H

#include "ModelInfo.h"
#include "brisk/Driver/Compile.h"
#include "brisk/System/ScratchFolder.h"
#include "brisk/Target/StackUsage.h"
#include "mlir/IR/BuiltinOps.h"

namespace brisk {

/// What the package stage measures.
struct KernelSize {
  std::string name;
  uint64_t bytes;
};

struct PackageSizes {
  uint64_t codeBytes = 0;
  uint64_t dataBytes = 0;          // read-only data that is not weights
  std::vector<KernelSize> kernels; // the code, largest first
  uint64_t stackBytes = 0; // of NAME_call, without hooks and the platform's
                           // functions
};

class Packager {
public:
  Packager(mlir::ModuleOp module, const ModelInfo &model, const Target &target)
      : module(module), model(model), target(target) {}

  /// LLVM IR or assembly of the whole model, as one text.
  llvm::Error writeText(Emit emit, llvm::raw_pwrite_stream &os);

  /// Compiles the module, in pieces on all cores, into objects in `folder`.
  llvm::Error compile(const ScratchFolder &folder, bool withGetter);

  /// Reports a symbol that no object defines and that is not the platform's.
  llvm::Error checkSymbols() const;

  /// Code, data and stack of the objects made.
  llvm::Expected<PackageSizes> measure() const;

  /// Writes the objects as a static library.
  llvm::Error writeArchive(llvm::raw_ostream &os) const;

  /// Links the objects into what `emit` says at `path`, which moves to a file
  /// called `name`.
  llvm::Error link(Emit emit, const std::string &path, llvm::StringRef name,
                   const ScratchFolder &folder) const;

private:
  /// The objects, that of the weights last.
  std::vector<std::string> getObjects() const;

  mlir::ModuleOp module;
  const ModelInfo &model;
  const Target &target;
  std::vector<std::string> objects;
  std::string weightsObject;
  StackUsage stack;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_PACKAGE_H
