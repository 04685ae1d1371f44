//===- Frame.cpp - Loops of read_frame ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which pixels of the frame a place of the result is made of, and with which
// weights, is known at compile time (FrameTaps.h). The arithmetic is that of
// OpenCV 4.13 (modules/imgproc, resize.cpp and color_yuv.simd.hpp) and of
// Pillow 12 (libImaging/Resample.c), so that the bytes are theirs.
//
//===----------------------------------------------------------------------===//

#include "FrameTaps.h"
#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

namespace {
/// A frame's bytes as colours, and sums of them.
class FrameReader {
public:
  FrameReader(KernelBuilder &b, ReadFrameOp op, const Buffer &frame)
      : b(b), op(op), frame(frame), window(op.getReadWindow()) {}

  /// The byte of the result at a place.
  Value read(Value row, Value column, Value channel);

private:
  Value loadByte(Value row, Value column) {
    return b.convert(frame.load(b, {row, column}), frame.getElement(),
                     b.getI32Type());
  }
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  Value shiftRight(Value x, int64_t by) {
    return b.createOrFold<arith::ShRSIOp>(x, number(by));
  }
  /// Between 0 and 255.
  Value saturate(Value x) {
    x = b.createOrFold<arith::MaxSIOp>(x, number(0));
    return b.createOrFold<arith::MinSIOp>(x, number(255));
  }
  Value isChannel(Value channel, int64_t number) {
    return b.compare(arith::CmpIPredicate::eq, channel, b.index(number));
  }

  Value loadColor(Value row, Value column, Value channel);
  Value loadNv12(Value row, Value column, Value channel);
  Value loadGray(Value row, Value column);
  Value sumFixed(const FrameTaps &rows, const FrameTaps &columns, Value row,
                 Value column, Value channel);
  Value sumPillow(const FrameTaps &rows, const FrameTaps &columns, Value row,
                  Value column, Value channel);
  Value sumFloats(const FrameTaps &rows, const FrameTaps &columns, Value row,
                  Value column, Value channel);
  Value sumBlocks(int64_t rows, int64_t columns, Value row, Value column,
                  Value channel);

  /// Sums `term` of a place's taps up: of its pixel and its weight, which is an
  /// i32 or, with floats, an f32.
  Value sum(const FrameTaps &taps, Value place, bool floats,
            function_ref<Value(Value pixel, Value weight)> term) {
    Type type = floats ? Type(b.getF32Type()) : b.getI32Type();
    Value first =
        toIndex(b.load(b.getI32Type(), b.table(taps.first), place, 0));
    Value table;
    if (floats)
      table = b.table(taps.weights, b.getF32Type());
    else
      table = b.table(
          std::vector<int32_t>(taps.weights.begin(), taps.weights.end()));
    Value start = b.mul(place, taps.count);
    return b
        .loop(b.index(0), b.index(taps.count), b.zero(type),
              [&](Value tap, ValueRange carried) -> Values {
                Value weight = b.load(type, table, b.add(start, tap), 0);
                // Behind a place's own taps are pixels of no weight.
                return {
                    b.add(carried.front(), term(b.add(first, tap), weight))};
              })
        .front();
  }
  Value toIndex(Value x) {
    return arith::IndexCastOp::create(b, b.getIndexType(), x);
  }

  KernelBuilder &b;
  ReadFrameOp op;
  const Buffer &frame;
  std::array<int64_t, 4> window;
};
} // namespace

/// Colours of the narrow range of BT.601, each pair of chroma bytes for two by
/// two pixels.
Value FrameReader::loadNv12(Value row, Value column, Value channel) {
  constexpr int64_t bits = 20, ofY = 1220542, ofUInBlue = 2116026,
                    ofUInGreen = -409993, ofVInGreen = -852492,
                    ofVInRed = 1673527;
  Value y = b.sub(loadByte(row, column), number(16));
  y = b.mul(b.createOrFold<arith::MaxSIOp>(y, number(0)), number(ofY));
  Value two = b.index(2);
  Value below = b.add(b.createOrFold<arith::DivUIOp>(row, two), op.getHeight());
  Value pair = b.mul(b.createOrFold<arith::DivUIOp>(column, two), 2);
  Value u = b.sub(loadByte(below, pair), number(128)),
        v = b.sub(loadByte(below, b.add(pair, 1)), number(128));
  Value red = b.mul(v, number(ofVInRed)), blue = b.mul(u, number(ofUInBlue)),
        green =
            b.add(b.mul(v, number(ofVInGreen)), b.mul(u, number(ofUInGreen)));
  if (op.getColor() == FrameFormat::Bgr)
    std::swap(red, blue);
  Value chroma = b.select(isChannel(channel, 0), red,
                          b.select(isChannel(channel, 1), green, blue));
  Value all = b.add(b.add(y, chroma), number(1 << (bits - 1)));
  return saturate(shiftRight(all, bits));
}

Value FrameReader::loadGray(Value row, Value column) {
  constexpr int64_t bits = 15, weights[] = {9798, 19235, 3735};
  bool isRgb = op.getFormat() == FrameFormat::Rgb;
  Value sum = number(1 << (bits - 1));
  for (int64_t i = 0; i < 3; ++i) {
    Value byte = loadByte(row, b.add(b.mul(column, 3), isRgb ? i : 2 - i));
    sum = b.add(sum, b.mul(byte, number(weights[i])));
  }
  return shiftRight(sum, bits);
}

/// A pixel of the window in the colours asked for.
Value FrameReader::loadColor(Value row, Value column, Value channel) {
  row = b.add(row, window[0]);
  column = b.add(column, window[1]);
  FrameFormat format = op.getFormat(), color = op.getColor();
  bool isGray = color == FrameFormat::Gray;
  switch (format) {
  case FrameFormat::Gray:
    return loadByte(row, column);
  case FrameFormat::Nv12:
    return isGray ? loadByte(row, column) : loadNv12(row, column, channel);
  case FrameFormat::Rgb:
  case FrameFormat::Bgr:
    break;
  }
  if (isGray)
    return loadGray(row, column);
  if (format != color)
    channel = b.sub(b.index(2), channel);
  return loadByte(row, b.add(b.mul(column, 3), channel));
}

/// OpenCV's INTER_LINEAR: along rows exactly, between rows by 16 of 32 bits.
Value FrameReader::sumFixed(const FrameTaps &rows, const FrameTaps &columns,
                            Value row, Value column, Value channel) {
  Value total =
      sum(rows, row, /*floats=*/false, [&](Value y, Value weight) -> Value {
        y = b.maxIndex(b.minIndex(y, b.index(window[2] - 1)), b.index(0));
        Value along =
            sum(columns, column, /*floats=*/false, [&](Value x, Value factor) {
              x = b.minIndex(x, b.index(window[3] - 1));
              return b.mul(loadColor(y, x, channel), factor);
            });
        return shiftRight(b.mul(shiftRight(along, 4), weight), 16);
      });
  return saturate(shiftRight(b.add(total, number(2)), 2));
}

/// Pillow's filters: along rows, rounded to bytes, then along columns.
Value FrameReader::sumPillow(const FrameTaps &rows, const FrameTaps &columns,
                             Value row, Value column, Value channel) {
  Value half = number(1 << (pillowBits - 1));
  auto round = [&](Value x) {
    return saturate(shiftRight(b.add(x, half), pillowBits));
  };
  bool isResized[] = {window[2] != static_cast<int64_t>(rows.first.size()),
                      window[3] != static_cast<int64_t>(columns.first.size())};
  auto getAlong = [&](Value y) -> Value {
    if (!isResized[1])
      return loadColor(y, column, channel);
    return round(
        sum(columns, column, /*floats=*/false, [&](Value x, Value factor) {
          x = b.minIndex(x, b.index(window[3] - 1));
          return b.mul(loadColor(y, x, channel), factor);
        }));
  };
  if (!isResized[0])
    return getAlong(row);
  return round(sum(rows, row, /*floats=*/false, [&](Value y, Value weight) {
    y = b.minIndex(y, b.index(window[2] - 1));
    return b.mul(getAlong(y), weight);
  }));
}

/// OpenCV's INTER_AREA where places cover parts of pixels.
Value FrameReader::sumFloats(const FrameTaps &rows, const FrameTaps &columns,
                             Value row, Value column, Value channel) {
  Value total =
      sum(rows, row, /*floats=*/true, [&](Value y, Value weight) -> Value {
        y = b.minIndex(y, b.index(window[2] - 1));
        Value along =
            sum(columns, column, /*floats=*/true, [&](Value x, Value factor) {
              x = b.minIndex(x, b.index(window[3] - 1));
              Value byte = b.toFloat(loadColor(y, x, channel), b.getF32Type(),
                                     /*isUnsigned=*/false);
              return b.mul(byte, factor);
            });
        return b.mul(along, weight);
      });
  Value rounded = b.make<math::RoundEvenOp>(total);
  return saturate(b.make<arith::FPToSIOp>(b.getI32Type(), rounded));
}

/// The same where they cover whole ones, `rows` by `columns` each.
Value FrameReader::sumBlocks(int64_t rows, int64_t columns, Value row,
                             Value column, Value channel) {
  Value total = b.sum(
      {{rows, {}, {}}, {columns, {}, {}}}, b.getI32Type(), [&](ValueRange at) {
        return loadColor(b.add(b.mul(row, rows), at[0]),
                         b.add(b.mul(column, columns), at[1]), channel);
      });
  if (rows == 2 && columns == 2)
    return shiftRight(b.add(total, number(2)), 2);
  auto scale = static_cast<double>(1.0f / static_cast<float>(rows * columns));
  Value mean = b.mul(b.toFloat(total, b.getF32Type(), /*isUnsigned=*/false),
                     b.constant(b.getF32Type(), scale));
  Value rounded = b.make<math::RoundEvenOp>(mean);
  return saturate(b.make<arith::FPToSIOp>(b.getI32Type(), rounded));
}

Value FrameReader::read(Value row, Value column, Value channel) {
  ArrayRef<int64_t> shape = op.getResult().getType().getShape();
  Side height{window[2], shape[0]}, width{window[3], shape[1]};
  FrameResize method = op.getResize();
  bool isSame = height.from == height.to && width.from == width.to;
  bool isWhole = height.from % height.to == 0 && width.from % width.to == 0;
  bool shrinks = height.from >= height.to && width.from >= width.to;
  // OpenCV takes the mean of four where both sides are halved.
  bool isHalf = height.from == 2 * height.to && width.from == 2 * width.to;
  if (isSame)
    return loadColor(row, column, channel);
  FrameTaps rows, columns;
  auto make = [&](auto &&get) {
    rows = get(height);
    columns = get(width);
    rows.finish();
    columns.finish();
  };
  switch (method) {
  case FrameResize::OpencvNearest:
  case FrameResize::PillowNearest: {
    make(method == FrameResize::PillowNearest ? getPillowNearest
                                              : getOpencvNearest);
    auto find = [&](const FrameTaps &taps, Value place) {
      return toIndex(b.load(b.getI32Type(), b.table(taps.first), place, 0));
    };
    return loadColor(find(rows, row), find(columns, column), channel);
  }
  case FrameResize::OpencvArea:
  case FrameResize::OpencvLinear: {
    bool ofArea = method == FrameResize::OpencvArea;
    if (ofArea ? shrinks && isWhole : isHalf)
      return sumBlocks(height.from / height.to, width.from / width.to, row,
                       column, channel);
    if (ofArea && shrinks) {
      make(getOpencvArea);
      return sumFloats(rows, columns, row, column, channel);
    }
    rows = getOpencvLinear(height, ofArea, /*ofRows=*/true);
    columns = getOpencvLinear(width, ofArea, /*ofRows=*/false);
    rows.finish();
    columns.finish();
    return sumFixed(rows, columns, row, column, channel);
  }
  case FrameResize::PillowBilinear:
  case FrameResize::PillowBox: {
    bool isBox = method == FrameResize::PillowBox;
    make(isBox ? getPillowBox : getPillowBilinear);
    return sumPillow(rows, columns, row, column, channel);
  }
  }
  llvm_unreachable("a way of resizing");
}

static Values buildAt(KernelBuilder &b, ReadFrameOp op, Buffers in,
                      ValueRange at) {
  FrameReader reader(b, op, in[0]);
  Type byte = in[0].getElement();
  return {b.convert(reader.read(at[0], at[1], at[2]), b.getI32Type(), byte)};
}

void brisk::addFrameLoops(LoopTable &table) { table.on<ReadFrameOp>(buildAt); }
