//===- Entry.h - The C interface of a compiled model ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes `NAME_call` around the model's function, and the helpers through which
// it launches kernels and writes trace records (see brisk/model.h).
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_ENTRY_H
#define BRISK_LIB_LOWERING_ENTRY_H

#include "CBuilder.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace brisk {

class ModelEntry {
public:
  ModelEntry(mlir::func::FuncOp function, const Target &target)
      : function(function), platform(target.platform), tiles(target.isa.tiles),
        symbols(function.getName()) {}

  /// Before conversion: gives the model's function its last arguments.
  llvm::LogicalResult prepare();

  /// After conversion: adds `NAME_call`, the tasks of the kernels and the
  /// helpers.
  void finish(mlir::ModuleOp module, llvm::ArrayRef<std::string> kernels,
              bool profile);

  const ModelSymbols &getSymbols() const { return symbols; }

private:
  /// Makes the body take the arrays of inputs and outputs in place of a pointer
  /// for each of what may be thousands: each is loaded where it is used.
  void takeArrays(mlir::LLVM::LLVMFuncOp body);
  void addCall(CBuilder &b);
  mlir::Value findLack(CBuilder &b, mlir::Value array, mlir::ArrayAttr ports);
  void addTask(mlir::LLVM::LLVMFuncOp kernel);
  /// Where kernels use tile registers, adds a function that runs when the model
  /// is loaded and asks for them: not every program that is linked with a model
  /// would.
  void addStart(CBuilder &b, mlir::ModuleOp module);
  /// Adds the functions that the others call.
  void addHelpers(CBuilder &b, bool profile);

  mlir::func::FuncOp function;
  const Platform &platform;
  const Isa::TileRegisters &tiles;
  ModelSymbols symbols;
  mlir::ArrayAttr inputs, outputs; // PortAttr
  MemoryAttr memory;
  int64_t weightsBytes = 0;
  int64_t kernelArguments = 1; // the most that one launch has
};

} // namespace brisk

#endif // BRISK_LIB_LOWERING_ENTRY_H
