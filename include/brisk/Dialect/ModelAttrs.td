//===- ModelAttrs.td - What is known of a model ------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes through which the stages from plan to package hand on what they know
// of the model. The dialect names the places where they stand, and verifies them.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_MODELATTRS_TD
#define BRISK_DIALECT_MODELATTRS_TD

include "brisk/Dialect/BriskEnums.td"

class Brisk_ModelAttr<string name, string keyword> : AttrDef<Brisk_Dialect, name> {
  let mnemonic = keyword;
  let assemblyFormat = "`<` struct(params) `>`";
}

def Brisk_PortAttr : Brisk_ModelAttr<"Port", "port"> {
  let summary = "an input or output of a model";
  let description = [{
    Its ONNX name, and its type as callers see it.

    Example: `#brisk.port<name = "x", type = tensor<1x4xf32>>`
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::RankedTensorType":$type);
  let genVerifyDecl = 1;
}

def Brisk_InterfaceAttr : Brisk_ModelAttr<"Interface", "interface"> {
  let summary = "the inputs and outputs of a model";
  let description = [{
    Each an array of `#brisk.port`, in the order in which callers give them.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$inputs, "::mlir::ArrayAttr":$outputs);
  let genVerifyDecl = 1;
}

def Brisk_BufferAttr : Brisk_ModelAttr<"Buffer", "buffer"> {
  let summary = "a buffer in the arena, and what writes it";
  let parameters = (ins "uint64_t":$bytes, "::mlir::LocationAttr":$writer);
}

def Brisk_MemoryAttr : Brisk_ModelAttr<"Memory", "memory"> {
  let summary = "the memory that a run of a model needs";
  let description = [{
    The arena has `bytes` that all workers share and, behind them,
    `bytes_per_worker` for each. `peak` are the largest buffers that are live when
    most of the arena is, an array of `#brisk.buffer`.

    Example: `#brisk.memory<bytes = 128, bytes_per_worker = 0, peak = []>`
  }];
  let parameters = (ins "uint64_t":$bytes, "uint64_t":$bytes_per_worker,
                        "::mlir::ArrayAttr":$peak);
  let genVerifyDecl = 1;
}

def Brisk_OpInfoAttr : Brisk_ModelAttr<"OpInfo", "op"> {
  let summary = "a group of the plan, as profiles name it";
  let description = [{
    The ONNX nodes that are fused into it (`;` between), what it computes, the
    kernel family that runs it, its cost: operations (a multiply-add is two) and
    bytes read and written; and whether it belongs to what comes before the
    model, the model or what comes after.

    Example: `#brisk.op<name = "Add_0", type = "add", kernel = "elementwise", flops = 16, bytes = 192>`
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$type,
                        "::mlir::StringAttr":$kernel, "uint64_t":$flops,
                        "uint64_t":$bytes,
                        DefaultValuedParameter<"::brisk::Phase", "::brisk::Phase::Inference">:$phase);
}

#endif // BRISK_DIALECT_MODELATTRS_TD
