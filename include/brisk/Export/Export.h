//===- Export.h - The dialect to ONNX ---------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXPORT_EXPORT_H
#define BRISK_EXPORT_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace brisk {

/// Makes an ONNX model of a module as it is between the stages `shapes` and
/// `quantize`: one function of static shapes, in which quantized values are
/// pairs of `brisk.quantize` and `brisk.dequantize`. The module is changed on
/// the way and of no use afterwards. On failure the diagnostics name every op
/// that ONNX has no words for.
llvm::FailureOr<std::string> exportModel(mlir::ModuleOp module,
                                         llvm::StringRef producerVersion);

} // namespace brisk

#endif // BRISK_EXPORT_EXPORT_H
