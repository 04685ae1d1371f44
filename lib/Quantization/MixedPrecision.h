//===- MixedPrecision.h - Which layers stay floats --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of layers that are computed in bytes, by how near the model's
// outputs stay to those of floats. Free of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_MIXEDPRECISION_H
#define BRISK_LIB_QUANTIZATION_MIXEDPRECISION_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace brisk {

/// Whether each layer is computed in bytes.
using LayerChoice = std::vector<bool>;

/// How good a model with some layers in bytes is: more is better.
using Evaluate = std::function<llvm::Expected<double>(const LayerChoice &)>;

/// What is known of a layer.
struct LayerCost {
  uint64_t multiplyAdds;
  double alone; ///< the evaluation with this layer alone in bytes, in dB
  bool mayBeBytes = true; ///< or it stays float, and counts for nothing
};

struct PrecisionGoal {
  /// The least evaluation that is good enough.
  double least;
  /// The part of all multiply-adds that may stay in floats.
  double mostFloats = 1;
};

/// The layers in bytes: all, less those whose errors are largest for the
/// multiply-adds that they cost, as few as the goal takes. Where the goal
/// cannot be reached, as many are floats as may be. Errors of layers add up,
/// more or less, so it takes a few evaluations to find how many; then each of
/// them is tried in bytes again.
llvm::Expected<LayerChoice> chooseLayers(llvm::ArrayRef<LayerCost> layers,
                                         const PrecisionGoal &goal,
                                         const Evaluate &evaluate);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_MIXEDPRECISION_H
