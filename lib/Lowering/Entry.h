//===- Entry.h - The C interface of a compiled model --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes `NAME_run` around the model's function, and the helpers through which
// it launches kernels and writes trace records (see brisk/model.h).
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_ENTRY_H
#define BRISK_LIB_LOWERING_ENTRY_H

#include "brisk/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace brisk {

/// The symbols that belong to a model.
class EntryNames {
public:
  explicit EntryNames(llvm::StringRef model) : model(model) {}
  std::string run() const { return model + "_run"; }
  std::string body() const { return model + "_body"; }
  std::string weights() const { return model + "_weights"; }
  std::string dispatch() const { return model + "_dispatch"; }
  std::string lacks() const { return model + "_lacks"; }
  std::string clock() const { return model + "_clock"; }
  std::string record() const { return model + "_record"; }
  /// The function of type brisk_task that runs a kernel.
  std::string task(llvm::StringRef kernel) const {
    return (kernel + "_task").str();
  }

private:
  std::string model;
};

/// The model's name, given its function.
llvm::StringRef getModelName(mlir::FunctionOpInterface function);

/// Adds the functions that those of the model `name` call: the dispatcher, the
/// check of pointers and, with `profile`, what writes trace records.
llvm::LogicalResult addHelpers(mlir::ModuleOp module, llvm::StringRef name,
                               bool profile);

class ModelEntry {
public:
  ModelEntry(mlir::func::FuncOp function, const CodegenInfo &info);

  /// Before conversion: gives the model's function the hooks and a place for
  /// its status as last arguments and an array for its kernels' arguments, and
  /// adds the helpers.
  llvm::LogicalResult prepare(bool profile);

  /// What `prepare` has added to the arguments of the function's first block.
  static mlir::Value getHooks(mlir::Block &entry) {
    return entry.getArgument(entry.getNumArguments() - 2);
  }
  static mlir::Value getStatus(mlir::Block &entry) {
    return entry.getArgument(entry.getNumArguments() - 1);
  }

  /// After conversion: adds `NAME_run` and the tasks of the kernels.
  void finish(mlir::ModuleOp module, llvm::ArrayRef<std::string> kernels);

private:
  /// Makes the body take the arrays of inputs and outputs in place of a pointer
  /// for each of what may be thousands: each is loaded where it is used.
  void takeArrays(mlir::LLVM::LLVMFuncOp body);
  void buildRun(mlir::ModuleOp module);
  void buildTask(mlir::ModuleOp module, llvm::StringRef kernel);

  mlir::func::FuncOp function;
  const CodegenInfo &info;
  std::string name;
  mlir::ArrayAttr inputs, outputs; // their types
  int64_t arenaBytes = 0, weightsBytes = 0;
};

} // namespace brisk

#endif // BRISK_LIB_LOWERING_ENTRY_H
