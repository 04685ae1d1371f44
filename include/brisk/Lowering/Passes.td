//===- Passes.td - Passes from groups to LLVM --------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_PASSES_TD
#define BRISK_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

// Passes find the machine in the module's attribute `brisk.target`; one that needs
// to know it ends in an error where the module has none.

def SetTarget : Pass<"set-target", "::mlir::ModuleOp"> {
  let summary = "say which machine a module is for";
  let description = [{
    Sets the module's attribute `brisk.target`, for all passes behind.
    `--set-target=x86-64-v4` is short for `--set-target=name=x86-64-v4`. A module
    that is for another machine already is an error: half a model for one machine
    and half for another is right on neither.
  }];
  let options = [Option<"name", "name", "std::string", "",
      "one of briskc's targets; without a name, that of the module, or host">];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

def FusePrologues : Pass<"fuse-prologues", "::mlir::func::FuncOp"> {
  let summary = "let products compute what they read";
  let description = [{
    A group of elementwise ops whose result only a product of bytes reads, as its
    left operand, joins the product's group, so that the result takes no memory:
    floats are quantized in registers as they are read. Only where the cost model
    says that the product's kernel takes no longer for it, which computes the
    operand again for every panel of columns, and where what the operand is
    computed from takes no more memory meanwhile.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def SelectKernels : Pass<"select-kernels", "::mlir::func::FuncOp"> {
  let summary = "give every group a kernel and a schedule";
  let description = [{
    Takes the cheapest schedule of the kernel table by the cost model, and packs
    the group's weights for it. A group that no kernel fits is an error at its
    ONNX node. Groups that have a schedule keep it. Runs again once there are
    buffers, for the groups that filling, padding and copying take.
  }];
  let options = [Option<"exhaustive", "exhaustive", "bool", "false",
                        "compare all schedules, not just the usual ones">];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// plan
//===----------------------------------------------------------------------===//

def LowerViews : Pass<"lower-views", "::mlir::func::FuncOp"> {
  let summary = "express reshapes, slices, concats, pads and branches in tensor and scf";
  let description = [{
    The ops that need no kernel become `tensor` ops that bufferize to views. The
    place into which a concat or pad inserts is made before its first producer,
    so that producers can write straight into it.
  }];
  let dependentDialects = ["::brisk::BriskDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def BufferizeModel : Pass<"bufferize-model", "::mlir::ModuleOp"> {
  let summary = "turn tensors into buffers";
  let description = [{
    Upstream's One-Shot bufferization after the elimination of empty tensors.
    Results become arguments, behind the inputs; constants become views of one
    more argument, the weights, whose content `brisk.weights` of the module
    lists. Copies that remain are groups.
  }];
  let dependentDialects = ["::brisk::BriskDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def OrderGroups : Pass<"order-groups", "::mlir::func::FuncOp"> {
  let summary = "run groups in an order that takes less memory";
  let description = [{
    The order of a model's nodes is whatever its exporter made of them: a shorter
    branch that runs first keeps its result until the longer one has ended. Here
    groups on buffers move to where the arena gets smaller; where none does, all
    stay. What reads a buffer stays behind what wrote it and before what writes
    over it, and nothing passes an op whose effects nobody knows.
  }];
}

def PlanMemory : Pass<"plan-memory", "::mlir::func::FuncOp"> {
  let summary = "give every buffer its offset in the arena";
  let description = [{
    Allocations become views of one argument, the arena. Buffers that are never
    live at the same time share bytes; a kernel that can run in place writes over
    an input that dies.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "size of the arena">,
    Statistic<"totalBytes", "total-bytes", "sum of all buffers">
  ];
}

//===----------------------------------------------------------------------===//
// codegen
//===----------------------------------------------------------------------===//

def OutlineKernels : Pass<"outline-kernels", "::mlir::ModuleOp"> {
  let summary = "emit every group as a kernel function and launch it";
  let description = [{
    Groups that are the same, but for where their buffers lie, share a function.
  }];
  let dependentDialects = ["::brisk::BriskDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandMath : Pass<"expand-math", "::mlir::ModuleOp"> {
  let summary = "express math ops in what the target has instructions for";
  let description = [{
    Transcendental functions become polynomials, in `f32` and in `f64`; what
    remains maps to instructions, so that no call to a math library arises. What
    has neither is an error. The bits of 2 / pi that large angles need are a
    global of the module.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandNarrowFloats : Pass<"expand-narrow-floats", "::mlir::func::FuncOp"> {
  let summary = "compute on f16 and bf16 in f32";
  let description = [{
    Every op on `f16` or `bf16` extends its operands, computes in `f32` and
    rounds its result, once and to the nearest, ties to even. Conversions for
    which the target has no instruction become integer arithmetic, so that no
    call to a helper routine arises.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LowerToLlvm : Pass<"lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "convert the module to the LLVM dialect";
  let description = [{
    Kernel functions take bare pointers; a launch hands their tasks to the
    parallel-for hook where there is one; with `profile`, markers around it write
    trace records. The model's function becomes `NAME_call` of the C interface.
  }];
  let options = [Option<"profile", "profile", "bool", "false", "write trace records">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // BRISK_LOWERING_PASSES_TD
