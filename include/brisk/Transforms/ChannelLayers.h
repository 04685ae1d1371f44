//===- ChannelLayers.h - Layers that channels lead through -*- C++ -*------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_CHANNELLAYERS_H
#define BRISK_TRANSFORMS_CHANNELLAYERS_H

#include "mlir/IR/Operation.h"

namespace brisk {

/// True for a convolution or a matrix product with constant weights of f32 or
/// f64, window x C x O, each of whose output channels is a sum over all input
/// channels. Both are last dimensions, of the first operand, which is no
/// constant, and of the result.
bool mixesChannels(mlir::Operation *op);

/// True for a convolution with such weights, window x 1 x C, that computes each
/// channel by itself.
bool isDepthwise(mlir::Operation *op);

/// True for one with such weights, of f32 and in any groups, and a constant
/// bias or none, which can give and take any multiples of its channels.
bool takesScales(mlir::Operation *op);

/// True for a layer that has no bias, or a constant one.
bool hasConstantBias(mlir::Operation *op);

} // namespace brisk

#endif // BRISK_TRANSFORMS_CHANNELLAYERS_H
