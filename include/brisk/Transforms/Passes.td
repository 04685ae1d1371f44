//===- Passes.td - Passes on the brisk dialect --- -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_PASSES_TD
#define BRISK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// shapes
//===----------------------------------------------------------------------===//

def FixShapes : Pass<"fix-shapes", "::mlir::ModuleOp"> {
  let summary = "give inputs and symbolic dimensions their values";
  let description = [{
    Sets the types of the model's inputs. `shapes` names inputs, `dims` the
    symbolic dimensions of `brisk.dims`; a value given to one symbolic dimension
    by either holds wherever its name stands. A value that contradicts the
    model's, and a name that the model does not have, are errors.
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "`NAME=1x3x224x224` or `NAME=scalar`, one for an input">,
    ListOption<"dims", "dims", "std::string",
               "`NAME=N`, one for a symbolic dimension">
  ];
}

def InferShapes : Pass<"infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "propagate shapes until every type is static";
  let description = [{
    Folds and infers result types in program order until nothing changes. A type
    that stays dynamic is an error: at the inputs where one of them is dynamic,
    else at the first op whose result is.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

#endif // BRISK_TRANSFORMS_PASSES_TD
