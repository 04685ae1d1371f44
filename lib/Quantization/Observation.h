//===- Observation.h - What layers read, sample by sample -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_OBSERVATION_H
#define BRISK_LIB_QUANTIZATION_OBSERVATION_H

#include "ByteWeights.h"
#include "Histogram.h"
#include "Probe.h"
#include "QuantizationPlan.h"

namespace brisk {

/// What to look for while the samples run, each of which takes its time.
struct Interest {
  bool histograms = false, moments = false, sizes = false;
};

/// What was seen of that.
struct Observation {
  /// Where the values of each group lie.
  std::vector<Histogram> histograms;
  /// How the inputs of each layer vary together.
  std::vector<InputMoments> moments;
  /// Of each layer, the largest size of an element in each channel that it
  /// reads.
  std::vector<std::vector<float>> sizes;
};

/// Runs all samples. An error where histograms are asked for and some values
/// are no numbers.
llvm::Expected<Observation> observe(mlir::ModuleOp module,
                                    const QuantizationPlan &plan,
                                    const CalibrationData &data,
                                    CompileFunction compile, Interest interest);

/// The layers' weights, each of them rounded by itself.
std::vector<ByteWeights> roundAllWeights(const QuantizationPlan &plan);

/// Rounds the layers' weights anew, so that the errors of their outputs are
/// small: see balanceErrors.
void balanceWeights(const QuantizationPlan &plan,
                    llvm::ArrayRef<InputMoments> moments,
                    std::vector<ByteWeights> &weights);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_OBSERVATION_H
