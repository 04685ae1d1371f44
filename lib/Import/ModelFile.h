//===- ModelFile.h - Reads model files --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a path to a protobuf message, or a diagnostic that says what is wrong
// with the file.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_MODELFILE_H
#define BRISK_LIB_IMPORT_MODELFILE_H

#include "Onnx.h"
#include "mlir/IR/Location.h"

namespace brisk::onnximport {

/// Reads `path` into `model`; reports at `loc` and fails if it is not a model.
llvm::LogicalResult readModel(llvm::StringRef path, mlir::Location loc,
                              onnx::ModelProto &model);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_MODELFILE_H
