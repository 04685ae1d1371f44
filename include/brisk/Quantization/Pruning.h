//===- Pruning.h - Zeros in the weights of trained models -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes weights of a trained model zero, as many as its outputs permit. Samples
// of its inputs are run through the compiled model itself, to see which weights
// matter and how many layers can go without the others.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_QUANTIZATION_PRUNING_H
#define BRISK_QUANTIZATION_PRUNING_H

#include "brisk/Quantization/PostTraining.h"

namespace brisk {

/// Which weights become zero together.
enum class PruningPattern {
  Channels,  ///< all of a channel, which then goes from the model
  TwoOfFour, ///< two of every four that an output is a sum of
  Fraction   ///< each by itself, up to a part of a layer's
};

struct PruningOptions {
  PruningPattern pattern = PruningPattern::Channels;
  /// The part of a layer's weights, of `Fraction`; between 0 and 1.
  double fraction = 0;
  /// Where the samples are: see CalibrationData.
  std::string calibration;
  /// The least SQNR of every output, in dB; without one, and without maxDrop,
  /// `usualSqnr`.
  std::optional<double> minSqnr;
  /// Instead: by how many percent of the samples fewer may be classified right,
  /// and the file of their classes.
  std::optional<double> maxDrop;
  std::string labels;

  static constexpr double usualSqnr = 30;
};

/// As flags spell it: `channels`, `2:4` or a fraction.
std::string describePattern(const PruningOptions &options);

/// What became of the model.
struct PruningReport {
  struct Layer {
    std::string name; ///< of the ONNX node
    uint64_t weights, zeros;
    std::string reason = {}; ///< why it is not pruned; empty if it is
    /// SQNR in dB of the model with this layer alone pruned as far as it may
    /// be, and those that share channels with it; absent for others.
    std::optional<double> alone = {};
  };
  std::vector<Layer> layers;
  std::vector<std::string> files; ///< that the samples were read from
  uint64_t samples = 0;
  std::optional<double> sqnr; ///< in dB; absent if nothing can be pruned
};

/// Prunes the model in `module`, whose shapes are fixed and whose algebra is
/// done. Of channels only the weights are zeros then: the pass
/// `remove-dead-channels` removes them. An error says what is wrong with the
/// samples.
llvm::Expected<PruningReport> pruneTrained(mlir::ModuleOp module,
                                           const PruningOptions &options,
                                           CompileFunction compile);

} // namespace brisk

#endif // BRISK_QUANTIZATION_PRUNING_H
