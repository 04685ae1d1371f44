//===- Plan.h - What the plan leaves in the module --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of the model's function and the symbols of the model, which the
// stages from plan to package share. What else they hand on are attributes of
// the dialect (brisk/Dialect/ModelAttrs.td).
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_PLAN_H
#define BRISK_LOWERING_PLAN_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace brisk {

/// Bytes of the module's weights, each of which begins at a multiple of the
/// target's alignment.
uint64_t getWeightsBytes(mlir::ModuleOp module, unsigned alignment);

/// The arguments of the model's function, in order, behind those for its inputs
/// and then its outputs. `KernelArguments` is room for the pointers that a
/// launch hands to its kernel, `Status` for what the run returns.
enum class ModelArgument : unsigned {
  Weights, // added by bufferize-model
  Arena,   // by plan-memory
  Hooks,   // by lower-to-llvm, as the rest
  KernelArguments,
  Status
};

/// Adds the argument whose turn it is.
mlir::BlockArgument addModelArgument(mlir::FunctionOpInterface function,
                                     mlir::Type type);

/// Null where the function has not got that argument yet.
mlir::BlockArgument getModelArgument(mlir::FunctionOpInterface function,
                                     ModelArgument which);

/// The symbols that belong to a model.
class ModelSymbols {
public:
  explicit ModelSymbols(llvm::StringRef model) : model(model) {}

  // What callers see.
  std::string call() const { return model + "_call"; }
  std::string descriptor() const { return model + "_model"; }

  // What the model is made of.
  std::string weights() const { return model + "_weights"; }
  std::string body() const { return model + "_body"; }
  std::string dispatch() const { return model + "_dispatch"; }
  std::string lacks() const { return model + "_lacks"; }
  std::string trace() const { return model + "_trace"; }
  std::string start() const { return model + "_start"; }
  std::string clock() const { return model + "_clock"; }
  std::string record() const { return model + "_record"; }
  std::string kernel(size_t number, llvm::StringRef family) const {
    return model + "_kernel_" + std::to_string(number) + "_" + family.str();
  }
  /// The function of type brisk_task that runs a kernel.
  static std::string task(llvm::StringRef kernel) {
    return (kernel + taskSuffix).str();
  }
  /// The kernel that a function of such a name runs; empty for other functions.
  static llvm::StringRef getKernel(llvm::StringRef task) {
    return task.consume_back(taskSuffix) ? task : llvm::StringRef();
  }

private:
  static constexpr llvm::StringLiteral taskSuffix = "_task";
  std::string model;
};

} // namespace brisk

#endif // BRISK_LOWERING_PLAN_H
