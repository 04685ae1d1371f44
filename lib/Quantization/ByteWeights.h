//===- ByteWeights.h - Weights as signed bytes ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_BYTEWEIGHTS_H
#define BRISK_LIB_QUANTIZATION_BYTEWEIGHTS_H

#include "InputMoments.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace brisk {

/// The integers that weights become.
struct IntegerRange {
  float least = -127, greatest = 127;
};

/// Weights of a layer as signed bytes, with a scale for each output channel.
struct ByteWeights {
  std::vector<int8_t> bytes;
  std::vector<float> scales;
};

/// Rounds weights, whose last dimension is that of `channels` output channels,
/// to integers in `range`.
/// A channel's scale is the one whose rounding errors have the least sum of
/// squares; what it cuts off are few large weights. A channel of zeros has a
/// scale of 1.
ByteWeights roundWeights(llvm::ArrayRef<float> weights, int64_t channels,
                         IntegerRange range = {});

/// Rounds them anew by the same scales, so that the layer's output errors get
/// small, but for their mean, which a bias makes up for: what one weight is off
/// is made up for by the weights that are rounded after it, as far as their
/// inputs vary together (Frantar and others, GPTQ, 2022, arXiv:2210.17323).
void balanceErrors(llvm::ArrayRef<float> weights, const InputMoments &moments,
                   ByteWeights &result);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_BYTEWEIGHTS_H
