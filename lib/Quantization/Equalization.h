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
// take it so many times. What gives the channel gives less or more of it: the
// layers, and the factors, from which it comes by ops that commute with scales
// (Nagel and others, Data-Free Quantization through Weight Equalization and
// Bias Correction, 2019, arXiv:1906.04721). Where something else lies in
// between, the value is multiplied. The scales weigh what is seen of the values
// against the weights that read them (Xiao and others, SmoothQuant, 2022,
// arXiv:2211.10438), since the scales of weights are those of output channels
// here.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_EQUALIZATION_H
#define BRISK_LIB_QUANTIZATION_EQUALIZATION_H

#include "Probe.h"
#include "QuantizationPlan.h"
#include "brisk/Transforms/ChannelGraph.h"

namespace brisk {

/// Channels that are scaled together, or not at all.
struct ScalableChannels {
  /// The layers that read them, among those of the plan.
  std::vector<unsigned> readers;
  /// Their rising numbers in the graph of what is scaled alike; none: those of
  /// the value that the layers read, which is multiplied.
  std::vector<unsigned> channels;
};

/// Those of a plan, in an order that copies of its function share.
std::vector<ScalableChannels> findScalable(const QuantizationPlan &plan,
                                           const ChannelGraph &graph);

/// What each channel is divided by, given the largest sizes of its elements and
/// of the weights that they meet. Where each output channel reads one input
/// channel, and has a scale of its own, weights need not be considered.
std::vector<float> chooseScales(llvm::ArrayRef<float> elements,
                                llvm::ArrayRef<float> weights,
                                bool areReadersDepthwise);

/// The scales of all channels that can be scaled, given the largest sizes of
/// the elements in each channel that a layer reads.
std::vector<std::vector<float>>
chooseAllScales(const QuantizationPlan &plan, const ChannelGraph &graph,
                llvm::ArrayRef<ScalableChannels> scalable,
                llvm::ArrayRef<std::vector<float>> sizes);

/// Scales those channels of a module that have scales, and all that reads them;
/// the outputs stay the same, up to rounding.
void applyScales(mlir::ModuleOp module,
                 llvm::ArrayRef<std::vector<float>> scales);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_EQUALIZATION_H
