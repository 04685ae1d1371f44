//===- Plan.h - What the plan leaves in the module --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of the attributes through which the stages from plan to package hand on
// what they know of the model.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_PLAN_H
#define BRISK_LOWERING_PLAN_H

#include "mlir/IR/BuiltinOps.h"

namespace brisk {

/// On the module: an array of the constants that make up the weights, in order;
/// each begins at the next multiple of the target's alignment.
inline constexpr llvm::StringLiteral weightsAttrName = "brisk.weights";
/// On the module: an array of dictionaries {name, type, kernel, flops, bytes},
/// one for each group in run order.
inline constexpr llvm::StringLiteral opsAttrName = "brisk.ops";
/// On the model's function: its size in bytes.
inline constexpr llvm::StringLiteral arenaBytesAttrName = "brisk.arena_bytes";
inline constexpr llvm::StringLiteral weightsBytesAttrName =
    "brisk.weights_bytes";
/// On the model's function: an array of dictionaries {bytes, loc}, the largest
/// buffers that are live when most of the arena is, with what writes them.
inline constexpr llvm::StringLiteral arenaPeakAttrName = "brisk.arena_peak";
/// On the model's function: the types of its inputs and results as the model
/// gives them, an array of type attributes each.
inline constexpr llvm::StringLiteral inputTypesAttrName = "brisk.input_types";
inline constexpr llvm::StringLiteral outputTypesAttrName = "brisk.output_types";
/// On arguments and results of the model's function: the ONNX name.
inline constexpr llvm::StringLiteral nameAttrName = "brisk.name";
/// On the model's function after bufferization: names, an array each.
inline constexpr llvm::StringLiteral inputNamesAttrName = "brisk.input_names";
inline constexpr llvm::StringLiteral outputNamesAttrName = "brisk.output_names";

} // namespace brisk

#endif // BRISK_LOWERING_PLAN_H
