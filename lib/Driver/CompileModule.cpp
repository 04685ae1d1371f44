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
#include "brisk/Pipelines.h"
#include "brisk/System/ScratchFolder.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace brisk;

llvm::Expected<execution::Library> brisk::compileAndLoad(ModuleOp module) {
  module->removeAttr(BriskDialect::targetAttrName);
  const Target *target = setTarget(module, "host");
  if (!target)
    return llvm::createStringError("cannot compile for this machine");
  ModelInfo model;
  for (const Stage &stage : getStagesAfter("shapes")) {
    if (!stage.build)
      continue;
    PassManager passes(module.getContext());
    stage.build(passes, {});
    if (failed(passes.run(module)))
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
