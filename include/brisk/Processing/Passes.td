//===- Passes.td - What comes before and after a model -----*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_PROCESSING_PASSES_TD
#define BRISK_PROCESSING_PASSES_TD

include "mlir/Pass/PassBase.td"

def AddProcessing : Pass<"add-processing", "::mlir::ModuleOp"> {
  let summary = "join the stages before and after a model to it";
  let description = [{
    Reads descriptions of preprocessing (`pre`) and postprocessing (`post`), and
    makes ops of their stages: an input of the model is replaced by what its first
    stage reads, an output by what its last stage gives. Shapes are static. The files
    are documented in `docs/processing.md`.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
  let options = [
    Option<"pre", "pre", "std::string", "", "YAML file of the stages before the model">,
    Option<"post", "post", "std::string", "", "YAML file of the stages after the model">
  ];
}

#endif // BRISK_PROCESSING_PASSES_TD
