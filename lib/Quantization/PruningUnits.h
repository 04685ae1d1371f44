//===- PruningUnits.h - Layers that are pruned together ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_PRUNINGUNITS_H
#define BRISK_LIB_QUANTIZATION_PRUNINGUNITS_H

#include "QuantizationPlan.h"
#include "SparseWeights.h"
#include "brisk/Quantization/Pruning.h"

namespace brisk {

/// Layers that are pruned together or not at all: of channels, those that read
/// the same ones.
struct PruningUnit {
  std::vector<unsigned> layers;
  /// A channel that may go: which rows of which layers read it.
  struct Channel {
    std::vector<std::pair<unsigned, int64_t>> reads;
  };
  std::vector<Channel> channels;
};

/// What of the function's layers can be pruned. Depthwise layers, each of whose
/// outputs is a sum of few products, only lose channels with those that read
/// them.
std::vector<PruningUnit> findUnits(mlir::func::FuncOp function,
                                   const QuantizationPlan &plan,
                                   PruningPattern pattern);

/// The unit's weights with that part of them, or of its channels, zero, layer
/// by layer.
std::vector<SparseWeights> pruneUnit(const PruningUnit &unit,
                                     const QuantizationPlan &plan,
                                     llvm::ArrayRef<InputMoments> moments,
                                     PruningPattern pattern, double part);

/// The weights that a layer loses with the channels of its result that nothing
/// reads, beside those that are zero.
uint64_t countZeros(const PlannedLayer &layer,
                    const llvm::BitVector &deadColumns);

/// Of every layer, the channels of its result that nothing reads.
std::vector<llvm::BitVector> findDeadColumns(mlir::func::FuncOp function,
                                             const QuantizationPlan &plan);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_PRUNINGUNITS_H
