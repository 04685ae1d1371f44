//===- Pipelines.h - The stages as pass pipelines --- -*- C++ -*-===//
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

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>
#include <vector>

namespace brisk {

struct ShapesPipelineOptions
    : mlir::PassPipelineOptions<ShapesPipelineOptions> {
  ListOption<std::string> shapes{
      *this, "shapes",
      llvm::cl::desc("`NAME=1x3x224x224` or `NAME=scalar`, one for an input")};
  ListOption<std::string> dims{
      *this, "dims", llvm::cl::desc("`NAME=N`, one for a symbolic dimension")};
};

/// Gives every tensor a static shape.
void buildShapesPipeline(mlir::OpPassManager &pm,
                         const ShapesPipelineOptions &options = {});

/// Simplifies the computation: algebra on constants, recomposition of what
/// exporters take apart, merging of parallel branches.
void buildGraphPipeline(mlir::OpPassManager &pm);

/// Makes channels-last the layout between ops and cancels transposes.
void buildLayoutPipeline(mlir::OpPassManager &pm);

/// Puts the ops that compute into groups, one for a kernel.
void buildFusePipeline(mlir::OpPassManager &pm);

// From here on the module has to say which machine it is for: see
// brisk/Target/ModuleTarget.h.

/// Gives every group a kernel and a schedule, and packs its weights.
void buildSelectPipeline(mlir::OpPassManager &pm);

/// Turns tensors into buffers and gives each its place in the arena.
void buildPlanPipeline(mlir::OpPassManager &pm);

/// Emits every group as a function of loops over vectors.
void buildKernelsPipeline(mlir::OpPassManager &pm);

struct CodegenPipelineOptions
    : mlir::PassPipelineOptions<CodegenPipelineOptions> {
  Option<bool> profile{*this, "profile", llvm::cl::desc("write trace records"),
                       llvm::cl::init(false)};
};

/// Lowers kernels and the model's function to the LLVM dialect.
void buildCodegenPipeline(mlir::OpPassManager &pm,
                          const CodegenPipelineOptions &options = {});

/// What a stage may need to know.
struct StageOptions {
  std::vector<std::string> shapes, dims; // as in ShapesPipelineOptions
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

/// Registers every pipeline above under `brisk-STAGE`.
void registerPipelines();

} // namespace brisk

#endif // BRISK_PIPELINES_H
