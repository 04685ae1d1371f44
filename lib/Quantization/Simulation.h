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

/// A compiled model that computes layers in two ways, the model's own and a
/// cheaper one, and takes the one or the other by switches: one compilation
/// answers for every choice.
class Simulation {
public:
  /// Each of `some` layers in floats and in bytes; others are always floats.
  static llvm::Expected<Simulation>
  create(mlir::ModuleOp module, const QuantizationParameters &parameters,
         const LayerChoice &some, const CalibrationData &data,
         CompileFunction compile);

  /// A model that has switches already, behind its inputs: those of
  /// `switches[i]` are on where `i` is chosen. The module is used up.
  static llvm::Expected<Simulation>
  create(mlir::ModuleOp switched, std::vector<std::vector<unsigned>> switches,
         const CalibrationData &data, CompileFunction compile);

  /// The least SQNR of any output of floats, in dB, with some layers computed
  /// the other way, against none. Over the first samples, at most so many.
  llvm::Expected<double> getSqnr(const LayerChoice &chosen, uint64_t samples);

  /// How many rows of the first output of floats have their largest element
  /// where the label says; an error where there are not as many labels.
  llvm::Expected<uint64_t> countRight(const LayerChoice &chosen,
                                      const Labels &labels);

private:
  explicit Simulation(Probe probe) : probe(std::move(probe)) {}
  /// Makes sure that the reference has so many samples.
  llvm::Error runReference(uint64_t samples);
  void set(const LayerChoice &chosen);

  Probe probe;
  unsigned outputs = 0; ///< of the model
  uint64_t samples = 0;
  /// Of every layer.
  std::vector<std::vector<unsigned>> switches;
  unsigned switchCount = 0;
  /// What the model's own layers give: for each sample that was needed so far,
  /// each output of f32.
  std::vector<std::vector<std::vector<float>>> reference;
};

/// Parameters, and the layers that they are tried with.
struct Trial {
  QuantizationParameters parameters;
  LayerChoice layers;
};

/// Finds by how much bytes change the mean of every output channel of layers,
/// all else being floats: sets the corrections of each trial, none for layers
/// that it has not.
llvm::Error measureMeanErrors(mlir::ModuleOp module,
                              llvm::MutableArrayRef<Trial> trials,
                              const CalibrationData &data,
                              CompileFunction compile);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_SIMULATION_H
