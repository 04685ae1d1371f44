//===- InputMoments.cpp - How a layer's inputs vary together --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputMoments.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <random>

using namespace brisk;

static int64_t multiply(llvm::ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

int64_t LayerInput::getRows() const {
  return multiply(window.kernel) * (channels / groups);
}

InputMoments::InputMoments(const LayerInput &layer, uint64_t samples)
    : layer(layer) {
  // Several times as many as a block has rows.
  constexpr uint64_t places = 2048;
  placesPerSample = llvm::divideCeil(places, std::max<uint64_t>(samples, 1));
  int64_t rows = layer.getRows();
  for (int64_t group = 0; group < layer.groups; ++group)
    for (int64_t begin = 0; begin < rows; begin += blockRows)
      blocks.push_back(
          {group, begin, std::min(blockRows, rows - begin), {}, {}});
  for (Block &block : blocks) {
    block.products.assign(block.rows * block.rows, 0);
    block.sums.assign(block.rows, 0);
  }
  row.resize(multiply(layer.window.kernel) * layer.channels);
}

void InputMoments::add(llvm::ArrayRef<float> input, uint64_t sample) {
  int64_t places = layer.batch * multiply(layer.window.output);
  std::minstd_rand random(static_cast<unsigned>(sample) + 1);
  for (uint64_t i = 0; i < placesPerSample; ++i) {
    gather(input, static_cast<int64_t>(random() % places));
    ++count;
    llvm::ArrayRef<float> own;
    int64_t group = -1;
    for (Block &block : blocks) {
      if (block.group != group)
        own = getGroup(group = block.group);
      accumulate(block, own.slice(block.begin, block.rows));
    }
  }
}

llvm::ArrayRef<float> InputMoments::getGroup(int64_t group) {
  if (layer.groups == 1)
    return row;
  int64_t size = layer.channels / layer.groups;
  ofGroup.clear();
  for (size_t at = group * size; at < row.size(); at += layer.channels)
    ofGroup.insert(ofGroup.end(), row.begin() + at, row.begin() + at + size);
  return ofGroup;
}

/// Reads the window of an output; zeros where it lies in the padding.
void InputMoments::gather(llvm::ArrayRef<float> input, int64_t place) {
  const Window &window = layer.window;
  size_t rank = window.getRank();
  llvm::SmallVector<int64_t> origin(rank), tap(rank, 0);
  for (size_t dim = rank; dim-- > 0; place /= window.output[dim])
    origin[dim] =
        place % window.output[dim] * window.strides[dim] - window.padBegin[dim];
  int64_t image = place, channels = layer.channels;
  float *to = row.data();
  int64_t taps = multiply(layer.window.kernel);
  for (int64_t i = 0; i < taps; ++i, to += channels) {
    int64_t offset = image;
    bool isInside = true;
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t at = origin[dim] + tap[dim] * window.dilations[dim];
      isInside &= at >= 0 && at < window.input[dim];
      offset = offset * window.input[dim] + at;
    }
    if (isInside)
      std::copy_n(input.data() + offset * channels, channels, to);
    else
      std::fill_n(to, channels, 0.0F);
    for (size_t dim = rank; dim-- > 0;) {
      if (++tap[dim] < window.kernel[dim])
        break;
      tap[dim] = 0;
    }
  }
}

void InputMoments::accumulate(Block &block, llvm::ArrayRef<float> row) const {
  int64_t rows = block.rows;
  for (int64_t i = 0; i < rows; ++i) {
    float value = row[i];
    block.sums[i] += value;
    if (value == 0)
      continue;
    float *products = block.products.data() + i * rows;
    for (int64_t j = i; j < rows; ++j)
      products[j] += value * row[j];
  }
}
