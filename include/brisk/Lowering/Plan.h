//===- Plan.h - What the plan leaves in the module --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes through which the stages from plan to package hand on what they
// know of the model, the arguments of the model's function, and its symbols.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_PLAN_H
#define BRISK_LOWERING_PLAN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace brisk {

/// On the module: an array of the constants that make up the weights, in order;
/// each begins at the next multiple of the target's alignment.
inline constexpr llvm::StringLiteral weightsAttrName = "brisk.weights";
/// On the module: an array of dictionaries {name, type, kernel, flops, bytes},
/// one for each group in run order.
inline constexpr llvm::StringLiteral opsAttrName = "brisk.ops";
/// On the model's function: its size in bytes.
inline constexpr llvm::StringLiteral arenaBytesAttrName = "brisk.arena_bytes";
inline constexpr llvm::StringLiteral weightsBytesAttrName =
    "brisk.weights_bytes";
/// On the model's function: the bytes behind the arena's that each worker has
/// for itself; none where it is missing.
inline constexpr llvm::StringLiteral workerBytesAttrName = "brisk.worker_bytes";
/// On arguments of kernels, which point into the arena: each worker has its own
/// such memory, and the launch's operand is that of worker 0.
inline constexpr llvm::StringLiteral perWorkerAttrName = "brisk.per_worker";
/// On the model's function: an array of dictionaries {bytes, loc}, the largest
/// buffers that are live when most of the arena is, with what writes them.
inline constexpr llvm::StringLiteral arenaPeakAttrName = "brisk.arena_peak";
/// On the model's function: the types of its inputs and results as the model
/// gives them, an array of type attributes each.
inline constexpr llvm::StringLiteral inputTypesAttrName = "brisk.input_types";
inline constexpr llvm::StringLiteral outputTypesAttrName = "brisk.output_types";
/// On arguments and results of the model's function: the ONNX name.
inline constexpr llvm::StringLiteral nameAttrName = "brisk.name";
/// On the model's function after bufferization: names, an array each.
inline constexpr llvm::StringLiteral inputNamesAttrName = "brisk.input_names";
inline constexpr llvm::StringLiteral outputNamesAttrName = "brisk.output_names";

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
