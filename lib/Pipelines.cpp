//===- Pipelines.cpp - The stages as pass pipelines --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Pipelines.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
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

void brisk::buildGraphPipeline(OpPassManager &pm) {
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createDropExpands());
  pm.addNestedPass<func::FuncOp>(createRecompose());
  pm.addNestedPass<func::FuncOp>(createHoistInputProducts());
  pm.addNestedPass<func::FuncOp>(createFoldScales());
  pm.addNestedPass<func::FuncOp>(createMergeParallel());
  addCleanup(pm);
}

void brisk::buildLayoutPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createExpandConv1d());
  pm.addNestedPass<func::FuncOp>(createPropagateLayout());
  pm.addNestedPass<func::FuncOp>(createFoldTransposes());
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

void brisk::buildSelectPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSelectKernels());
}

void brisk::buildPlanPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createLowerViews());
  pm.addPass(createBufferizeModel());
  // What was inserted where it lies already is a copy of one view to the same.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createPlanMemory());
}

void brisk::buildKernelsPipeline(OpPassManager &pm) {
  pm.addPass(createOutlineKernels());
}

void brisk::buildCodegenPipeline(OpPassManager &pm,
                                 const CodegenPipelineOptions &options) {
  auto onFunctions = [&](std::unique_ptr<Pass> pass) {
    pm.addNestedPass<func::FuncOp>(std::move(pass));
  };
  onFunctions(createLowerAffinePass());
  onFunctions(createCanonicalizerPass());
  onFunctions(createLoopInvariantCodeMotionPass());
  onFunctions(createCSEPass());
  onFunctions(createExpandNarrowFloats());
  pm.addPass(createExpandMath());
  onFunctions(createConvertVectorToSCFPass());
  onFunctions(memref::createExpandStridedMetadataPass());
  onFunctions(createLowerAffinePass());
  onFunctions(createSCFToControlFlowPass());
  onFunctions(createCanonicalizerPass());
  pm.addPass(createLowerToLlvm({options.profile}));
  pm.addPass(createReconcileUnrealizedCastsPass());
}

ArrayRef<Stage> brisk::getStages() {
  static const Stage stages[] = {
      {"import", "read the model", nullptr},
      {"shapes", "fix and infer shapes",
       [](OpPassManager &pm, const StageOptions &options) {
         ShapesPipelineOptions shapes;
         shapes.shapes = options.shapes;
         shapes.dims = options.dims;
         buildShapesPipeline(pm, shapes);
       }},
      {"graph", "algebra, recomposition, merging",
       [](OpPassManager &pm, const StageOptions &) { buildGraphPipeline(pm); }},
      {"layout", "channels-last throughout",
       [](OpPassManager &pm, const StageOptions &) {
         buildLayoutPipeline(pm);
       }},
      {"fuse", "ops into groups",
       [](OpPassManager &pm, const StageOptions &) { buildFusePipeline(pm); }},
      {"select", "kernels and schedules, weights packed",
       [](OpPassManager &pm, const StageOptions &) {
         buildSelectPipeline(pm);
       }},
      {"plan", "buffers and their places in the arena",
       [](OpPassManager &pm, const StageOptions &) { buildPlanPipeline(pm); }},
      {"kernels", "groups to functions of loops over vectors",
       [](OpPassManager &pm, const StageOptions &) {
         buildKernelsPipeline(pm);
       }},
      {"codegen", "functions to the LLVM dialect",
       [](OpPassManager &pm, const StageOptions &options) {
         CodegenPipelineOptions codegen;
         codegen.profile = options.profile;
         buildCodegenPipeline(pm, codegen);
       }},
      {"package", "objects, libraries and programs", nullptr},
  };
  return stages;
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
  PassPipelineRegistration<>("brisk-select",
                             "the select stage: kernels and schedules",
                             buildSelectPipeline);
  PassPipelineRegistration<>(
      "brisk-plan", "the plan stage: buffers and the arena", buildPlanPipeline);
  PassPipelineRegistration<>(
      "brisk-kernels", "first half of codegen: groups to functions of loops",
      buildKernelsPipeline);
  PassPipelineRegistration<CodegenPipelineOptions>(
      "brisk-codegen", "second half of codegen: functions to the LLVM dialect",
      buildCodegenPipeline);
}
