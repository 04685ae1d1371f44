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

static bool isSame(AutoPad autoPad) {
  return autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower;
}

/// Pads both ends of a dimension so that it gains `total` elements, or none.
static void pad(Window &window, size_t i, int64_t total, AutoPad autoPad) {
  total = std::max<int64_t>(total, 0);
  int64_t less = total / 2, more = total - less;
  bool isUpper = autoPad == AutoPad::SameUpper;
  window.padBegin[i] = isUpper ? less : more;
  window.padEnd[i] = isUpper ? more : less;
}

/// How many windows there are along a dimension whose sizes are known.
static FailureOr<int64_t> countWindows(std::optional<Location> loc,
                                       const Window &window, size_t i,
                                       bool ceilMode) {
  int64_t input = window.input[i], begin = window.padBegin[i];
  int64_t extent = window.getExtent(i), stride = window.strides[i];
  int64_t padded = input + begin + window.padEnd[i], room = padded - extent;
  if (room < 0)
    return emitOptionalError(loc, "window of ", extent,
                             " elements is larger than the padded input of ",
                             padded, " in spatial dimension ", i);
  if (!ceilMode)
    return room / stride + 1;
  int64_t size = llvm::divideCeilSigned(room, stride) + 1;
  // No window starts in the padding at the end.
  return (size - 1) * stride >= input + begin ? size - 1 : size;
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
    bool known = !isDynamic(input[i]) && !isDynamic(extent);
    if (isSame(autoPad) || autoPad == AutoPad::Valid)
      window->padBegin[i] = window->padEnd[i] = isSame(autoPad) ? dynamic : 0;
    FailureOr<int64_t> size = dynamic;
    if (known && isSame(autoPad)) {
      size = llvm::divideCeilSigned(input[i], stride);
      pad(*window, i, (*size - 1) * stride + extent - input[i], autoPad);
    } else if (known) {
      size = countWindows(loc, *window, i, ceilMode);
    }
    if (failed(size))
      return failure();
    window->output.push_back(*size);
  }
  return window;
}

/// What the windows along a dimension cover before anything is cut off, if its
/// sizes are known.
static FailureOr<int64_t> getCovered(std::optional<Location> loc,
                                     const Window &window, size_t i,
                                     ArrayRef<int64_t> outputPadding) {
  if (isDynamic(window.output[i]) || isDynamic(window.getExtent(i)))
    return dynamic;
  int64_t covered =
      add(multiply(window.output[i] - 1, window.strides[i]),
          window.getExtent(i) + (outputPadding.empty() ? 0 : outputPadding[i]));
  if (covered > 0 && !isAddressable(covered))
    return emitOptionalError(
        loc, "result would have too many elements in spatial dimension ", i);
  return covered;
}

/// Cuts off, as padding, what is too much of what the windows cover. The size
/// that is left: the one asked for, if any.
static int64_t crop(Window &window, size_t i, int64_t covered, AutoPad autoPad,
                    std::optional<int64_t> asked) {
  int64_t &begin = window.padBegin[i], &end = window.padEnd[i];
  int64_t spread = window.output[i];
  if (!asked && isSame(autoPad))
    asked = isDynamic(spread) ? dynamic : multiply(spread, window.strides[i]);
  if (asked) {
    begin = end = dynamic;
    if (!isDynamic(covered))
      pad(window, i, covered - *asked, autoPad);
    return *asked;
  }
  if (autoPad == AutoPad::Valid)
    begin = end = 0;
  return isDynamic(covered) ? dynamic : covered - begin - end;
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
  for (size_t i = 0; i < rank; ++i) {
    FailureOr<int64_t> covered = getCovered(loc, *window, i, outputPadding);
    if (failed(covered))
      return failure();
    int64_t size =
        crop(*window, i, *covered, autoPad,
             outputShape ? std::optional((*outputShape)[i]) : std::nullopt);
    if (size < 0 && !isDynamic(size))
      return emitOptionalError(loc, "result would have ", size,
                               " elements in spatial dimension ", i);
    window->input.push_back(size);
  }
  return window;
}
