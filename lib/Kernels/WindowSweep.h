//===- WindowSweep.h - Blocks of sliding windows ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How depthwise convolution and pooling walk a channels-last tensor: rows of
// windows are pieces or, where there are few, parts of their channels; within a
// row, blocks of neighbouring windows share what they load, for a vector of
// channels at a time. Where a window's place in the
// row is known, so are the taps that lie in the padding, and none is checked
// when the code runs; the inner blocks, a loop, have none.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_WINDOWSWEEP_H
#define BRISK_LIB_KERNELS_WINDOWSWEEP_H

#include "Access.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Window.h"
#include "brisk/Kernels/Kernel.h"

namespace brisk {

/// Taps of a block that lie next to each other in the innermost spatial
/// dimension, at one place of the outer ones.
struct TapRow {
  int64_t taps;
  /// Such rows, below each other in the next dimension, that are taken at once;
  /// elements of the input from one to the next.
  int64_t rows, rowStride;
  /// The first tap's place in each dimension of the window.
  llvm::SmallVector<mlir::Value> firstTap;

  /// Calls `use` for every pixel and tap inside the input, with what `load`
  /// gives for the place of the first row's element. Pixels share loads; each
  /// sees its taps in order.
  void forInside(
      llvm::function_ref<mlir::Value(mlir::Value at)> load,
      llvm::function_ref<void(int64_t pixel, int64_t tap, mlir::Value x)> use);
  /// True if a pixel has this tap inside the input.
  bool isUsed(int64_t tap) const;

  struct Use {
    int64_t place, pixel, tap; ///< `place`: input columns from `offset` on.
  };
  KernelBuilder &b;
  int64_t columnStride;
  mlir::Value offset;
  llvm::ArrayRef<Use> uses; ///< By place.
};

class WindowSweep {
public:
  using TapRowBody =
      llvm::function_ref<void(TapRow &, llvm::MutableArrayRef<mlir::Value>)>;

  /// Neighbouring windows of one row, for one vector of channels.
  struct Block {
    int64_t pixels;
    /// The first window's row in the result.
    mlir::Value row;
    Columns channels;

    /// Loops over the rows of taps, carrying values, up to `atOnce` of them at
    /// a time: more than one where these are inside the input.
    llvm::SmallVector<mlir::Value>
    forTapRows(mlir::ValueRange carried, int64_t atOnce, TapRowBody body) const;
    /// How many taps of `pixel` are inside the input or, if `withPadding`, in
    /// the padded input; an index.
    mlir::Value countTaps(int64_t pixel, bool withPadding) const;

    KernelBuilder &b;
    const WindowSweep &sweep;
    mlir::Value column;                  ///< The first window's, in its row.
    std::optional<int64_t> staticColumn; ///< The same, where known.
    bool interior; ///< Every pixel has all taps of its row inside.
    bool rolled;   ///< Taps of a row are looped over.

  private:
    /// The taps of a row that are inside the input, by place.
    llvm::SmallVector<TapRow::Use> listUses(int64_t taps) const;
    /// The loops over dimensions from `dim` on, of which `row` has the places
    /// in those before.
    llvm::SmallVector<mlir::Value> forTapRowsFrom(size_t dim, TapRow row,
                                                  mlir::ValueRange carried,
                                                  int64_t atOnce,
                                                  TapRowBody body) const;
  };

  /// Windows over an N x spatial x C tensor, at most `maxPixels` in a block, in
  /// vectors of `lanes` channels (0: scalars).
  WindowSweep(const Window &window, int64_t batch, int64_t channels,
              int64_t lanes, int64_t maxPixels);

  /// Cuts the channels of a row into parts of whole vectors, as far as it takes
  /// for so many pieces.
  void cutChannels(int64_t wantedPieces);
  /// Rows of windows times the parts of each.
  int64_t getPieces() const;
  /// Windows in a block, but for the last of a row.
  int64_t getPixels() const { return pixels; }
  /// Taps of a window; taps of one row of it.
  int64_t getTaps() const;
  int64_t getRowTaps() const { return window.kernel.back(); }
  /// Input columns that a block of windows loads for one row of taps.
  int64_t getLoads() const;

  /// Emits the rows: calls `body` for every block and vector, for some columns
  /// twice.
  void emit(KernelBuilder &b, const FlatBuffer &input, PieceLoop forPieces,
            llvm::function_ref<void(const Block &)> body);

private:
  /// Taps of one window in one dimension that are inside the input.
  struct Range {
    mlir::Value start; ///< Input place of tap 0; negative in the padding.
    mlir::Value low, high;
    mlir::Value paddedHigh; ///< End of the taps inside the padded input.
  };
  Range getRange(KernelBuilder &b, size_t dim, mlir::Value index) const;
  /// The input column of a tap; outside of [0, size) in the padding.
  int64_t getPlace(int64_t column, int64_t tap) const;
  /// Elements of the input from one tap to the next.
  int64_t getTapDistance(size_t dim) const;
  bool isColumnInside(int64_t column, int64_t tap) const;
  size_t getLast() const { return window.kernel.size() - 1; }
  int64_t getRows() const;
  /// The channels of a part.
  std::pair<mlir::Value, mlir::Value> getPart(KernelBuilder &b,
                                              mlir::Value part) const;

  Window window;
  int64_t batch, channels, lanes, pixels;
  /// Parts of a row's channels, and channels of one; the last has all the rest.
  int64_t parts = 1, partSize;
  /// Windows of a row with all taps inside: [interiorBegin, interiorEnd).
  int64_t interiorBegin, interiorEnd;

  // While a row is emitted:
  const FlatBuffer *input = nullptr;
  mlir::Value image;
  llvm::SmallVector<Range> ranges;
};

/// A match that sweeps windows; the schedule says the pixels of a block.
template <typename ScheduleT> class SweepMatch : public KernelMatch {
public:
  SweepMatch(const GroupView &view, Window window)
      : KernelMatch(view), window(std::move(window)) {}

  Work getWork(ScheduleAttr schedule) override {
    return {getCutSweep(schedule).getPieces()};
  }

protected:
  /// Lanes of a vector of channels; 0: scalars.
  virtual int64_t getLanes() const = 0;
  llvm::ArrayRef<int64_t> getResultShape() const {
    return getShape(view.getAnchor()->getResult(0));
  }
  WindowSweep getSweep(ScheduleAttr schedule) const {
    return WindowSweep(window, getResultShape().front(),
                       getResultShape().back(), getLanes(),
                       llvm::cast<ScheduleT>(schedule).getPixels());
  }
  /// The same in as many pieces as workers are kept busy by.
  WindowSweep getCutSweep(ScheduleAttr schedule) {
    WindowSweep sweep = getSweep(schedule);
    sweep.cutChannels(getWantedTasks(schedule));
    return sweep;
  }

  Window window;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_WINDOWSWEEP_H
