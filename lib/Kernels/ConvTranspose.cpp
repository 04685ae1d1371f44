//===- ConvTranspose.cpp - Transposed convolution without overlap ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposed convolution whose strides are its window, so that each result has
// one tap: a product of a block of neighbouring input pixels with the filter's
// matrix of that tap, vectors along the output channels. Where there are so few
// channels that all taps of a pixel fit one vector, that vector is summed at
// once, and rows of results are put together from several pixels' vectors.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace brisk;

/// Results that one pixel of the input has.
static int64_t getColumns(ConvTransposeOp conv) {
  ArrayRef<int64_t> shape = conv.getFilter().getType().getShape();
  return llvm::product_of(shape.drop_back(2)) * shape.back();
}

/// Those of them that lie in one row.
static int64_t getRowColumns(ConvTransposeOp conv) {
  ArrayRef<int64_t> shape = conv.getFilter().getType().getShape();
  return shape[shape.size() - 3] * shape.back();
}

/// Lanes of a vector that holds all of them.
static int64_t getWidth(ConvTransposeOp conv) {
  return std::max<int64_t>(4, llvm::PowerOf2Ceil(getColumns(conv)));
}

/// The filter as such vectors: all taps for each channel of the input.
static PackedAttr getLayout(ConvTransposeOp conv) {
  ArrayRef<int64_t> shape = conv.getFilter().getType().getShape();
  int64_t depth = shape[shape.size() - 2], channels = shape.back();
  return PackedAttr::make(conv.getContext(),
                          {getColumns(conv) / channels, depth, channels},
                          {{{1}, {}}, {{0, 2}, {getWidth(conv)}}});
}

namespace {
/// Emits rows of the input, all taps of a pixel in one vector.
class AllTaps {
public:
  AllTaps(KernelBuilder &b, GroupOp group, ConvTransposeOp conv, int64_t pixels,
          ValueRange ins, ValueRange outs)
      : b(b), conv(conv), pixels(pixels), width(getWidth(conv)),
        kernel(conv.getFilter().getType().getShape()),
        shape(conv.getResult().getType().getShape()),
        input(b, getBuffer(ins, conv.getInput()), b.getF32Type()),
        filter(b, ins[getInputNumber(conv.getFilter())], b.getF32Type()),
        epilogue(group, conv, ins, outs) {
    kernel = kernel.drop_back(2);
    channels = shape.back();
    auto type = VectorType::get(width, b.getF32Type());
    initial = b.constant(type, 0);
    if (conv.getBias())
      for (int64_t c = 0; c < getColumns(conv); ++c)
        initial = vector::InsertOp::create(
            b,
            epilogue.evaluate(b, conv.getBias(), b.index(0),
                              b.index(c % channels), 0),
            initial, ArrayRef<int64_t>{c});
    mergesColumns = epilogue.mergeColumns(b);
  }

  /// True if a vector holds all taps of a pixel, and vectors the results of one
  /// row that `pixels` of a row's pixels have.
  static bool fits(ConvTransposeOp conv, int64_t pixels, const Isa &isa) {
    int64_t lanes = isa.getLanes(Float32Type::get(conv.getContext()));
    ArrayRef<int64_t> shape = conv.getInput().getType().getShape();
    return lanes > 1 && getColumns(conv) <= lanes &&
           pixels <= shape[shape.size() - 2] &&
           pixels * getRowColumns(conv) % lanes == 0;
  }

  void emit(PieceLoop forPieces) {
    ArrayRef<int64_t> inShape = input.getShape();
    int64_t row = inShape[inShape.size() - 2], full = row / pixels * pixels;
    forPieces([&](Value piece) {
      SmallVector<Value> at = delinearize(b, piece, inShape.drop_back(2));
      Value source = b.index(0);
      for (auto [index, stride] : llvm::zip_first(at, input.getStrides()))
        source = b.add(source, b.mul(index, stride));
      b.loop(b.index(0), b.index(full), pixels,
             [&](Value pixel) { emitBlock(at, source, pixel); });
      // The last block may compute some pixels again.
      if (full < row)
        emitBlock(at, source, b.index(row - pixels));
    });
  }

private:
  void emitBlock(ArrayRef<Value> at, Value source, Value pixel) {
    int64_t depth = input.getShape().back();
    int64_t stride = input.getStrides().drop_back().back();
    Value from = b.add(source, b.mul(pixel, stride));
    ColumnVector vector{0, width, {}};
    const Multiplier multiplier(b.isa, conv);
    Contraction product{multiplier, input,      from,  pixels, stride,
                        filter,     b.index(0), width, vector, depth};
    Values sums = product.emit(b, Values(pixels, initial));
    int64_t rows = llvm::product_of(kernel.drop_back());
    for (int64_t r = 0; r < rows; ++r) {
      Value row = getResultRow(at, r);
      if (mergesColumns)
        storeVectors(sums, row, pixel, r);
      else
        storeTaps(sums, row, pixel, r);
    }
  }

  /// The number of a row of results: `r` counts those of one row of the input.
  Value getResultRow(ArrayRef<Value> at, int64_t r) {
    SmallVector<int64_t> taps(kernel.size() - 1);
    for (int64_t d = taps.size(); d-- > 0; r /= kernel[d])
      taps[d] = r % kernel[d];
    Value row = at[0];
    for (auto [d, tap] : llvm::enumerate(taps))
      row = b.add(b.mul(row, shape[1 + d]),
                  b.add(b.mul(at[1 + d], kernel[d]), tap));
    return row;
  }

  /// Row `r` of a block's results, put together as it lies in memory.
  void storeVectors(ArrayRef<Value> sums, Value row, Value pixel, int64_t r) {
    int64_t lanes = b.isa.getLanes(b.getF32Type());
    SmallVector<Value> wide(sums);
    for (int64_t size = width; size < lanes; size *= 2) {
      auto both = llvm::to_vector(llvm::seq<int64_t>(0, 2 * size));
      for (size_t i = 0; i < wide.size() / 2; ++i)
        wide[i] =
            vector::ShuffleOp::create(b, wide[2 * i], wide[2 * i + 1], both);
      wide.truncate(wide.size() / 2);
    }
    int64_t piece = getRowColumns(conv);
    for (int64_t first = 0; first < pixels * piece; first += lanes) {
      SmallVector<std::pair<int64_t, int64_t>> picked;
      for (int64_t i = first; i < first + lanes; ++i) {
        int64_t lane = i / piece * width + r * piece + i % piece;
        picked.push_back({lane / lanes, lane % lanes});
      }
      epilogue.emit(b, pickLanes(b, wide, picked), row,
                    b.add(b.mul(pixel, piece), first), lanes);
    }
  }

  /// The same where something keeps channels or pixels apart.
  void storeTaps(ArrayRef<Value> sums, Value row, Value pixel, int64_t r) {
    Value first = b.add(b.mul(row, shape.drop_back().back()),
                        b.mul(pixel, kernel.back()));
    for (int64_t i = 0; i < pixels * kernel.back(); ++i) {
      int64_t lane = (r * kernel.back() + i % kernel.back()) * channels;
      Value sum = sums[i / kernel.back()];
      Value value;
      if (channels == 1)
        value = vector::ExtractOp::create(b, sum, lane);
      else
        value = vector::ShuffleOp::create(
            b, sum, sum,
            llvm::to_vector(llvm::seq<int64_t>(lane, lane + channels)));
      epilogue.emit(b, value, b.add(first, i), b.index(0),
                    channels == 1 ? 0 : channels);
    }
  }

  KernelBuilder &b;
  ConvTransposeOp conv;
  int64_t pixels, width, channels;
  ArrayRef<int64_t> kernel, shape;
  FlatBuffer input, filter;
  Epilogue epilogue;
  /// What sums start from.
  Value initial;
  /// Vectors run on over channels and pixels.
  bool mergesColumns;
};

class ConvTransposeMatch : public KernelMatch {
public:
  ConvTransposeMatch(const GroupView &view, ConvTransposeOp conv)
      : KernelMatch(view), conv(conv) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    ArrayRef<int64_t> input = conv.getInput().getType().getShape();
    int64_t width = std::max<int64_t>(1, input[input.size() - 2]);
    int64_t most = std::clamp<int64_t>(int64_t(isa.vectors.count) - 4, 4, 12);
    int64_t usual = llvm::divideCeil(width, llvm::divideCeil(width, most));
    auto add = [&](int64_t pixels, bool allTaps) {
      schedules.push_back(
          ConvTransposeScheduleAttr::get(group.getContext(), pixels, allTaps));
    };
    for (int64_t pixels : getNumbers(search, usual, /*greatest=*/16))
      add(pixels, false);

    // The fewest pixels whose results of one row are whole vectors, and enough
    // of them for multiply-adds to overlap.
    int64_t lanes = isa.getLanes(Float32Type::get(group.getContext()));
    int64_t whole = lanes / std::gcd(lanes, getRowColumns(conv));
    whole *= llvm::divideCeil(8, whole);
    if (isConstantInput(group, conv.getFilter()) &&
        AllTaps::fits(conv, whole, isa))
      add(whole, true);
  }

  LogicalResult verify(ScheduleAttr schedule) override {
    auto numbers = cast<ConvTransposeScheduleAttr>(schedule);
    if (!numbers.getAllTaps() || AllTaps::fits(conv, numbers.getPixels(), isa))
      return success();
    return group.emitOpError("cannot keep all taps of ")
           << numbers.getPixels() << " pixels in vectors";
  }

  double getCycles(ScheduleAttr schedule) override {
    auto type = conv.getResult().getType();
    double lanes = isa.getLanes(type.getElementType());
    double channels = std::max<int64_t>(1, type.getShape().back());
    if (hasAllTaps(schedule))
      channels = getColumns(conv);
    double vectors =
        type.getNumElements() / channels * std::ceil(channels / lanes);
    double depth = conv.getInput().getType().getShape().back();
    return vectors * depth *
               std::max(1 / isa.findProduct(type.getElementType())->perCycle,
                        1.2 / isa.loadsPerCycle) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  SmallVector<Packing> getPacking(ScheduleAttr schedule) override {
    if (!hasAllTaps(schedule))
      return {};
    return {{&conv.getFilterMutable(), getLayout(conv)}};
  }

  /// Rows of results or, where a vector holds all taps, of the input.
  Work getWork(ScheduleAttr schedule) override {
    ArrayRef<int64_t> shape = hasAllTaps(schedule)
                                  ? conv.getInput().getType().getShape()
                                  : getShape();
    return {ShapedType::getNumElements(shape.drop_back(2))};
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    int64_t pixels = cast<ConvTransposeScheduleAttr>(schedule).getPixels();
    if (hasAllTaps(schedule))
      return AllTaps(b, group, conv, pixels, ins, outs).emit(forPieces);
    Type f32 = b.getF32Type();
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), f32);
    FlatBuffer filter(b, getBuffer(ins, conv.getFilter()), f32);
    Epilogue epilogue(group, conv, ins, outs);
    ArrayRef<int64_t> shape = getShape(), inShape = input.getShape();
    ArrayRef<int64_t> inStrides = input.getStrides();
    ArrayRef<int64_t> filterStrides = filter.getStrides();
    size_t rank = shape.size() - 2;
    int64_t channels = shape.back(), depth = inShape.back();
    int64_t width = inShape[rank], taps = filter.getShape()[rank - 1];
    int64_t lanes = getColumnLanes(b.isa, f32, channels);

    forPieces([&](Value resultRow) {
      // A row of results: its row of the input, and of the filter.
      SmallVector<Value> at = delinearize(b, resultRow, shape.drop_back(2));
      Value source = b.mul(at[0], inStrides[0]), weights = b.index(0);
      for (size_t d = 1; d < rank; ++d) {
        Value size = b.index(filter.getShape()[d - 1]);
        Value place = b.createOrFold<arith::DivUIOp>(at[d], size);
        Value tap = b.createOrFold<arith::RemUIOp>(at[d], size);
        source = b.add(source, b.mul(place, inStrides[d]));
        weights = b.add(weights, b.mul(tap, filterStrides[d - 1]));
      }
      Value firstRow = b.mul(resultRow, shape[rank]);
      auto emitBlock = [&](Value tap, Value pixel, int64_t count) {
        Value from = b.add(source, b.mul(pixel, inStrides[rank]));
        Value matrix = b.add(weights, b.mul(tap, filterStrides[rank - 1]));
        Value row = b.add(b.add(firstRow, b.mul(pixel, taps)), tap);
        forColumns(b, channels, lanes, /*mayRepeat=*/true, [&](Columns at) {
          Value init = conv.getBias()
                           ? epilogue.evaluate(b, conv.getBias(), b.index(0),
                                               at.start, at.lanes, at.mask)
                           : b.constant(at.getType(f32), 0);
          ColumnVector vector{0, at.lanes, at.mask};
          const Multiplier multiplier(b.isa, conv);
          Contraction product{multiplier,
                              input,
                              from,
                              count,
                              inStrides[rank],
                              filter,
                              b.add(matrix, at.start),
                              filterStrides[rank],
                              vector,
                              depth};
          Values sums = product.emit(b, Values(count, init));
          for (int64_t p = 0; p < count; ++p)
            epilogue.emit(b, sums[p], b.add(row, p * taps), at.start, at.lanes,
                          at.mask);
        });
      };
      b.loop(b.index(0), b.index(taps), 1, [&](Value tap) {
        int64_t full = width / pixels * pixels;
        b.loop(b.index(0), b.index(full), pixels,
               [&](Value pixel) { emitBlock(tap, pixel, pixels); });
        if (full < width)
          emitBlock(tap, b.index(full), width - full);
      });
    });
  }

private:
  static bool hasAllTaps(ScheduleAttr schedule) {
    return cast<ConvTransposeScheduleAttr>(schedule).getAllTaps();
  }

  ArrayRef<int64_t> getShape() { return conv.getResult().getType().getShape(); }

  ConvTransposeOp conv;
};
} // namespace

MatchPtr brisk::matchConvTranspose(GroupView &view) {
  auto conv = dyn_cast_or_null<ConvTransposeOp>(view.getAnchor());
  if (!conv || !isF32(conv.getResult()) || conv.getGroup() != 1)
    return view.refuse("has no transposed convolution of f32 in one part");
  if (!isGroupInput(conv.getInput()) || getInputNumber(conv.getFilter()) < 0)
    return view.refuse("computes its convolution's operands");
  FailureOr<Window> window = conv.getWindow();
  if (failed(window))
    return view.refuse("has no known window");
  // Window::input is the result's side.
  for (size_t d = 0; d < window->getRank(); ++d)
    if (window->kernel[d] != window->strides[d] || window->dilations[d] != 1 ||
        window->padBegin[d] != 0 || window->padEnd[d] != 0 ||
        window->input[d] != window->output[d] * window->kernel[d])
      return view.refuse("has a window that its strides are not");
  return std::make_unique<ConvTransposeMatch>(view, conv);
}
