//===- Simulation.h - A model with switches for its layers ------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_SIMULATION_H
#define BRISK_LIB_QUANTIZATION_SIMULATION_H

#include "Labels.h"
#include "MixedPrecision.h"
#include "Probe.h"
#include "Rewrite.h"

namespace brisk {

/// A compiled model that computes every layer in floats and in bytes, and takes
/// the one or the other by switches: one compilation answers for every choice.
class Simulation {
public:
  static llvm::Expected<Simulation>
  create(mlir::ModuleOp module, const QuantizationParameters &parameters,
         const CalibrationData &data, CompileFunction compile);

  /// The least SQNR of any output of floats, in dB, with some layers in bytes,
  /// against all layers in floats. Over the first samples, at most so many.
  llvm::Expected<double> getSqnr(const LayerChoice &inBytes, uint64_t samples);

  /// How many rows of the first output of floats have their largest element
  /// where the label says; an error where there are not as many labels.
  llvm::Expected<uint64_t> countRight(const LayerChoice &inBytes,
                                      const Labels &labels);

private:
  explicit Simulation(Probe probe) : probe(std::move(probe)) {}
  llvm::Error runReference();
  void set(const LayerChoice &inBytes);

  Probe probe;
  unsigned outputs = 0; ///< of the model
  uint64_t samples = 0;
  /// Of every layer, places among the values.
  std::vector<std::vector<unsigned>> sources;
  unsigned values = 0;
  /// What floats give: for every sample, each output of f32.
  std::vector<std::vector<std::vector<float>>> reference;
};

/// By how much bytes change the mean of every output channel of each layer, all
/// else being floats.
llvm::Expected<std::vector<std::vector<float>>>
measureMeanErrors(mlir::ModuleOp module,
                  const QuantizationParameters &parameters,
                  const CalibrationData &data, CompileFunction compile);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_SIMULATION_H
