//===- NodeLocation.h - The ONNX node that an op comes from -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_NODELOCATION_H
#define BRISK_DIALECT_NODELOCATION_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/IR/Location.h"

namespace brisk {

/// The node that a location names, with its op as the child location; null if
/// it names none. Of several nodes in one op, the first.
mlir::NameLoc findNode(mlir::Location loc);

/// The first name in a location, be it that of a node or of a tensor; null if
/// there is none.
mlir::NameLoc findName(mlir::Location loc);

/// The location of an op of a stage that comes before or after a model: its
/// name and its kind, in the places of an ONNX node's, at a line of `file`.
mlir::Location makeStageLocation(mlir::Location file, Phase phase,
                                 llvm::StringRef name, llvm::StringRef kind);

/// What `makeStageLocation` was given; Inference for any other location. Of
/// several in one op, the first that is not Inference.
Phase getPhase(mlir::Location loc);

} // namespace brisk

#endif // BRISK_DIALECT_NODELOCATION_H
