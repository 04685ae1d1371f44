//===- WindowSweep.cpp - Blocks of sliding windows ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSweep.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

// More taps in a row than this are looped over, not unrolled.
static constexpr int64_t maxUnrolledTaps = 9;
// Vectors of channels in a part of a row: fewer are not worth the loop.
static constexpr int64_t leastVectors = 2;
// Blocks that touch the padding, each with code of its own; a row with more
// has loops over single windows instead.
static constexpr int64_t maxBorderBlocks = 5;

//===----------------------------------------------------------------------===//
// TapRow
//===----------------------------------------------------------------------===//

void TapRow::forInside(function_ref<Value(Value)> load,
                       function_ref<void(int64_t, int64_t, Value)> use) {
  std::optional<int64_t> place;
  Value x;
  for (const Use &next : uses) {
    if (place != next.place) {
      place = next.place;
      x = load(b.add(offset, *place * columnStride));
    }
    use(next.pixel, next.tap, x);
  }
}

bool TapRow::isUsed(int64_t tap) const {
  return llvm::any_of(uses, [&](const Use &use) { return use.tap == tap; });
}

//===----------------------------------------------------------------------===//
// Block
//===----------------------------------------------------------------------===//

SmallVector<TapRow::Use> WindowSweep::Block::listUses(int64_t taps) const {
  const Window &window = sweep.window;
  size_t last = sweep.getLast();
  SmallVector<TapRow::Use> uses;
  for (int64_t pixel = 0; pixel < pixels; ++pixel)
    for (int64_t tap = 0; tap < taps; ++tap)
      if (interior || rolled ||
          sweep.isColumnInside(*staticColumn + pixel, tap))
        uses.push_back(
            {pixel * window.strides[last] + tap * window.dilations[last], pixel,
             tap});
  llvm::sort(uses, [](const TapRow::Use &a, const TapRow::Use &b) {
    return std::tie(a.place, a.pixel) < std::tie(b.place, b.pixel);
  });
  return uses;
}

SmallVector<Value> WindowSweep::Block::forTapRows(ValueRange carried,
                                                  int64_t atOnce,
                                                  TapRowBody body) const {
  const Window &window = sweep.window;
  size_t last = sweep.getLast();
  ArrayRef<int64_t> strides = sweep.input->getStrides();
  Value offset = b.add(b.mul(sweep.image, strides[0]), channels.start);
  for (size_t dim = 0; dim < last; ++dim)
    offset = b.add(offset, b.mul(sweep.ranges[dim].start, strides[dim + 1]));
  Value columnStart =
      b.add(b.mul(column, window.strides[last]), -window.padBegin[last]);
  offset = b.add(offset, b.mul(columnStart, strides[last + 1]));

  int64_t taps = rolled ? 1 : window.kernel[last];
  SmallVector<TapRow::Use> uses = listUses(taps);
  TapRow row{taps,   /*rows=*/1, last ? sweep.getTapDistance(last - 1) : 0,
             {},     b,          strides[last + 1],
             offset, uses};
  return forTapRowsFrom(0, row, carried, atOnce, body);
}

SmallVector<Value> WindowSweep::Block::forTapRowsFrom(size_t dim, TapRow row,
                                                      ValueRange carried,
                                                      int64_t atOnce,
                                                      TapRowBody body) const {
  const Window &window = sweep.window;
  size_t last = sweep.getLast();
  if (dim > last || (dim == last && !rolled)) {
    SmallVector<Value> values(carried);
    if (dim == last)
      row.firstTap.push_back(b.index(0));
    body(row, values);
    return values;
  }
  auto step = [&](Value tap, int64_t rows, ValueRange carried) {
    TapRow next = row;
    next.rows = rows;
    next.firstTap.push_back(tap);
    next.offset = b.add(row.offset, b.mul(tap, sweep.getTapDistance(dim)));
    return forTapRowsFrom(dim + 1, next, carried, atOnce, body);
  };
  if (atOnce > 1 && dim + 1 == last) {
    assert(window.isInside(dim) && "rows at once are inside the input");
    SmallVector<Value> values(carried);
    for (int64_t tap = 0; tap < window.kernel[dim]; tap += atOnce)
      values = step(b.index(tap), std::min(atOnce, window.kernel[dim] - tap),
                    values);
    return values;
  }
  if (window.kernel[dim] == 1 && (dim < last ? window.isInside(dim) : interior))
    return step(b.index(0), row.rows, carried);
  Range range;
  if (dim < last)
    range = sweep.ranges[dim];
  else if (interior)
    range = {{}, b.index(0), b.index(window.kernel[dim]), {}};
  else
    range = sweep.getRange(b, dim, column);
  return b.loop(range.low, range.high, 1, carried,
                [&](Value tap, ValueRange carried) {
                  return step(tap, row.rows, carried);
                });
}

Value WindowSweep::Block::countTaps(int64_t pixel, bool withPadding) const {
  const Window &window = sweep.window;
  size_t last = sweep.getLast();
  auto count = [&](const Range &range) -> Value {
    if (withPadding)
      return range.paddedHigh;
    return b.sub(range.high, range.low);
  };
  Value taps;
  if (interior) {
    taps = b.index(window.kernel[last]);
  } else if (rolled) {
    taps = count(sweep.getRange(b, last, column));
  } else {
    int64_t inside = 0;
    for (int64_t tap = 0; tap < window.kernel[last]; ++tap)
      inside += withPadding ? sweep.getPlace(*staticColumn + pixel, tap) <
                                  window.input[last] + window.padEnd[last]
                            : sweep.isColumnInside(*staticColumn + pixel, tap);
    taps = b.index(inside);
  }
  for (size_t dim = 0; dim < last; ++dim)
    taps = b.mul(taps, count(sweep.ranges[dim]));
  return taps;
}

//===----------------------------------------------------------------------===//
// WindowSweep
//===----------------------------------------------------------------------===//

WindowSweep::WindowSweep(const Window &given, int64_t batch, int64_t channels,
                         int64_t lanes, int64_t maxPixels)
    : window(given), batch(batch), channels(channels), lanes(lanes),
      partSize(channels) {
  size_t last = getLast();
  int64_t width = window.output[last];
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(width, maxPixels));
  pixels = std::max<int64_t>(1, llvm::divideCeil(width, blocks));

  int64_t stride = window.strides[last], begin = window.padBegin[last];
  int64_t room = window.input[last] + begin - window.getExtent(last);
  interiorBegin =
      begin > 0 ? std::min<int64_t>(llvm::divideCeil(begin, stride), width) : 0;
  interiorEnd = room < 0 ? 0 : std::min(room / stride + 1, width);
  interiorEnd = std::max(interiorEnd, interiorBegin);
}

void WindowSweep::cutChannels(int64_t wantedPieces) {
  // Every part has whole vectors. What is left over is the last one's, too: to
  // compute it, a vector may reach back into the one before.
  int64_t width = std::max<int64_t>(lanes, 1), vectors = channels / width;
  int64_t wanted =
      llvm::divideCeil(wantedPieces, std::max<int64_t>(getRows(), 1));
  int64_t most = vectors / leastVectors;
  if (std::min(wanted, most) <= 1)
    return;
  int64_t perPart = llvm::divideCeil(vectors, std::min(wanted, most));
  parts = llvm::divideCeil(vectors, perPart);
  partSize = perPart * width;
}

std::pair<Value, Value> WindowSweep::getPart(KernelBuilder &b,
                                             Value part) const {
  if (parts == 1)
    return {b.index(0), b.index(channels)};
  Value from = b.mul(part, partSize);
  Value to = arith::SelectOp::create(b, b.isWithin(part, parts - 1),
                                     b.add(from, partSize), b.index(channels));
  return {from, to};
}

int64_t WindowSweep::getPieces() const { return getRows() * parts; }

int64_t WindowSweep::getRows() const {
  int64_t rows = batch;
  for (int64_t size : ArrayRef(window.output).drop_back())
    rows *= size;
  return rows;
}

int64_t WindowSweep::getTaps() const {
  int64_t taps = 1;
  for (int64_t size : window.kernel)
    taps *= size;
  return taps;
}

int64_t WindowSweep::getLoads() const {
  size_t last = getLast();
  return std::min((pixels - 1) * window.strides[last] + window.getExtent(last),
                  pixels * window.kernel[last]);
}

int64_t WindowSweep::getPlace(int64_t column, int64_t tap) const {
  size_t last = getLast();
  return column * window.strides[last] - window.padBegin[last] +
         tap * window.dilations[last];
}

int64_t WindowSweep::getTapDistance(size_t dim) const {
  return window.dilations[dim] * input->getStrides()[dim + 1];
}

bool WindowSweep::isColumnInside(int64_t column, int64_t tap) const {
  int64_t place = getPlace(column, tap);
  return place >= 0 && place < window.input[getLast()];
}

WindowSweep::Range WindowSweep::getRange(KernelBuilder &b, size_t dim,
                                         Value index) const {
  int64_t kernel = window.kernel[dim], dilation = window.dilations[dim];
  Value start = b.add(b.mul(index, window.strides[dim]), -window.padBegin[dim]);
  Value zero = b.index(0), taps = b.index(kernel);
  if (window.isInside(dim))
    return {start, zero, taps, taps};
  // Taps before `limit`: the places from `start` on, in steps of the dilation.
  auto getTapsBefore = [&](int64_t limit) -> Value {
    Value places = b.sub(b.index(limit), start);
    places = b.createOrFold<arith::MaxSIOp>(places, zero);
    if (dilation != 1)
      places = b.createOrFold<arith::DivUIOp>(b.add(places, dilation - 1),
                                              b.index(dilation));
    return b.createOrFold<arith::MinSIOp>(places, taps);
  };
  return {start, getTapsBefore(0), getTapsBefore(window.input[dim]),
          getTapsBefore(window.input[dim] + window.padEnd[dim])};
}

void WindowSweep::emit(KernelBuilder &b, const FlatBuffer &buffer,
                       PieceLoop forPieces,
                       function_ref<void(const Block &)> body) {
  size_t last = getLast();
  int64_t width = window.output[last];
  input = &buffer;

  // The blocks all of whose windows are inside: one run of them.
  int64_t blocks = llvm::divideCeil(width, pixels);
  int64_t firstInside = llvm::divideCeil(interiorBegin, pixels);
  int64_t lastInside = std::max(
      firstInside, interiorEnd == width ? blocks : interiorEnd / pixels);
  int64_t borderBlocks = blocks - (lastInside - firstInside);
  bool wide = window.kernel[last] > maxUnrolledTaps;

  SmallVector<int64_t> outer{batch};
  llvm::append_range(outer, ArrayRef(window.output).drop_back());
  forPieces([&](Value piece) {
    SmallVector<Value> rowAndPart = delinearize(b, piece, {getRows(), parts});
    Value row = rowAndPart[0];
    auto [from, to] = getPart(b, rowAndPart[1]);
    SmallVector<Value> place = delinearize(b, row, outer);
    image = place[0];
    ranges.clear();
    for (size_t dim = 0; dim < last; ++dim)
      ranges.push_back(getRange(b, dim, place[dim + 1]));
    Value firstRow = b.mul(row, width);

    auto emitBlock = [&](Value column, std::optional<int64_t> staticColumn,
                         int64_t count, bool interior, bool rolled) {
      forColumns(b, channels, lanes, /*mayRepeat=*/true, from, to,
                 [&](Columns columns) {
                   body({count, b.add(firstRow, column), columns, b, *this,
                         column, staticColumn, interior, rolled});
                 });
    };
    // Blocks of windows with all taps inside; the last may be smaller.
    auto emitInterior = [&](int64_t from, int64_t to) {
      int64_t full = from + (to - from) / pixels * pixels;
      if (full - from == pixels)
        emitBlock(b.index(from), from, pixels, true, wide);
      else if (full > from)
        b.loop(b.index(from), b.index(full), pixels, [&](Value column) {
          emitBlock(column, std::nullopt, pixels, true, wide);
        });
      if (full < to)
        emitBlock(b.index(full), full, to - full, true, wide);
    };

    if (wide || borderBlocks > maxBorderBlocks) {
      auto emitBorder = [&](int64_t from, int64_t to) {
        if (from < to)
          b.loop(b.index(from), b.index(to), 1, [&](Value column) {
            emitBlock(column, std::nullopt, 1, false, true);
          });
      };
      emitBorder(0, interiorBegin);
      emitInterior(interiorBegin, interiorEnd);
      emitBorder(interiorEnd, width);
      return;
    }
    auto emitBorder = [&](int64_t from, int64_t to) {
      for (int64_t block = from; block < to; ++block) {
        int64_t at = block * pixels;
        emitBlock(b.index(at), at, std::min(pixels, width - at), false, false);
      }
    };
    emitBorder(0, firstInside);
    emitInterior(firstInside * pixels, std::min(lastInside * pixels, width));
    emitBorder(lastInside, blocks);
  });
  input = nullptr;
}
