//===- SparseWeights.h - Weights with zeros among them ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_SPARSEWEIGHTS_H
#define BRISK_LIB_QUANTIZATION_SPARSEWEIGHTS_H

#include "InputMoments.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <vector>

namespace brisk {

/// Weights of a layer, rows x channels, of which some have become zero. The
/// others have been changed so that the layer's output errors get small, as far
/// as inputs vary together (Frantar and Alistarh, SparseGPT, 2023,
/// arXiv:2301.00774).
struct SparseWeights {
  std::vector<float> weights;
  /// What is to be added to the output channels, by which their means stay.
  std::vector<float> correction;
};

/// By how much each row's output changes when it is left out: the squares of
/// its weights, summed, times the variance of its input (Sun and others, Wanda,
/// 2023, arXiv:2306.11695, where a bias makes up for means).
std::vector<double> measureRows(llvm::ArrayRef<float> weights, int64_t channels,
                                const InputMoments &moments);

/// Makes the given rows zero.
SparseWeights dropRows(llvm::ArrayRef<float> weights, int64_t channels,
                       const InputMoments &moments,
                       const llvm::BitVector &rows);

/// Makes that part of the weights zero that changes outputs least, whatever
/// rows and channels they are of.
SparseWeights dropWeights(llvm::ArrayRef<float> weights, int64_t channels,
                          const InputMoments &moments, double part);

/// Keeps two at most of every four rows, which may be others in each channel.
SparseWeights dropTwoOfFour(llvm::ArrayRef<float> weights, int64_t channels,
                            const InputMoments &moments);

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_SPARSEWEIGHTS_H
