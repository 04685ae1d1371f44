//===- Equalization.h - Channels of alike sizes -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes of a value have one scale, so that channels with small elements have
// few steps. So each channel is scaled by itself, and the layers that read it
// take it so many times. Where a layer's outputs reach them through ops that
// commute with scales, that layer gives less or more of the channel (Nagel and
// others, Data-Free Quantization through Weight Equalization and Bias
// Correction, 2019, arXiv:1906.04721); other values are multiplied. The scales
// weigh what is seen of the values against the weights that read them (Xiao and
// others, SmoothQuant, 2022, arXiv:2211.10438), since the scales of weights are
// those of output channels here.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_EQUALIZATION_H
#define BRISK_LIB_QUANTIZATION_EQUALIZATION_H

#include "Probe.h"
#include "QuantizationPlan.h"

namespace brisk {

/// Channels that may be scaled, since nothing but layers reads them in the end.
struct ScalableChannels {
  /// The layers that read them, among those of the plan.
  std::vector<unsigned> readers;
  /// The layer that gives them, likewise; none: the value is multiplied.
  std::optional<unsigned> layer;
  /// Operands that bound values in between, and the dimension of these with the
  /// channels.
  std::vector<std::pair<mlir::OpOperand *, int64_t>> bounds;
};

/// Those of a plan, in an order that copies of its function share.
std::vector<ScalableChannels> findScalable(const QuantizationPlan &plan);

/// What each channel is divided by, given the largest sizes of its elements and
/// of the weights that they meet. Where each output channel reads one input
/// channel, and has a scale of its own, weights need not be considered.
std::vector<float> chooseScales(llvm::ArrayRef<float> elements,
                                llvm::ArrayRef<float> weights,
                                bool areReadersDepthwise);

/// The scales of all channels that can be scaled, by the samples.
llvm::Expected<std::vector<std::vector<float>>>
chooseAllScales(mlir::ModuleOp module, const CalibrationData &data,
                CompileFunction compile);

/// Scales those channels of a module that have scales, and all that reads them;
/// the outputs stay the same, up to rounding.
void applyScales(mlir::ModuleOp module,
                 llvm::ArrayRef<std::vector<float>> scales);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_EQUALIZATION_H
