//===- Quantization.cpp - Quantized values --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "WindowAttributes.h"
#include "brisk/Dialect/Ops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

Value onnximport::spread(Node &n, Value parameter, Value like, int64_t axis) {
  if (!parameter || n.isBroken())
    return parameter;
  int64_t rank = n.needRank(parameter), likeRank = n.needRank(like);
  if (n.isBroken() || rank != 1)
    return parameter;
  if (Node::getDim(parameter, 0) == 1 || likeRank == 0)
    return n.reshape(parameter, {});
  return n.alongAxis(parameter, n.normalizeAxis(axis, likeRank), like);
}

namespace {
/// An axis of which `size` elements each share a scale; the last block may be
/// cut short.
struct Blocks {
  int64_t axis, size, count, length;
};
} // namespace

/// The blocks in which `scale` is of `x`; an error if it does not fit, which
/// breaks the node.
static Blocks readBlocks(Node &n, Value x, Value scale, int64_t axis,
                         int64_t size) {
  auto type = dyn_cast<RankedTensorType>(x.getType());
  auto scales = dyn_cast<RankedTensorType>(scale.getType());
  if (!type || !scales || !type.hasStaticShape() || !scales.hasStaticShape())
    n.error() << "blocks of scales need shapes that are known";
  else
    axis = n.normalizeAxis(axis, type.getRank());
  if (n.isBroken())
    return {};
  SmallVector<int64_t> expected(type.getShape());
  if (size > 0)
    expected[axis] = llvm::divideCeilSigned(expected[axis], size);
  if (size < 1 || scales.getShape() != ArrayRef(expected))
    n.error() << "a scale of type " << scales << " in blocks of " << size
              << " does not fit an input of type " << type;
  int64_t length = type.getDimSize(axis);
  return {axis, std::min(size, length), expected[axis], length};
}

/// `x` with `dims` in the place of `count` dimensions from `axis` on.
static Value reshapeAxis(Node &n, Value x, int64_t axis, int64_t count,
                         ArrayRef<int64_t> dims) {
  if (n.isBroken())
    return x;
  SmallVector<int64_t> shape(cast<RankedTensorType>(x.getType()).getShape());
  shape.erase(shape.begin() + axis, shape.begin() + axis + count);
  shape.insert(shape.begin() + axis, dims.begin(), dims.end());
  if (auto unpack = x.getDefiningOp<UnpackBitsOp>())
    return n.make<UnpackBitsOp>(unpack.getInput(), unpack.getBits(),
                                ArrayRef<int64_t>(shape), unpack.getTo());
  return n.make<ReshapeOp>(x, n.ints(shape), /*allowzero=*/true);
}

/// Makes an op of `x` with its scale and its zero point, if there is one, as
/// the node's attributes say where they belong.
static Value withParameters(
    Node &n, Value x, Value scale, Value zeroPoint,
    llvm::function_ref<Value(Value x, Value scale, Value zeroPoint)> make) {
  int64_t axis = n.getInt("axis", 1), size = n.getInt("block_size", 0);
  auto scales = dyn_cast<RankedTensorType>(scale.getType());
  bool isOne =
      scales && scales.hasStaticShape() && scales.getNumElements() == 1;
  if (size == 0 || isOne)
    return n.keepShape(
        make(x, spread(n, scale, x, axis), spread(n, zeroPoint, x, axis)),
        "a scale", x);
  Blocks blocks = readBlocks(n, x, scale, axis, size);
  if (n.isBroken())
    return x;
  auto [first, each, count, length] = blocks;
  if (count * each != length)
    x = n.make<PadOp>(x, n.ints({0, count * each - length}), n.scalarLike(0, x),
                      n.ints({first}), PadMode::Constant);
  auto perBlock = [&](Value parameter) {
    return parameter ? n.unsqueeze(parameter, {blocks.axis + 1}) : parameter;
  };
  Value y = make(reshapeAxis(n, x, first, 1, {count, each}), perBlock(scale),
                 perBlock(zeroPoint));
  y = reshapeAxis(n, y, first, 2, {count * each});
  return count * each == length
             ? y
             : n.make<SliceOp>(y, n.ints({0}), n.ints({length}),
                               n.ints({first}), Value());
}

/// Integers less their zero point, as i32.
static Value centered(Node &n, Value x, Value zeroPoint, int64_t axis) {
  return n.make<DequantizeOp>(x, Value(), spread(n, zeroPoint, x, axis),
                              n.builder.getI32Type());
}

Value onnximport::needOne(Node &n, Value parameter, StringRef name) {
  if (!parameter)
    return parameter;
  auto type = dyn_cast<RankedTensorType>(parameter.getType());
  if (type && type.hasStaticShape() && type.getNumElements() != 1)
    n.error() << name << " has type " << type << ", expected one element";
  return n.isBroken() ? parameter : n.reshape(parameter, {});
}

/// The 8-bit integers of the ops that multiply them.
static void checkBytes(Node &n, Value x) {
  Type type = Node::getElementType(x);
  if (!type.isInteger(8))
    n.error() << "it multiplies 8-bit integers, found " << type;
}

Results onnximport::quantizeLinear(Node &n) {
  n.ignore({"saturate"}); // of 8-bit floats only
  Value x = n.in(0), scale = n.in(1), zeroPoint = n.maybe(2);
  int64_t declared = n.getInt("output_dtype", 0);
  int64_t precision = n.getInt("precision", 0);
  Type to = zeroPoint  ? Node::getElementType(zeroPoint)
            : declared ? n.typeOf(declared)
                       : n.builder.getIntegerType(8, /*isSigned=*/false);
  TypeAttr inPrecision =
      precision ? TypeAttr::get(n.typeOf(precision)) : TypeAttr();
  return withParameters(
      n, x, scale, zeroPoint, [&](Value x, Value scale, Value zeroPoint) {
        return n.make<QuantizeOp>(x, scale, zeroPoint, TypeAttr::get(to),
                                  inPrecision);
      });
}

Results onnximport::dequantizeLinear(Node &n) {
  Value x = n.in(0), scale = n.in(1), zeroPoint = n.maybe(2);
  int64_t declared = n.getInt("output_dtype", 0);
  Type to = declared ? n.typeOf(declared) : Node::getElementType(scale);
  return withParameters(n, x, scale, zeroPoint,
                        [&](Value x, Value scale, Value zeroPoint) {
                          return n.make<DequantizeOp>(x, scale, zeroPoint, to);
                        });
}

DynamicallyQuantized onnximport::quantizeDynamically(Node &n, Value x) {
  Value zero = n.scalarLike(0, x);
  auto type = n.builder.getIntegerType(8, /*isSigned=*/false);
  auto all = [&](ReduceKind kind) {
    return n.make<ReduceOp>(x, Value(), kind, false, false);
  };
  Value low = n.min(all(ReduceKind::Min), zero);
  Value high = n.max(all(ReduceKind::Max), zero);
  Value scale = n.div(n.sub(high, low), n.scalarLike(255, x));
  auto quantize = [&](Value value, Value zeroPoint) {
    return n.make<QuantizeOp>(value, scale, zeroPoint, TypeAttr::get(type),
                              TypeAttr());
  };
  Value zeroPoint = quantize(n.sub(zero, low), Value());
  return {quantize(x, zeroPoint), scale, zeroPoint};
}

static Results dynamicQuantizeLinear(Node &n) {
  auto [integers, scale, zeroPoint] = quantizeDynamically(n, n.in(0));
  return {integers, scale, zeroPoint};
}

Value onnximport::multiplyMatrices(Node &n, Value a, Value aZero, Value b,
                                   Value bZero) {
  checkBytes(n, a);
  checkBytes(n, b);
  return n.make<MatmulOp>(centered(n, a, aZero, -2), centered(n, b, bZero, -1));
}

static Results matMulInteger(Node &n) {
  Value a = n.in(0), b = n.in(1), aZero = n.maybe(2), bZero = n.maybe(3);
  return multiplyMatrices(n, a, aZero, b, bZero);
}

/// The same of ConvInteger and QLinearConv.
static Value convolve(Node &n, Value x, Value xZero, Value w, Value wZero,
                      Value bias) {
  checkBytes(n, x);
  checkBytes(n, w);
  xZero = needOne(n, xZero, "x_zero_point");
  return makeConv(n, centered(n, x, xZero, 1), centered(n, w, wZero, 0), bias);
}

static Results convInteger(Node &n) {
  Value x = n.in(0), w = n.in(1), xZero = n.maybe(2), wZero = n.maybe(3);
  return convolve(n, x, xZero, w, wZero, Value());
}

Value onnximport::dequantizeSums(Node &n, Value sums, Value aScale,
                                 Value bScale, Type to) {
  Type f32 = n.builder.getF32Type();
  for (Value factor : {aScale, bScale})
    if (!Node::isFloat(factor))
      n.error() << "a scale has elements of type "
                << Node::getElementType(factor) << ", expected floats";
  Value factor = n.mul(n.cast(aScale, f32), n.cast(bScale, f32));
  return n.make<DequantizeOp>(sums, factor, Value(), to);
}

Value onnximport::requantize(Node &n, Value sums, Value aScale, Value bScale,
                             Value scale, Value zeroPoint) {
  Type f32 = n.builder.getF32Type();
  return n.make<QuantizeOp>(
      dequantizeSums(n, sums, aScale, bScale, f32), scale, zeroPoint,
      TypeAttr::get(Node::getElementType(zeroPoint)),
      Node::getElementType(scale) == f32 ? TypeAttr() : TypeAttr::get(f32));
}

static Results qLinearMatMul(Node &n) {
  Value a = n.in(0), aScale = n.in(1), aZero = n.in(2), b = n.in(3),
        bScale = n.in(4), bZero = n.in(5), yScale = n.in(6), yZero = n.in(7);
  Value sum = multiplyMatrices(n, a, aZero, b, bZero);
  return requantize(n, sum, spread(n, aScale, a, -2), spread(n, bScale, b, -1),
                    spread(n, yScale, sum, -2), spread(n, yZero, sum, -2));
}

static Results qLinearConv(Node &n) {
  Value x = n.in(0), xScale = n.in(1), xZero = n.in(2), w = n.in(3),
        wScale = n.in(4), wZero = n.in(5), yScale = n.in(6), yZero = n.in(7),
        bias = n.maybe(8);
  xScale = needOne(n, xScale, "x_scale");
  yScale = needOne(n, yScale, "y_scale");
  yZero = needOne(n, yZero, "y_zero_point");
  Value sum = convolve(n, x, xZero, w, wZero, bias);
  return requantize(n, sum, xScale, spread(n, wScale, sum, 1), yScale, yZero);
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
