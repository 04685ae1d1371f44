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

/// Registers every pipeline above under `brisk-STAGE`.
void registerPipelines();

} // namespace brisk

#endif // BRISK_PIPELINES_H
