//===- ModelInfo.h - What the package says of a model -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_MODELINFO_H
#define BRISK_LIB_DRIVER_MODELINFO_H

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace brisk {

/// What the descriptor, the header and the report say of a compiled model.
struct ModelInfo {
  std::string name, target;
  std::string cpuFeatures;                   // see listCpuFeatures
  std::string compiler, sourceSha256, flags; // see Provenance.h
  std::vector<PortAttr> inputs, outputs;
  std::vector<OpInfoAttr> ops;
  /// The arena of one worker, and what each further one adds to it.
  uint64_t arenaBytes = 0, workerBytes = 0;
  uint64_t weightsBytes = 0;
  unsigned alignment = 0;
  bool profiled = false;
};

/// A name that is text and, in C, as long as it is here.
std::string getCleanName(mlir::StringAttr name);

/// Bytes of all tensors.
uint64_t sumBytes(llvm::ArrayRef<PortAttr> tensors);

/// Reads it off a module whose kernels are outlined.
ModelInfo readModelInfo(mlir::ModuleOp module, const Target &target,
                        bool profiled);

/// Adds the constant `NAME_model` to the code of the model's function and, for
/// shared libraries and programs, `brisk_model_get`.
void addDescriptor(llvm::Module &module, const ModelInfo &model,
                   bool withGetter);

/// Writes the model's C header; `stackBytes` is what a run takes of the stack.
void writeHeader(const ModelInfo &model, uint64_t stackBytes,
                 llvm::raw_ostream &os);

} // namespace brisk

#endif // BRISK_LIB_DRIVER_MODELINFO_H
