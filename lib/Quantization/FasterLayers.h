//===- FasterLayers.h - Which layers bytes make faster ---------*- C++ -*--===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of layers that bytes make faster, where values that are exchanged
// between bytes and floats have to be converted. Free of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_FASTERLAYERS_H
#define BRISK_LIB_QUANTIZATION_FASTERLAYERS_H

#include "MixedPrecision.h"

#include <utility>

namespace brisk {

/// What it takes a layer's model longer, in cycles.
struct LayerTime {
  /// With the layer in floats instead of bytes, all that it exchanges values
  /// with being of the same type; negative where bytes are slower.
  double won = 0;
  /// With all that it exchanges values with being of the other type.
  double border = 0;
};

/// Pairs of layers that exchange values.
using LayerLinks = std::vector<std::pair<unsigned, unsigned>>;

/// The times of `layers` layers; `getCycles` says how long the model takes.
llvm::Expected<std::vector<LayerTime>> measureLayers(unsigned layers,
                                                     const Evaluate &getCycles);

/// The layers in bytes for which the model takes the least time, as far as the
/// layers' times add up; of those alone that may be bytes.
LayerChoice chooseFaster(llvm::ArrayRef<LayerTime> times,
                         const LayerLinks &links,
                         const LayerChoice &mayBeBytes);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_FASTERLAYERS_H
