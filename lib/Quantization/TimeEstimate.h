//===- TimeEstimate.h - How long a mixed model takes -----------*- C++ -*--===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_TIMEESTIMATE_H
#define BRISK_LIB_QUANTIZATION_TIMEESTIMATE_H

#include "FasterLayers.h"
#include "Rewrite.h"
#include "brisk/Quantization/PostTraining.h"

namespace brisk {

/// How long a model takes on its target with some layers in bytes, by the
/// estimates of the kernels that it would be compiled to.
class TimeEstimate {
public:
  /// `parameters` may be any; bytes of weights are of the right types, and no
  /// corrections are needed.
  static llvm::Expected<TimeEstimate> create(mlir::ModuleOp module,
                                             const QuantizationPlan &plan,
                                             QuantizationParameters parameters,
                                             EstimateFunction estimate);

  llvm::Expected<double> getCycles(const LayerChoice &inBytes) const;
  double getWon(unsigned layer) const { return times[layer].won; }

  /// Of the layers that may be bytes, those for which bytes save time: all, or
  /// none, where no other choice is better.
  llvm::Expected<LayerChoice> chooseFaster(const LayerChoice &mayBeBytes) const;

private:
  TimeEstimate(mlir::ModuleOp module, QuantizationParameters parameters,
               EstimateFunction estimate)
      : module(module), parameters(std::move(parameters)), estimate(estimate) {}

  mlir::ModuleOp module;
  QuantizationParameters parameters;
  EstimateFunction estimate;
  LayerLinks links;
  std::vector<LayerTime> times;
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_TIMEESTIMATE_H
