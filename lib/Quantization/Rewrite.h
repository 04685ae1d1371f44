//===- Rewrite.h - Quantizes values and layers of a function ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_REWRITE_H
#define BRISK_LIB_QUANTIZATION_REWRITE_H

#include "ByteWeights.h"
#include "MixedPrecision.h"
#include "QuantizationPlan.h"
#include "brisk/Quantization/Calibrator.h"

namespace brisk {

/// Whether a value or a layer is quantized: never, always, or by a boolean of
/// the run, of type tensor<i1>. A layer can also be computed both ways, of
/// which the rest of the model reads floats.
struct Choice {
  enum Kind { Float, Bytes, Runtime, Both } kind = Float;
  mlir::Value atRun;
};

/// What quantizing takes beside the choices.
struct QuantizationParameters {
  std::vector<ByteParameters> groups;
  std::vector<ByteWeights> weights; ///< of the layers
  /// The same bytes, for many rewrites to share; none: each makes its own.
  std::vector<mlir::ElementsAttr> constants;
  /// What is added to the output channels of each layer in bytes; an empty
  /// vector for nothing.
  std::vector<std::vector<float>> corrections;
};

/// Both results of a layer that is computed both ways.
struct LayerResults {
  mlir::Value floats, bytes;
};

/// Quantizes the function that `plan` was made of, and ends the plan's life. A
/// layer in bytes reads its sources quantized, one in floats as they were
/// computed; everything else but the function's results reads what `values`
/// say. Gives what every layer has: one result, or both.
std::vector<LayerResults>
rewriteQuantized(const QuantizationPlan &plan,
                 const QuantizationParameters &parameters,
                 llvm::ArrayRef<Choice> values, llvm::ArrayRef<Choice> layers);

/// The same with layers chosen once and for all; what others than layers read
/// is quantized where layers in bytes read it.
void rewriteChosen(const QuantizationPlan &plan,
                   const QuantizationParameters &parameters,
                   const LayerChoice &inBytes);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_REWRITE_H
