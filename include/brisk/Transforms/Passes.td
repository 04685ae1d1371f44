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

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

def PropagateLayout : Pass<"propagate-layout", "::mlir::func::FuncOp"> {
  let summary = "move, merge and cancel transposes";
  let description = [{
    Ops that compute the same in any order of their dimensions (elementwise ops,
    concatenation, slices, padding, reductions, softmax, resize, reshapes of
    dimensions that stay together…) may run in the order that the ops around
    them work in. Which of them do is chosen for a whole block at once, by a
    minimum cut, such that the fewest bytes are transposed; never more than
    before. Transposes of constants are folded, and those that only move
    dimensions of 1 become reshapes.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// fuse
//===----------------------------------------------------------------------===//

def MaterializePadding : Pass<"materialize-padding", "::mlir::func::FuncOp"> {
  let summary = "make the padding of convolutions an op";
  let description = [{
    A convolution with padding becomes `brisk.pad` and a convolution without, so
    that kernels have no borders to treat; the plan stage lets the producer of
    the input write into the padded tensor. `auto_pad` is resolved.
  }];
  let options = [
    Option<"depthwise", "depthwise", "bool", /*default=*/"true",
           "also where every channel is a group of its own">
  ];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def SinkReshapes : Pass<"sink-reshapes", "::mlir::func::FuncOp"> {
  let summary = "move reshapes behind elementwise ops";
  let description = [{
    A reshape between an op and the elementwise ops that follow keeps them from
    being one group. It moves behind them where every other operand can be
    reshaped the opposite way without being copied.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def FormGroups : Pass<"form-groups", "::mlir::func::FuncOp"> {
  let summary = "put the ops that compute into groups";
  let description = [{
    Every op that is no view and no constant goes into a `brisk.group`: an
    anchor with the elementwise ops that follow it, as far as they compute the
    anchor's shape and only the last result is used elsewhere; before reductions
    and normalizations also the elementwise ops that lead to them. Elementwise
    ops that are left fuse with each other, in as few dimensions as their
    operands' broadcasting allows.
  }];
  let dependentDialects = ["::brisk::BriskDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BRISK_TRANSFORMS_PASSES_TD
