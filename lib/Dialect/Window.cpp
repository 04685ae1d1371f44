//===- Window.cpp - Sliding windows ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Window.h"
#include "ShapeInference.h"
#include "brisk/Dialect/BriskDialect.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

/// The largest entry of an attribute, and of a kernel: far beyond any use, and
/// no sum or product of two overflows.
static constexpr int64_t maxEntry = INT32_MAX;

SmallVector<int64_t> Window::getPads() const {
  SmallVector<int64_t> pads(padBegin);
  pads.append(padEnd.begin(), padEnd.end());
  return pads;
}

SmallVector<int64_t> brisk::prependDim(ArrayRef<int64_t> list, int64_t value) {
  SmallVector<int64_t> result(list);
  if (!list.empty())
    result.insert(result.begin(), value);
  return result;
}

/// Checks the length of a list of attributes, unless it is left out, and its
/// entries.
static LogicalResult checkEntries(std::optional<Location> loc, size_t rank,
                                  ArrayRef<int64_t> values, size_t count,
                                  int64_t least, StringRef name) {
  if (!values.empty() && values.size() != count)
    return emitOptionalError(loc, name, " has ", values.size(),
                             " entries where ", rank,
                             " spatial dimensions need ", count);
  for (int64_t value : values) {
    if (value < least)
      return emitOptionalError(loc, name, " has the entry ", value,
                               ", expected at least ", least);
    if (value > maxEntry)
      return emitOptionalError(loc, name, " has the entry ", value,
                               ", expected at most ", maxEntry);
  }
  return success();
}

/// Fills in the attributes; their lengths and ranges are checked here.
static FailureOr<Window> makeWindow(std::optional<Location> loc, size_t rank,
                                    ArrayRef<int64_t> kernel,
                                    ArrayRef<int64_t> strides,
                                    ArrayRef<int64_t> pads,
                                    ArrayRef<int64_t> dilations) {
  if (rank == 0)
    return emitOptionalError(loc, "input has no spatial dimension");
  // Of a filter that is not known yet, neither is the kernel.
  SmallVector<int64_t> known(kernel);
  llvm::replace(known, dynamic, int64_t(1));
  if (failed(checkEntries(loc, rank, known, rank, 1, "kernel_shape")) ||
      failed(checkEntries(loc, rank, strides, rank, 1, "strides")) ||
      failed(checkEntries(loc, rank, pads, 2 * rank, -maxEntry, "pads")) ||
      failed(checkEntries(loc, rank, dilations, rank, 1, "dilations")))
    return failure();
  if (kernel.size() != rank)
    return emitOptionalError(loc, "kernel_shape has ", kernel.size(),
                             " entries where ", rank,
                             " spatial dimensions need ", rank);
  if (!isAddressable(kernel))
    return emitOptionalError(loc, "kernel_shape has too many elements");
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  auto orOnes = [&](ArrayRef<int64_t> values) {
    return values.empty() ? SmallVector<int64_t>(rank, 1)
                          : SmallVector<int64_t>(values);
  };
  window.strides = orOnes(strides);
  window.dilations = orOnes(dilations);
  if (pads.empty()) {
    window.padBegin.assign(rank, 0);
    window.padEnd.assign(rank, 0);
  } else {
    window.padBegin.assign(pads.begin(), pads.begin() + rank);
    window.padEnd.assign(pads.begin() + rank, pads.end());
  }
  return window;
}

FailureOr<Window>
brisk::resolveWindow(std::optional<Location> loc, ArrayRef<int64_t> input,
                     ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                     ArrayRef<int64_t> pads, ArrayRef<int64_t> dilations,
                     AutoPad autoPad, bool ceilMode) {
  FailureOr<Window> window =
      makeWindow(loc, input.size(), kernel, strides, pads, dilations);
  if (failed(window))
    return failure();
  window->input.assign(input.begin(), input.end());
  for (size_t i = 0; i < input.size(); ++i) {
    int64_t extent = window->getExtent(i), stride = window->strides[i];
    int64_t &begin = window->padBegin[i], &end = window->padEnd[i];
    bool known = !isDynamic(input[i]) && !isDynamic(extent);
    int64_t size = dynamic;
    if (autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower) {
      begin = end = dynamic;
      if (known) {
        size = llvm::divideCeilSigned(input[i], stride);
        int64_t total =
            std::max<int64_t>((size - 1) * stride + extent - input[i], 0);
        begin = autoPad == AutoPad::SameUpper ? total / 2 : total - total / 2;
        end = total - begin;
      }
      window->output.push_back(size);
      continue;
    }
    if (autoPad == AutoPad::Valid)
      begin = end = 0;
    if (known) {
      int64_t room = input[i] + begin + end - extent;
      if (room < 0)
        return emitOptionalError(
            loc, "window of ", extent,
            " elements is larger than the padded input of ",
            input[i] + begin + end, " in spatial dimension ", i);
      size =
          (ceilMode ? llvm::divideCeilSigned(room, stride) : room / stride) + 1;
      // No window starts in the padding at the end.
      if (ceilMode && (size - 1) * stride >= input[i] + begin)
        --size;
    }
    window->output.push_back(size);
  }
  return window;
}

FailureOr<Window> brisk::resolveTransposedWindow(
    std::optional<Location> loc, ArrayRef<int64_t> spread,
    ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides, ArrayRef<int64_t> pads,
    ArrayRef<int64_t> dilations, AutoPad autoPad,
    ArrayRef<int64_t> outputPadding,
    std::optional<ArrayRef<int64_t>> outputShape) {
  size_t rank = spread.size();
  FailureOr<Window> window =
      makeWindow(loc, rank, kernel, strides, pads, dilations);
  if (failed(window))
    return failure();
  if (failed(checkEntries(loc, rank, outputPadding, rank, -maxEntry,
                          "output_padding")) ||
      failed(checkEntries(loc, rank, outputShape.value_or(ArrayRef<int64_t>()),
                          rank, 0, "output_shape")))
    return failure();
  if (outputShape && outputShape->size() != rank)
    return emitOptionalError(loc, "output_shape has ", outputShape->size(),
                             " entries where ", rank,
                             " spatial dimensions need ", rank);
  window->output.assign(spread.begin(), spread.end());
  bool same = autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower;
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = window->getExtent(i), stride = window->strides[i];
    int64_t &begin = window->padBegin[i], &end = window->padEnd[i];
    bool known = !isDynamic(spread[i]) && !isDynamic(extent);
    // What the windows cover before anything is cut off.
    int64_t whole = dynamic;
    if (known) {
      whole = add(multiply(spread[i] - 1, stride),
                  extent + (outputPadding.empty() ? 0 : outputPadding[i]));
      if (whole > 0 && !isAddressable(whole))
        return emitOptionalError(
            loc, "result would have too many elements in spatial dimension ",
            i);
    }
    int64_t size = dynamic;
    if (outputShape || same) {
      if (outputShape)
        size = (*outputShape)[i];
      else if (!isDynamic(spread[i]))
        size = multiply(spread[i], stride);
      begin = end = dynamic;
      if (known) {
        int64_t total = std::max<int64_t>(whole - size, 0);
        begin = autoPad == AutoPad::SameUpper ? total / 2 : total - total / 2;
        end = total - begin;
      }
    } else {
      if (autoPad == AutoPad::Valid)
        begin = end = 0;
      if (known)
        size = whole - begin - end;
    }
    if (size < 0 && !isDynamic(size))
      return emitOptionalError(loc, "result would have ", size,
                               " elements in spatial dimension ", i);
    window->input.push_back(size);
  }
  return window;
}
