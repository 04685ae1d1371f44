//===- ExactLayers.h - Which layers bytes keep exact ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_EXACTLAYERS_H
#define BRISK_LIB_QUANTIZATION_EXACTLAYERS_H

#include "Simulation.h"

namespace brisk {

/// The layers in bytes that keep the model as exact as the options say, judged
/// by `samples` of the samples; what is asked for by a number holds on all.
llvm::Expected<LayerChoice> chooseExact(Simulation &simulation,
                                        llvm::ArrayRef<LayerCost> costs,
                                        const PostTrainingOptions &options,
                                        uint64_t samples);

/// Whether layers in bytes do what is asked for by a number, on all samples.
llvm::Expected<bool> reachesGoal(Simulation &simulation,
                                 const LayerChoice &inBytes,
                                 const PostTrainingOptions &options);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_EXACTLAYERS_H
