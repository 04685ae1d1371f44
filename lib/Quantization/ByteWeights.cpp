//===- ByteWeights.cpp - Weights as signed bytes --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteWeights.h"
#include "Compensation.h"

#include <algorithm>
#include <cmath>

using namespace brisk;

static float roundToByte(float weight, float scale, IntegerRange range = {}) {
  return std::clamp(std::nearbyint(weight / scale), range.least,
                    range.greatest);
}

ByteWeights brisk::roundWeights(llvm::ArrayRef<float> weights, int64_t channels,
                                IntegerRange range) {
  ByteWeights result;
  result.bytes.resize(weights.size());
  std::vector<float> largest(channels, 0);
  size_t channel = 0;
  auto next = [&] {
    channel = channel + 1 == largest.size() ? 0 : channel + 1;
  };
  for (float weight : weights) {
    largest[channel] = std::max(largest[channel], std::abs(weight));
    next();
  }
  // Row by row for all channels at once, as the weights lie.
  result.scales.assign(channels, 1);
  std::vector<double> least(channels, INFINITY), errors(channels);
  std::vector<float> scales(channels);
  constexpr int tries = 20;
  constexpr float narrowest = 0.8F;
  for (int i = 0; i < tries; ++i) {
    float factor = 1 - (1 - narrowest) * static_cast<float>(i) / tries;
    for (int64_t c = 0; c < channels; ++c) {
      float scale = largest[c] * factor / range.greatest;
      scales[c] = std::isnormal(scale) ? scale : 1;
    }
    errors.assign(channels, 0);
    channel = 0;
    for (float weight : weights) {
      float scale = scales[channel];
      double error = roundToByte(weight, scale, range) * scale - weight;
      errors[channel] += error * error;
      next();
    }
    for (int64_t c = 0; c < channels; ++c)
      if (errors[c] < least[c]) {
        least[c] = errors[c];
        result.scales[c] = scales[c];
      }
  }
  channel = 0;
  for (auto [weight, byte] : llvm::zip_equal(weights, result.bytes)) {
    byte =
        static_cast<int8_t>(roundToByte(weight, result.scales[channel], range));
    next();
  }
  return result;
}

void brisk::balanceErrors(llvm::ArrayRef<float> weights,
                          const InputMoments &moments, ByteWeights &result) {
  auto channels = static_cast<int64_t>(result.scales.size());
  std::vector<float> wanted(weights.begin(), weights.end()), errors(channels);
  int64_t perGroup = channels / moments.countGroups();
  for (const InputMoments::Block &block : moments.getBlocks()) {
    auto compensation = getCompensation(block, moments.getCount());
    if (!compensation)
      continue;
    int64_t first = block.group * perGroup, end = first + perGroup;
    for (int64_t i = 0; i < block.rows; ++i) {
      int64_t row = (block.begin + i) * channels;
      for (int64_t c = first; c < end; ++c) {
        float scale = result.scales[c];
        float byte = roundToByte(wanted[row + c], scale);
        result.bytes[row + c] = static_cast<int8_t>(byte);
        errors[c] = wanted[row + c] - byte * scale;
      }
      for (int64_t j = i + 1; j < block.rows; ++j) {
        auto share =
            static_cast<float>(compensation->at(j, i) / compensation->at(i, i));
        float *later = wanted.data() + (block.begin + j) * channels;
        for (int64_t c = first; c < end; ++c)
          later[c] -= errors[c] * share;
      }
    }
  }
}
