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

/// Where the values of each group lie; an error where some are no numbers.
llvm::Expected<std::vector<Histogram>> countValues(mlir::ModuleOp module,
                                                   const QuantizationPlan &plan,
                                                   const CalibrationData &data,
                                                   CompileFunction compile);

/// How the inputs of each layer vary together.
llvm::Expected<std::vector<InputMoments>>
observeMoments(mlir::ModuleOp module, const QuantizationPlan &plan,
               const CalibrationData &data, CompileFunction compile);

/// The layers' weights, each of them rounded by itself.
std::vector<ByteWeights> roundAllWeights(const QuantizationPlan &plan);

/// Rounds the layers' weights anew, so that the errors of their outputs are
/// small: see balanceErrors.
llvm::Error balanceWeights(mlir::ModuleOp module, const QuantizationPlan &plan,
                           const CalibrationData &data, CompileFunction compile,
                           std::vector<ByteWeights> &weights);

/// The largest size of an element in each channel of what some layers read; an
/// empty vector for others.
llvm::Expected<std::vector<std::vector<float>>>
measureChannels(mlir::ModuleOp module, llvm::ArrayRef<unsigned> layers,
                const CalibrationData &data, CompileFunction compile);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_OBSERVATION_H
