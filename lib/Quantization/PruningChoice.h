//===- PruningChoice.h - How far each layer is pruned -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of how much of each layer becomes zero, by how near the model's
// outputs stay to what they were. Free of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_PRUNINGCHOICE_H
#define BRISK_LIB_QUANTIZATION_PRUNINGCHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <vector>

namespace brisk {

/// What pruning a unit that far brings, and its noise at the outputs, as a part
/// of their power.
struct PruningStep {
  double gain, noise;
};

/// How far each unit is pruned: 0 for not at all, else by which of its steps,
/// counted from 1.
using PruningChoice = std::vector<unsigned>;

/// How good a pruned model is: more is better.
using EvaluatePruning =
    std::function<llvm::Expected<double>(const PruningChoice &)>;

/// The choice with the largest gain that is found to be at least that good.
/// Each unit has steps of increasing gain. Noise adds up, more or less, so for
/// one price of noise each unit has a best step, and it takes a few evaluations
/// to find the highest price that does; then each unit is tried further.
llvm::Expected<PruningChoice>
choosePruning(llvm::ArrayRef<std::vector<PruningStep>> units, double least,
              const EvaluatePruning &evaluate);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_PRUNINGCHOICE_H
