//===- WeightQuantization.h - Weights alone as few bits ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes constant weights of a model of floats integers of 8 or 4 bits. Values
// stay floats, so no samples of inputs are needed.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_QUANTIZATION_WEIGHTQUANTIZATION_H
#define BRISK_QUANTIZATION_WEIGHTQUANTIZATION_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace brisk {

/// What weights of matrix products become: bytes, with a scale for each output
/// channel, or integers of 4 bits, with one for each block of 32 rows of it.
enum class WeightBits { Eight = 8, Four = 4 };

/// What became of the model's weights.
struct WeightReport {
  struct Layer {
    std::string name; ///< of the ONNX node
    int64_t bits;     ///< 32 for those that stay floats
    uint64_t floatBytes, bytes;
    double sqnr;        ///< of the weights, in dB; infinite if they are exact
    std::string reason; ///< why they stay floats; empty if they do not
  };
  std::vector<Layer> layers;
};

/// Quantizes the weights of the model in `module`, whose shapes are fixed and
/// whose algebra is done. Tables of which rows are read become bytes, with a
/// scale for each row.
WeightReport quantizeWeights(mlir::ModuleOp module, WeightBits bits);

} // namespace brisk

#endif // BRISK_QUANTIZATION_WEIGHTQUANTIZATION_H
