//===- Compression.h - Fewer weights, smaller numbers -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_COMPRESSION_H
#define BRISK_LIB_DRIVER_COMPRESSION_H

#include "Report.h"
#include "brisk/Driver/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace brisk {

/// What compression needs of who compiles. Both say what is wrong.
struct CompressionContext {
  const CompileOptions &options;
  Report &report;
  /// Does the model's algebra, which comes before (see getPreparation).
  llvm::function_ref<llvm::LogicalResult()> prepare;
  llvm::function_ref<llvm::LogicalResult(llvm::Error)> fail;
};

/// Prunes and quantizes a model whose shapes are fixed, as the options ask, and
/// reports what became of it. Gives the files that were read.
llvm::FailureOr<std::vector<std::string>>
compress(mlir::ModuleOp module, const CompressionContext &context);

} // namespace brisk

#endif // BRISK_LIB_DRIVER_COMPRESSION_H
