//===- Quantization.cpp - Quantized values --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantization is arithmetic on ordinary ops, of f32 or i32: a warning says
// what that costs.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "OpTable.h"
#include "WindowAttributes.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

void QuantizedPart::add(const onnx::NodeProto &node, Value weights,
                        Type computed) {
  nodes.insert(&node);
  ElementsAttr attr;
  if (!matchPattern(weights, m_Constant(&attr)) || !seen.insert(attr).second)
    return;
  int64_t count = attr.getNumElements();
  bytes += count * getElementBytes(attr.getElementType());
  computedBytes += count * getElementBytes(computed);
}

static std::string formatBytes(int64_t bytes) {
  if (bytes < 10000)
    return llvm::formatv("{0} bytes", bytes);
  return bytes < 10000000 ? llvm::formatv("{0:f1} kB", bytes / 1e3)
                          : llvm::formatv("{0:f1} MB", bytes / 1e6);
}

void QuantizedPart::warn(Location loc) const {
  if (nodes.empty())
    return;
  InFlightDiagnostic warning = emitWarning(
      loc, "model is quantized, and is computed in 32-bit floats and integers "
           "until 8-bit arithmetic is supported: ");
  if (computedBytes > bytes)
    warning << "its weights take " << formatBytes(computedBytes)
            << " rather than " << formatBytes(bytes) << ", and ";
  warning << "it runs no faster than the model that it was made from";
}

static std::pair<double, double> getRange(IntegerType type) {
  unsigned width = type.getWidth();
  if (type.isUnsigned())
    return {0, std::ldexp(1.0, width) - 1};
  return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
}

/// A scale or zero point shaped to broadcast against `like`: a scalar, a vector
/// along `axis`, or blocks of `blockSize` elements along it.
static Value spread(Node &n, Value parameter, Value like, int64_t axis,
                    int64_t blockSize) {
  int64_t rank = n.needRank(parameter), likeRank = n.needRank(like);
  if (n.isBroken() || rank == 0)
    return parameter;
  if (rank == 1 && (Node::getDim(parameter, 0) == 1 || likeRank == 0))
    return n.reshape(parameter, {});
  axis = n.normalizeAxis(axis, likeRank);
  if (rank == 1 && blockSize == 0)
    return n.alongAxis(parameter, axis, like);
  if (n.isBroken() || rank != likeRank) {
    if (!n.isBroken())
      n.error() << "a scale of rank " << rank << " does not fit an input of "
                << "rank " << likeRank;
    return parameter;
  }
  int64_t blocks = Node::getDim(parameter, axis),
          size = Node::getDim(like, axis);
  auto type = cast<RankedTensorType>(parameter.getType());
  if (!type.hasStaticShape() || ShapedType::isDynamic(size) || blocks == 0) {
    n.error() << "blocks of scales need shapes that are known";
    return parameter;
  }
  if (blockSize == 0)
    blockSize = (size + blocks - 1) / blocks;
  bool fits =
      blockSize > 0 && llvm::divideCeilSigned(size, blockSize) == blocks;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t have = type.getDimSize(i), dim = Node::getDim(like, i);
    fits &= i == axis || have == 1 || have == dim || ShapedType::isDynamic(dim);
  }
  if (!fits) {
    n.error() << "a scale of type " << type << " in blocks of " << blockSize
              << " does not fit an input of type " << like.getType();
    return parameter;
  }
  // Each scale is repeated for its block; the last block may be cut short.
  SmallVector<int64_t> repeated(type.getShape()), repeats(rank + 1, 1);
  repeats[axis + 1] = blockSize;
  Value tiled =
      n.make<TileOp>(n.unsqueeze(parameter, {axis + 1}), n.ints(repeats));
  if (n.isBroken())
    return parameter;
  repeated[axis] = blocks * blockSize;
  Value all = n.reshape(tiled, repeated);
  if (repeated[axis] == size)
    return all;
  return n.make<SliceOp>(all, n.ints({0}), n.ints({size}), n.ints({axis}),
                         Value());
}

/// `x / scale` in x's precision, rounded, moved by the zero point and clamped
/// to the type.
static Value quantize(Node &n, Value x, Value scale, Value zeroPoint,
                      IntegerType type) {
  Type element = Node::getElementType(x);
  Value y = n.make<RoundOp>(n.div(x, n.cast(scale, element)));
  // Beyond f16 are 16-bit integers.
  if (!element.isF32() && !element.isF64())
    y = n.cast(y, n.builder.getF32Type());
  if (zeroPoint)
    y = n.add(y, n.cast(zeroPoint, Node::getElementType(y)));
  auto [low, high] = getRange(type);
  y = n.min(n.max(y, n.scalarLike(low, y)), n.scalarLike(high, y));
  return n.cast(y, type);
}

/// Of `element`'s type and precision.
static Value dequantize(Node &n, Value x, Value scale, Value zeroPoint,
                        Type element) {
  Type wide = element.isF64() ? element : Type(n.builder.getF32Type());
  Value y = n.cast(x, wide);
  if (zeroPoint)
    y = n.sub(y, n.cast(zeroPoint, wide));
  return n.cast(n.mul(y, n.cast(scale, wide)), element);
}

/// An error unless a scale consists of floats, and the zero point (absent if
/// null) has the elements' type and the scale's shape.
static void checkParameters(Node &n, Value scale, Value zeroPoint,
                            Type element) {
  if (!n.isBroken() && !Node::isFloat(scale))
    n.error() << "a scale has elements of type " << Node::getElementType(scale)
              << ", expected floats";
  if (n.isBroken() || !zeroPoint)
    return;
  if (Node::getElementType(zeroPoint) != element)
    n.error() << "a zero point has elements of type "
              << Node::getElementType(zeroPoint) << ", expected " << element;
  auto count = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() ? type.getNumElements()
                                         : ShapedType::kDynamic;
  };
  int64_t scales = count(scale), zeros = count(zeroPoint);
  if (!n.isBroken() && scales != zeros && !ShapedType::isDynamic(scales) &&
      !ShapedType::isDynamic(zeros))
    n.error() << "it has " << scales << " scales and " << zeros
              << " zero points, expected as many";
}

/// A parameter of the whole tensor: one element.
static Value needOne(Node &n, Value parameter, StringRef name) {
  auto type = dyn_cast<RankedTensorType>(parameter.getType());
  if (!n.isBroken() && type && type.hasStaticShape() &&
      type.getNumElements() != 1)
    n.error() << name << " has type " << type << ", expected one element";
  return n.isBroken() ? parameter : n.reshape(parameter, {});
}

/// The 8-bit integers of the ops that multiply them.
static void checkBytes(Node &n, Value x, Value zeroPoint) {
  Type type = Node::getElementType(x);
  if (!n.isBroken() && !type.isInteger(8))
    n.error() << "it multiplies 8-bit integers, found " << type;
  if (zeroPoint)
    n.checkElementType(zeroPoint, "a zero point", x);
}

static IntegerType needInteger(Node &n, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && integer.getWidth() <= 16 && integer.getWidth() > 1)
    return integer;
  if (!n.isBroken())
    n.error() << "quantization to " << type << " is not supported";
  return IntegerType::get(n.builder.getContext(), 8, IntegerType::Unsigned);
}

static Results quantizeLinear(Node &n) {
  n.ignore({"saturate"});
  Value x = n.in(0), scale = n.in(1), zeroPoint = n.maybe(2);
  int64_t axis = n.getInt("axis", 1), block = n.getInt("block_size", 0);
  int64_t declared = n.getInt("output_dtype", 0);
  int64_t precision = n.getInt("precision", 0);
  Type type = zeroPoint ? Node::getElementType(zeroPoint)
              : declared
                  ? n.typeOf(declared)
                  : Type(n.builder.getIntegerType(8, /*isSigned=*/false));
  IntegerType integer = needInteger(n, type);
  checkParameters(n, scale, zeroPoint, integer);
  if (n.isBroken())
    return failure();
  x = n.cast(x, precision ? n.typeOf(precision) : Node::getElementType(scale));
  scale = spread(n, scale, x, axis, block);
  if (zeroPoint)
    zeroPoint = spread(n, zeroPoint, x, axis, block);
  return quantize(n, x, scale, zeroPoint, integer);
}

static Results dequantizeLinear(Node &n) {
  Value x = n.in(0), scale = n.in(1), zeroPoint = n.maybe(2);
  n.importer.quantized.add(n.proto, x, Node::getElementType(scale));
  int64_t axis = n.getInt("axis", 1), block = n.getInt("block_size", 0);
  int64_t declared = n.getInt("output_dtype", 0);
  Type type = Node::getElementType(x);
  // Sums of products are dequantized, too.
  if (!type.isSignlessInteger(32))
    needInteger(n, type);
  checkParameters(n, scale, zeroPoint, type);
  scale = spread(n, scale, x, axis, block);
  if (zeroPoint)
    zeroPoint = spread(n, zeroPoint, x, axis, block);
  return dequantize(n, x, scale, zeroPoint,
                    declared ? n.typeOf(declared)
                             : Node::getElementType(scale));
}

static Results dynamicQuantizeLinear(Node &n) {
  Value x = n.in(0), zero = n.scalarLike(0, x);
  auto all = [&](ReduceKind kind) {
    return n.make<ReduceOp>(x, Value(), kind, false, false);
  };
  Value low = n.min(all(ReduceKind::Min), zero);
  Value high = n.max(all(ReduceKind::Max), zero);
  Value scale = n.div(n.sub(high, low), n.scalarLike(255, x));
  Value place = n.make<RoundOp>(n.div(n.sub(zero, low), scale));
  place = n.min(n.max(place, zero), n.scalarLike(255, x));
  auto type = n.builder.getIntegerType(8, /*isSigned=*/false);
  Value zeroPoint = n.cast(place, type);
  return {quantize(n, x, scale, zeroPoint, type), scale, zeroPoint};
}

/// Integers less their zero point, as i32.
static Value centered(Node &n, Value x, Value zeroPoint, int64_t axis) {
  Type wide = n.builder.getI32Type();
  n.importer.quantized.add(n.proto, x, wide);
  Value value = n.cast(x, wide);
  if (!zeroPoint)
    return value;
  return n.sub(value, n.cast(spread(n, zeroPoint, x, axis, 0), wide));
}

static Results matMulInteger(Node &n) {
  Value a = n.in(0), b = n.in(1), aZero = n.maybe(2), bZero = n.maybe(3);
  checkBytes(n, a, aZero);
  checkBytes(n, b, bZero);
  return n.make<MatmulOp>(centered(n, a, aZero, -2), centered(n, b, bZero, -1));
}

static Results convInteger(Node &n) {
  Value x = n.in(0), w = n.in(1), xZero = n.maybe(2), wZero = n.maybe(3);
  checkBytes(n, x, xZero);
  checkBytes(n, w, wZero);
  if (xZero)
    xZero = needOne(n, xZero, "x_zero_point");
  Value y =
      makeConv(n, centered(n, x, xZero, 1), centered(n, w, wZero, 0), Value());
  return n.isBroken() ? Results(failure()) : Results(y);
}

/// i32 sums of products of `a` and `b`, in the result's own scale. Sums are
/// beyond f16, whatever the scales' type.
static Value requantize(Node &n, Value sum, Value aScale, Value bScale,
                        Value scale, Value zeroPoint) {
  IntegerType type = needInteger(n, Node::getElementType(zeroPoint));
  Type f32 = n.builder.getF32Type();
  Value factor = n.mul(n.cast(aScale, f32), n.cast(bScale, f32));
  return quantize(n, n.mul(n.cast(sum, f32), factor), scale, zeroPoint, type);
}

static Results qLinearMatMul(Node &n) {
  Value a = n.in(0), aScale = n.in(1), aZero = n.in(2), b = n.in(3),
        bScale = n.in(4), bZero = n.in(5), yScale = n.in(6), yZero = n.in(7);
  checkBytes(n, a, aZero);
  checkBytes(n, b, bZero);
  checkParameters(n, aScale, aZero, Node::getElementType(a));
  checkParameters(n, bScale, bZero, Node::getElementType(b));
  checkParameters(n, yScale, yZero, Node::getElementType(yZero));
  Value sum =
      n.make<MatmulOp>(centered(n, a, aZero, -2), centered(n, b, bZero, -1));
  return requantize(n, sum, spread(n, aScale, a, -2, 0),
                    spread(n, bScale, b, -1, 0), spread(n, yScale, sum, -2, 0),
                    spread(n, yZero, sum, -2, 0));
}

static Results qLinearConv(Node &n) {
  Value x = n.in(0), xScale = n.in(1), xZero = n.in(2), w = n.in(3),
        wScale = n.in(4), wZero = n.in(5), yScale = n.in(6), yZero = n.in(7),
        bias = n.maybe(8);
  checkBytes(n, x, xZero);
  checkBytes(n, w, wZero);
  checkParameters(n, wScale, wZero, Node::getElementType(w));
  xScale = needOne(n, xScale, "x_scale");
  xZero = needOne(n, xZero, "x_zero_point");
  yScale = needOne(n, yScale, "y_scale");
  yZero = needOne(n, yZero, "y_zero_point");
  checkParameters(n, xScale, Value(), Type());
  checkParameters(n, yScale, Value(), Type());
  Value sum =
      makeConv(n, centered(n, x, xZero, 1), centered(n, w, wZero, 0), bias);
  if (n.isBroken())
    return failure();
  return requantize(n, sum, xScale, spread(n, wScale, sum, 1, 0), yScale,
                    yZero);
}

void onnximport::addQuantizationRows(OpTable &table) {
  table.on("ConvInteger", 10, convInteger);
  table.on("DequantizeLinear", 10, dequantizeLinear);
  table.on("DynamicQuantizeLinear", 11, dynamicQuantizeLinear);
  table.on("MatMulInteger", 10, matMulInteger);
  table.on("QLinearConv", 10, qLinearConv);
  table.on("QLinearMatMul", 10, qLinearMatMul);
  table.on("QuantizeLinear", 10, quantizeLinear);
}
