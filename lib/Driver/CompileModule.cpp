//===- CompileModule.cpp - A module as code in this process ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileModule.h"
#include "Package.h"
#include "Provenance.h"
#include "brisk/Kernels/Selection.h"
#include "brisk/Pipelines.h"
#include "brisk/System/ScratchFolder.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace brisk;

/// Runs a stage on a copy of a model: what it has to say of the model, but for
/// errors, it says when the model itself is compiled.
static LogicalResult runSilently(const Stage &stage, ModuleOp module) {
  MLIRContext *context = module.getContext();
  ScopedDiagnosticHandler handler(context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  PassManager passes(context);
  stage.build(passes, {});
  return passes.run(module);
}

llvm::Expected<execution::Library> brisk::compileAndLoad(ModuleOp module) {
  module->removeAttr(BriskDialect::targetAttrName);
  const Target *target = setTarget(module, "host");
  if (!target)
    return llvm::createStringError("cannot compile for this machine");
  ModelInfo model;
  for (const Stage &stage : getStagesAfter("shapes")) {
    if (!stage.build)
      continue;
    if (failed(runSilently(stage, module)))
      return llvm::createStringError(
          "cannot compile the model for this machine");
    if (stage.name == "kernels")
      model = readModelInfo(module, *target, /*profiled=*/false);
  }
  if (llvm::Error error = listCpuFeatures(*target).moveInto(model.cpuFeatures))
    return std::move(error);
  model.compiler = describeCompiler();
  auto folder = ScratchFolder::create();
  if (!folder)
    return folder.takeError();
  Packager packager(module, model, *target);
  if (llvm::Error error = packager.compile(*folder, /*withGetter=*/true))
    return std::move(error);
  if (llvm::Error error = packager.checkSymbols())
    return std::move(error);
  std::string path = folder->path("model.so");
  if (llvm::Error error =
          packager.link(Emit::Shared, path, "model.so", *folder))
    return std::move(error);
  return execution::Library::open(path);
}

llvm::Expected<double> brisk::estimateCycles(ModuleOp module) {
  const Target *target = getTarget(module);
  assert(target && "compilation begins with a target");
  for (const Stage &stage : getStagesAfter("shapes")) {
    if (stage.name == "select")
      break;
    if (failed(runSilently(stage, module)))
      return llvm::createStringError("cannot compile the model");
  }
  double cycles = 0;
  module.walk([&](GroupOp group) {
    GroupView view(group, target->isa);
    // Where there is no kernel, selection says so.
    if (KernelChoice choice = chooseKernel(view, Search::Default); choice.match)
      cycles += choice.cycles;
  });
  return cycles;
}
