//===- Pipelines.cpp - The stages as pass pipelines -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Pipelines.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Processing/Passes.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace brisk;

static void addCleanup(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

static void buildShapes(OpPassManager &pm, const StageOptions &options) {
  FixShapesOptions fix;
  fix.shapes.assign(options.shapes.begin(), options.shapes.end());
  fix.dims.assign(options.dims.begin(), options.dims.end());
  pm.addPass(createFixShapes(std::move(fix)));
  pm.addNestedPass<func::FuncOp>(createInferShapes());
}

static void buildProcessing(OpPassManager &pm, const StageOptions &options) {
  if (!options.pre.empty() || !options.post.empty())
    pm.addPass(createAddProcessing({options.pre, options.post}));
}

static void buildQuantize(OpPassManager &pm, const StageOptions &) {
  addCleanup(pm);
  // Products of quantized weights are known as such before these are taken
  // apart.
  pm.addNestedPass<func::FuncOp>(createHoistInputProducts());
  pm.addNestedPass<func::FuncOp>(createPropagateQuantization());
  pm.addNestedPass<func::FuncOp>(createIntegerProducts());
  pm.addNestedPass<func::FuncOp>(createRequantize());
  pm.addNestedPass<func::FuncOp>(createNBitsProducts());
}

static void buildGraph(OpPassManager &pm, const StageOptions &options) {
  pm.addNestedPass<func::FuncOp>(createDecompose());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createDropExpands());
  pm.addNestedPass<func::FuncOp>(createRecompose());
  pm.addNestedPass<func::FuncOp>(createHoistInputProducts());
  pm.addNestedPass<func::FuncOp>(createFoldScales());
  pm.addNestedPass<func::FuncOp>(createRemoveDeadChannels());
  pm.addNestedPass<func::FuncOp>(createMergeParallel());
  // Weights are rounded once, after all that is folded into them.
  pm.addNestedPass<func::FuncOp>(
      createChooseProductTypes({options.productType}));
  addCleanup(pm);
}

static void buildLayout(OpPassManager &pm, const StageOptions &) {
  pm.addNestedPass<func::FuncOp>(createExpandConv1d());
  pm.addNestedPass<func::FuncOp>(createPropagateLayout());
  pm.addNestedPass<func::FuncOp>(createFoldTransposes());
  addCleanup(pm);
}

static void buildFuse(OpPassManager &pm, const StageOptions &) {
  pm.addNestedPass<func::FuncOp>(createMaterializePadding());
  pm.addNestedPass<func::FuncOp>(createSinkReshapes());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createFormGroups());
  // No common subexpressions from here on: every group has its own place to
  // write to.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

// From here on the module has to say which machine it is for: see
// brisk/Target/ModuleTarget.h.

static void buildSelect(OpPassManager &pm, const StageOptions &) {
  pm.addNestedPass<func::FuncOp>(createFusePrologues());
  pm.addNestedPass<func::FuncOp>(createSelectKernels());
}

static void buildPlan(OpPassManager &pm, const StageOptions &) {
  pm.addNestedPass<func::FuncOp>(createLowerViews());
  pm.addPass(createBufferizeModel());
  // What fills, pads and copies, which is there by now.
  pm.addNestedPass<func::FuncOp>(createSelectKernels());
  // What was inserted where it lies already is a copy of one view to the same.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createOrderGroups());
  pm.addNestedPass<func::FuncOp>(createPlanMemory());
}

static void buildKernels(OpPassManager &pm, const StageOptions &) {
  pm.addPass(createOutlineKernels());
}

static void buildCodegen(OpPassManager &pm, const StageOptions &options) {
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
      {"shapes", "fix and infer shapes", buildShapes},
      {"processing", "join what comes before and after the model",
       buildProcessing},
      {"quantize", "integer arithmetic for quantized values", buildQuantize},
      {"graph", "algebra, recomposition, merging", buildGraph},
      {"layout", "channels-last throughout", buildLayout},
      {"fuse", "ops into groups", buildFuse},
      {"select", "kernels and schedules, weights packed", buildSelect},
      {"plan", "buffers and their places in the arena", buildPlan},
      {"kernels", "groups to functions of loops over vectors", buildKernels},
      {"codegen", "functions to the LLVM dialect", buildCodegen},
      {"package", "objects, libraries and programs", nullptr},
  };
  return stages;
}

ArrayRef<Stage> brisk::getStagesAfter(StringRef name) {
  return getStages()
      .drop_until([&](const Stage &stage) { return stage.name == name; })
      .drop_front();
}

const Stage &brisk::getPreparation() {
  static const Stage stage = {"prepare", "algebra before quantization",
                              buildGraph};
  return stage;
}

namespace {
struct NoOptions : PassPipelineOptions<NoOptions> {
  StageOptions get() const { return {}; }
};

struct ShapesOptions : PassPipelineOptions<ShapesOptions> {
  ListOption<std::string> shapes{
      *this, "shapes",
      llvm::cl::desc("`NAME=1x3x224x224` or `NAME=scalar`, one for an input")};
  ListOption<std::string> dims{
      *this, "dims", llvm::cl::desc("`NAME=N`, one for a symbolic dimension")};
  StageOptions get() const {
    return {{shapes.begin(), shapes.end()}, {dims.begin(), dims.end()}};
  }
};

struct ProcessingOptions : PassPipelineOptions<ProcessingOptions> {
  Option<std::string> pre{*this, "pre",
                          llvm::cl::desc("YAML file of the stages before")};
  Option<std::string> post{*this, "post",
                           llvm::cl::desc("YAML file of the stages after")};
  StageOptions get() const { return {{}, {}, ProductType::F32, pre, post}; }
};

struct GraphOptions : PassPipelineOptions<GraphOptions> {
  Option<ProductType> productType{
      *this, "product-type", llvm::cl::desc("what products are computed from"),
      llvm::cl::init(ProductType::F32), getProductTypes()};
  StageOptions get() const { return {{}, {}, productType}; }
};

struct CodegenOptions : PassPipelineOptions<CodegenOptions> {
  Option<bool> profile{*this, "profile", llvm::cl::desc("write trace records"),
                       llvm::cl::init(false)};
  StageOptions get() const {
    return {{}, {}, ProductType::F32, {}, {}, profile};
  }
};
} // namespace

template <typename OptionsT> static void registerStage(const Stage &stage) {
  PassPipelineRegistration<OptionsT>(
      ("brisk-" + stage.name).str(),
      ("the " + stage.name + " stage: " + stage.description).str(),
      [&stage](OpPassManager &pm, const OptionsT &options) {
        stage.build(pm, options.get());
      });
}

void brisk::registerPipelines() {
  for (const Stage &stage : getStages()) {
    if (stage.build == buildShapes)
      registerStage<ShapesOptions>(stage);
    else if (stage.build == buildProcessing)
      registerStage<ProcessingOptions>(stage);
    else if (stage.build == buildGraph)
      registerStage<GraphOptions>(stage);
    else if (stage.build == buildCodegen)
      registerStage<CodegenOptions>(stage);
    else if (stage.build)
      registerStage<NoOptions>(stage);
  }
}
