//===- Import.h - ONNX models as brisk IR -----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way in: an ONNX file becomes a module of the brisk dialect.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_IMPORT_IMPORT_H
#define BRISK_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <string>
#include <vector>

namespace brisk {

struct ImportOptions {
  /// C identifier that the function gets; empty: made from the file's name.
  std::string name;
  /// Shapes of inputs and values of symbolic dimensions, by name, as far as
  /// they are known. They make types more precise, by which more branches are
  /// decided and ranks known; what contradicts the model is left for
  /// `fix-shapes` to report.
  llvm::StringMap<std::vector<int64_t>> shapes;
  llvm::StringMap<int64_t> dims;
  /// Called with the path of each file of external data that is read.
  std::function<void(llvm::StringRef)> onRead;
};

/// Reads the model at `path`: ONNX protobuf, or ONNX text if the extension is
/// `.onnxtxt`. The module has one public function, whose arguments carry
/// `brisk.name` and `brisk.dims` (the dimensions' symbolic names, "" where
/// there is none) and whose results carry `brisk.name`. Weights refer to the
/// file's bytes, which live as long as the resource that holds them. Null on
/// failure, which is reported through the context's diagnostics at locations
/// that carry the ONNX node's name.
mlir::OwningOpRef<mlir::ModuleOp>
importModel(llvm::StringRef path, mlir::MLIRContext &context,
            const ImportOptions &options = {});

} // namespace brisk

#endif // BRISK_IMPORT_IMPORT_H
