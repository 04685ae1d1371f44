//===- Window.h - Sliding windows -------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The geometry of convolution and pooling: where windows lie on an input's
// spatial dimensions.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_WINDOW_H
#define BRISK_DIALECT_WINDOW_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace brisk {

enum class AutoPad : uint32_t;

/// Sliding windows, one entry of each array for each spatial dimension, in
/// elements. Window o of a dimension has the taps
/// `o * strides - padBegin + t * dilations` for t in [0, kernel); taps outside
/// [0, input) are padding. Unknown sizes are kDynamic.
struct Window {
  llvm::SmallVector<int64_t> input, kernel, strides, dilations, padBegin,
      padEnd, output;

  size_t getRank() const { return kernel.size(); }
  /// First to last tap of a window, gaps included.
  int64_t getExtent(size_t dim) const {
    return mlir::ShapedType::isDynamic(kernel[dim])
               ? mlir::ShapedType::kDynamic
               : (kernel[dim] - 1) * dilations[dim] + 1;
  }
  /// True if no window of a dimension has a tap in the padding.
  bool isInside(size_t dim) const {
    return padBegin[dim] <= 0 &&
           (output[dim] - 1) * strides[dim] - padBegin[dim] + getExtent(dim) <=
               input[dim];
  }
  /// All begins, then all ends.
  llvm::SmallVector<int64_t> getPads() const;
};

/// Windows of an op with these attributes, empty ones being defaults. Reports
/// attributes that do not fit at `loc` and fails.
mlir::FailureOr<Window>
resolveWindow(std::optional<mlir::Location> loc, llvm::ArrayRef<int64_t> input,
              llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> strides,
              llvm::ArrayRef<int64_t> pads, llvm::ArrayRef<int64_t> dilations,
              AutoPad autoPad, bool ceilMode);

/// Windows of a transposed convolution over its result, whose sizes are
/// `Window::input`; `output` is the size of what is spread.
mlir::FailureOr<Window> resolveTransposedWindow(
    std::optional<mlir::Location> loc, llvm::ArrayRef<int64_t> spread,
    llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> strides,
    llvm::ArrayRef<int64_t> pads, llvm::ArrayRef<int64_t> dilations,
    AutoPad autoPad, llvm::ArrayRef<int64_t> outputPadding,
    std::optional<llvm::ArrayRef<int64_t>> outputShape);

/// An attribute's list of spatial dimensions with `value` for a new one in
/// front; empty lists are defaults and stay so.
llvm::SmallVector<int64_t> prependDim(llvm::ArrayRef<int64_t> list,
                                      int64_t value);

/// Adds a spatial dimension in front to what all window ops list, in which
/// there is one window of one tap.
template <typename OpT> void prependWindowDim(OpT op) {
  op.setStrides(prependDim(op.getStrides(), 1));
  op.setDilations(prependDim(op.getDilations(), 1));
  llvm::ArrayRef<int64_t> pads = op.getPads();
  llvm::SmallVector<int64_t> wide =
      prependDim(pads.take_front(pads.size() / 2), 0);
  wide.append(prependDim(pads.drop_front(pads.size() / 2), 0));
  op.setPads(wide);
}

} // namespace brisk

#endif // BRISK_DIALECT_WINDOW_H
