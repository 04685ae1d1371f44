//===- Resize.cpp - Loops of resize ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about a place of a resized dimension is known at compile time:
// which elements of the input it is made of and with which weights. Tables
// have both, so that all modes run alike.
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

/// The place in the input of place `x` of the result (ONNX Resize,
/// `coordinate_transformation_mode`).
static double getCoordinate(CoordinateMode mode, const ResizeAxis &axis,
                            double x) {
  double input = static_cast<double>(axis.input);
  double output = static_cast<double>(axis.output);
  // What the scale says, where the size is rounded.
  double exact = axis.scale * input;
  switch (mode) {
  case CoordinateMode::HalfPixel:
  case CoordinateMode::TfHalfPixelForNn: {
    double center = (x + 0.5) / axis.scale;
    return mode == CoordinateMode::HalfPixel ? center - 0.5 : center;
  }
  case CoordinateMode::HalfPixelSymmetric: {
    double offset = input / 2 * (1 - output / exact);
    return offset + (x + 0.5) / axis.scale - 0.5;
  }
  case CoordinateMode::PytorchHalfPixel:
    return output > 1 ? (x + 0.5) / axis.scale - 0.5 : 0;
  case CoordinateMode::AlignCorners:
    return output > 1 ? x * (input - 1) / (output - 1) : 0;
  case CoordinateMode::Asymmetric:
    // In the precision of scales: 7 / 0.7 is 10.
    return static_cast<float>(x) / static_cast<float>(axis.scale);
  case CoordinateMode::TfCropAndResize: {
    // In single precision, as in TensorFlow: it decides what is on the edge.
    auto start = static_cast<float>(axis.roiStart);
    auto end = static_cast<float>(axis.roiEnd);
    auto span = static_cast<float>(input - 1);
    float along = static_cast<float>(x) * (end - start) * span;
    return output > 1 ? start * span + along / static_cast<float>(output - 1)
                      : (start + end) * span / 2;
  }
  }
  llvm_unreachable("not a coordinate mode");
}

/// The cubic convolution kernel (Keys 1981) with parameter `a`.
static double getCubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Whether rounding a place between two elements takes the right one, which it
/// is `ratio` in (0, 1] away from the left one.
static bool takesRight(NearestMode mode, double ratio) {
  if (ratio == 1)
    return true;
  switch (mode) {
  case NearestMode::RoundPreferFloor:
    return ratio > 0.5;
  case NearestMode::RoundPreferCeil:
    return ratio >= 0.5;
  case NearestMode::Floor:
    return false;
  case NearestMode::Ceil:
    return true;
  }
  llvm_unreachable("not a rounding mode");
}

/// The weight of a tap that is so far away from the place of the result.
static double getWeight(ResizeOp op, double distance) {
  switch (op.getMode()) {
  case ResizeMode::Nearest:
    return 1;
  case ResizeMode::Linear:
    return std::clamp(1 - std::abs(distance), 0.0, 1.0);
  case ResizeMode::Cubic:
    return getCubic(distance, op.getCubicCoeffA().convertToDouble());
  }
  llvm_unreachable("not a mode of resizing");
}

TapTable brisk::makeTapTable(ResizeOp op, const ResizeAxis &axis) {
  CoordinateMode coordinates = op.getCoordinateTransformationMode();
  ResizeMode mode = op.getMode();
  TapTable table;
  if (axis.output == 0)
    return table;
  // Taps reach from `first` to the left element to `last` - 1.
  int64_t first = 0, last = 1;
  double shrink = op.getAntialias() ? std::min(axis.scale, 1.0) : 1.0;
  if (mode != ResizeMode::Nearest) {
    double reach = mode == ResizeMode::Linear ? 1 : 2;
    first = static_cast<int64_t>(std::floor(-reach / shrink)) + 1;
    last = 2 - first;
  }
  table.count = last - first;
  for (int64_t x = 0; x < axis.output; ++x) {
    double place = getCoordinate(coordinates, axis, static_cast<double>(x));
    bool outside = coordinates == CoordinateMode::TfCropAndResize &&
                   (place < 0 || place > static_cast<double>(axis.input - 1));
    double left = std::ceil(place) - 1, ratio = place - left;
    std::vector<double> weights;
    double sum = 0;
    for (int64_t tap = first; tap < last; ++tap) {
      double at = left + static_cast<double>(tap);
      if (mode == ResizeMode::Nearest)
        at += takesRight(op.getNearestMode(), ratio);
      double weight =
          getWeight(op, (static_cast<double>(tap) - ratio) * shrink);
      double bounded = std::clamp(at, 0.0, static_cast<double>(axis.input - 1));
      if (op.getExcludeOutside() && bounded != at &&
          mode != ResizeMode::Nearest)
        weight = 0;
      sum += weight;
      weights.push_back(weight);
      table.indices.push_back(outside ? -1 : static_cast<int32_t>(bounded));
    }
    for (double weight : weights)
      table.weights.push_back(sum != 0 ? weight / sum : weight);
  }
  return table;
}

namespace {
/// One element of the result: interpolated along one dimension after the other.
struct Interpolation {
  Value run(size_t dim) {
    if (dim == at.size())
      return b.convert(in.load(b, from), in.getElement(), wide);
    if (!indices[dim]) {
      from[dim] = at[dim];
      return run(dim + 1);
    }
    Value first = b.mul(at[dim], counts[dim]);
    auto getTap = [&](Value tap) {
      Value place = b.add(first, tap);
      Value index = memref::LoadOp::create(b, indices[dim], place);
      index = arith::IndexCastOp::create(b, b.getIndexType(), index);
      from[dim] = b.maxIndex(index, b.index(0));
      Value value = run(dim + 1);
      if (!weights[dim])
        return value;
      Value weight = memref::LoadOp::create(b, weights[dim], place);
      return b.mul(value, weight);
    };
    if (counts[dim] > 4)
      return b.sum(Span{counts[dim], {}, {}}, wide,
                   [&](ValueRange tap) { return getTap(tap[0]); });
    Value sum = getTap(b.index(0));
    for (int64_t tap = 1; tap < counts[dim]; ++tap)
      sum = b.add(sum, getTap(b.index(tap)));
    return sum;
  }

  KernelBuilder &b;
  const Buffer &in;
  Type wide;
  ValueRange at;
  /// For each resized dimension its tables.
  Values indices, weights;
  SmallVector<int64_t> counts;
  Values from;
};
} // namespace

/// From a float type to the integers: to nearest, ties to even, within bounds,
/// as ONNX's reference rounds.
static Value toInteger(KernelBuilder &b, Value value, Type type) {
  Type from = value.getType();
  int width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger();
  // The largest float that does not overflow.
  int digits = cast<FloatType>(from).getFPMantissaWidth();
  double top = std::ldexp(1.0, width - !isUnsigned);
  double above = std::max(std::ldexp(top, -digits), 1.0);
  value = math::RoundEvenOp::create(b, value);
  value = b.max(from, value, b.constant(from, isUnsigned ? 0 : -top));
  value = b.min(from, value, b.constant(from, top - above));
  if (isUnsigned)
    return arith::FPToUIOp::create(b, getValueType(type), value);
  return arith::FPToSIOp::create(b, getValueType(type), value);
}

/// What elements of `type` are interpolated in: f64 for integers that f32 does
/// not hold.
static Type getInterpolatedType(KernelBuilder &b, Type type) {
  if (isa<FloatType>(type))
    return getSumType(type);
  return type.getIntOrFloatBitWidth() > 16 ? Type(b.getF64Type())
                                           : b.getF32Type();
}

static Values buildAt(KernelBuilder &b, ResizeOp op, Buffers in,
                      ValueRange at) {
  Type type = in[0].getElement();
  if (in[0].type.getNumElements() == 0)
    return {b.zero(type)};
  SmallVector<ResizeAxis> axes = *op.getResizedAxes();
  bool interpolates = op.getMode() != ResizeMode::Nearest;
  Type wide = interpolates ? getInterpolatedType(b, type) : type;
  Interpolation run{b, in[0], wide, at, {}, {}, {}, {}};
  run.from.resize(at.size());
  Value outside;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    TapTable table;
    if (axis.isResized())
      table = makeTapTable(op, axis);
    run.counts.push_back(table.count);
    run.indices.push_back(axis.isResized() ? b.table(table.indices) : Value());
    run.weights.push_back(axis.isResized() && interpolates
                              ? b.table(table.weights, wide)
                              : Value());
    if (llvm::is_contained(table.indices, -1)) {
      Value first = memref::LoadOp::create(b, run.indices.back(),
                                           b.mul(at[i], table.count));
      Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
      Value here = b.compare(arith::CmpIPredicate::slt, first, zero);
      outside = outside ? b.createOrFold<arith::OrIOp>(outside, here) : here;
    }
  }
  Value value = run.run(0);
  if (interpolates)
    value = isa<FloatType>(type) ? b.convert(value, wide, type)
                                 : toInteger(b, value, type);
  if (outside)
    value = b.select(
        outside, b.constant(type, op.getExtrapolationValue().convertToDouble()),
        value);
  return {value};
}

void brisk::addResizeLoops(LoopTable &table) { table.on<ResizeOp>(buildAt); }
