//===- Pipelines.h - The stages as pass pipelines ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each stage of the compiler runs, in order. brisk-opt has every stage
// as `--brisk-STAGE`.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_PIPELINES_H
#define BRISK_PIPELINES_H

#include "brisk/Transforms/ProductType.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace brisk {

/// What a stage may need to know beside the module.
struct StageOptions {
  /// `NAME=1x3x224x224` or `NAME=scalar`, one for an input.
  std::vector<std::string> shapes;
  /// `NAME=N`, one for a symbolic dimension.
  std::vector<std::string> dims;
  /// What products are computed from.
  ProductType productType = ProductType::F32;
  /// YAML files of what comes before and after the model; empty: nothing.
  std::string pre, post;
  /// Write trace records.
  bool profile = false;
};

/// A stage of the compiler; `build` is null where it is not made of passes.
struct Stage {
  llvm::StringRef name;
  llvm::StringRef description;
  void (*build)(mlir::OpPassManager &pm, const StageOptions &options);
};

/// All stages, in the order in which they run.
llvm::ArrayRef<Stage> getStages();

/// The stages that follow `name`.
llvm::ArrayRef<Stage> getStagesAfter(llvm::StringRef name);

/// What comes before a trained model is quantized: the algebra of `graph`.
const Stage &getPreparation();

/// Registers every stage of passes under `brisk-STAGE`.
void registerPipelines();

} // namespace brisk

#endif // BRISK_PIPELINES_H
