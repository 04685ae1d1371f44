//===- DynamicQuantization.h - Ranges found in each run ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_QUANTIZATION_DYNAMICQUANTIZATION_H
#define BRISK_QUANTIZATION_DYNAMICQUANTIZATION_H

#include "brisk/Quantization/PostTraining.h"

namespace brisk {

/// Makes matrix products with constant weights products of bytes, without any
/// samples: the range of what they read is found in each run, as ONNX's
/// DynamicQuantizeLinear does. The module is as for quantizeTrained. Products
/// that the target computes no faster this way stay as they are, and so does
/// everything else.
llvm::Expected<QuantizationReport>
quantizeDynamically(mlir::ModuleOp module, EstimateFunction estimate);

} // namespace brisk

#endif // BRISK_QUANTIZATION_DYNAMICQUANTIZATION_H
