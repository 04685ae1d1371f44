//===- InputMoments.h - How a layer's inputs vary together ------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_INPUTMOMENTS_H
#define BRISK_LIB_QUANTIZATION_INPUTMOMENTS_H

#include "brisk/Dialect/Window.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace brisk {

/// How a layer reads its input, N x spatial x C: the elements that one output
/// is a product of, in the order of the weights' rows. A matrix product is a
/// window of one pixel.
struct LayerInput {
  Window window;
  int64_t batch = 1, channels = 1;
  /// Output channels read the input channels of their group.
  int64_t groups = 1;

  /// Elements that an output is a product of.
  int64_t getRows() const;
};

/// Sums of products of the elements that outputs read, at some outputs of every
/// sample: a matrix for each block of neighbouring rows of weights, in each
/// group of channels.
class InputMoments {
public:
  /// Rows of weights in a block: the errors of more are not balanced.
  static constexpr int64_t blockRows = 256;

  InputMoments(const LayerInput &layer, uint64_t samples);

  /// Takes places of an input; the same ones for the same number of the sample.
  void add(llvm::ArrayRef<float> input, uint64_t sample);

  struct Block {
    int64_t group;
    int64_t begin, rows;         ///< of the weights
    std::vector<float> products; ///< rows x rows, of which j >= i
    std::vector<float> sums;     ///< rows
  };
  llvm::ArrayRef<Block> getBlocks() const { return blocks; }
  uint64_t getCount() const { return count; }
  int64_t countGroups() const { return layer.groups; }

private:
  void gather(llvm::ArrayRef<float> input, int64_t place);
  llvm::ArrayRef<float> getGroup(int64_t group);
  void accumulate(Block &block, llvm::ArrayRef<float> row) const;

  LayerInput layer;
  uint64_t placesPerSample, count = 0;
  std::vector<Block> blocks;
  std::vector<float> row;     ///< of all groups
  std::vector<float> ofGroup; ///< those elements of one
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_INPUTMOMENTS_H
