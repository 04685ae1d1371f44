//===- Pipelines.cpp - The stages as pass pipelines --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Pipelines.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace brisk;

static void addCleanup(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

void brisk::buildShapesPipeline(OpPassManager &pm,
                                const ShapesPipelineOptions &options) {
  FixShapesOptions fix;
  fix.shapes.assign(options.shapes.begin(), options.shapes.end());
  fix.dims.assign(options.dims.begin(), options.dims.end());
  pm.addPass(createFixShapes(std::move(fix)));
  pm.addNestedPass<func::FuncOp>(createInferShapes());
}

void brisk::buildGraphPipeline(OpPassManager &pm) { addCleanup(pm); }

void brisk::buildLayoutPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createPropagateLayout());
  addCleanup(pm);
}

void brisk::buildFusePipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createMaterializePadding());
  pm.addNestedPass<func::FuncOp>(createSinkReshapes());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createFormGroups());
  // No common subexpressions from here on: every group has its own place to
  // write to.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

void brisk::registerPipelines() {
  PassPipelineRegistration<ShapesPipelineOptions>(
      "brisk-shapes", "the shapes stage: fix and infer shapes",
      buildShapesPipeline);
  PassPipelineRegistration<>("brisk-graph",
                             "the graph stage: algebra, recomposition, merging",
                             buildGraphPipeline);
  PassPipelineRegistration<>("brisk-layout",
                             "the layout stage: channels-last throughout",
                             buildLayoutPipeline);
  PassPipelineRegistration<>("brisk-fuse", "the fuse stage: ops into groups",
                             buildFusePipeline);
}
