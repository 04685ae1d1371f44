//===- QuantizedProducts.cpp - Products with quantized weights ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime's products whose weights, or both sides, are quantized.
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// `y` and a bias along its last dimension, if there is one.
static Value addBias(Node &n, Value y, Value bias) {
  return bias ? n.keepShape(n.add(y, bias), "bias", y) : y;
}

static Results qGemm(Node &n) {
  Value a = n.in(0), aScale = needOne(n, n.in(1), "a_scale"),
        aZero = needOne(n, n.in(2), "a_zero_point"), b = n.in(3),
        bScale = n.in(4), bZero = n.in(5), c = n.maybe(6),
        yScale = needOne(n, n.maybe(7), "y_scale"),
        yZero = needOne(n, n.maybe(8), "y_zero_point");
  if (!yScale != !yZero)
    return n.error()
           << "y_scale and y_zero_point must be given together or not at all";
  if (n.needRank(a) != 2 || n.needRank(b) != 2)
    return n.error() << "its two factors must be matrices";
  if (n.getFlag("transA"))
    a = n.transpose(a, {1, 0});
  if (n.getFlag("transB"))
    b = n.transpose(b, {1, 0});
  Value sums = multiplyMatrices(n, a, aZero, b, bZero);
  if (c)
    sums = n.keepShape(n.add(sums, c), "C", sums);
  if (double alpha = n.getFloat("alpha", 1); alpha != 1)
    aScale = n.mul(aScale, n.scalarLike(alpha, aScale));
  bScale = spread(n, bScale, sums, -1);
  return yScale ? requantize(n, sums, aScale, bScale, yScale, yZero)
                : dequantizeSums(n, sums, aScale, bScale,
                                 Node::getElementType(aScale));
}

static Results matMulIntegerToFloat(Node &n) {
  Value a = n.in(0), b = n.in(1), aScale = needOne(n, n.in(2), "a_scale"),
        bScale = n.in(3), aZero = needOne(n, n.maybe(4), "a_zero_point"),
        bZero = n.maybe(5), bias = n.maybe(6);
  Value sums = multiplyMatrices(n, a, aZero, b, bZero);
  Value y = dequantizeSums(n, sums, aScale, spread(n, bScale, sums, -1),
                           Node::getElementType(aScale));
  return addBias(n, y, bias);
}

static Results dynamicQuantizeMatMul(Node &n) {
  Value a = n.in(0), b = n.in(1), bScale = n.in(2), bZero = n.maybe(3),
        bias = n.maybe(4);
  auto [integers, scale, zeroPoint] = quantizeDynamically(n, a);
  Value sums = multiplyMatrices(n, integers, zeroPoint, b, bZero);
  Value y = dequantizeSums(n, sums, scale, spread(n, bScale, sums, -1),
                           Node::getElementType(a));
  return addBias(n, y, bias);
}

/// Weights of an LSTM, directions x inputs x gates, as ONNX has them: with
/// gates before inputs. A scale and a zero point are those of a direction, or
/// of each of its gates.
static Value readGates(Node &n, Value weights, Value scale, Value zeroPoint) {
  auto toWeights = [&](Value parameter) {
    return n.unsqueeze(parameter,
                       Node::getAxes(1, n.needRank(parameter) == 1 ? 3 : 2));
  };
  Value floats =
      n.make<DequantizeOp>(weights, toWeights(scale), toWeights(zeroPoint),
                           Node::getElementType(scale));
  return n.transpose(n.keepShape(floats, "a scale", weights), {0, 2, 1});
}

/// The products of an LSTM's input with its weights, which are multiplied as
/// bytes: those of the first direction's gates first. Null where the weights'
/// shape is not known.
static Value multiplyInput(Node &n, Value x, Value weights, Value scale,
                           Value zeroPoint) {
  auto type = dyn_cast<RankedTensorType>(weights.getType());
  if (!Node::getElementType(x).isF32() || !type || !type.hasStaticShape())
    return Value();
  SmallVector<int64_t> perGate{type.getDimSize(0), type.getDimSize(2)};
  auto spreadGates = [&](Value parameter) {
    if (Node::getRank(parameter) == 1)
      parameter = n.unsqueeze(parameter, {1});
    return n.reshape(n.make<ExpandOp>(parameter, n.ints(perGate)), {-1});
  };
  auto [integers, xScale, xZero] = quantizeDynamically(n, x);
  Value matrix = n.reshape(n.transpose(weights, {1, 0, 2}),
                           {type.getDimSize(1), perGate[0] * perGate[1]});
  Value sums =
      multiplyMatrices(n, integers, xZero, matrix, spreadGates(zeroPoint));
  return dequantizeSums(n, sums, xScale, spreadGates(scale),
                        n.builder.getF32Type());
}

/// The layer that its weights stand for. As in ONNX Runtime, what they multiply
/// is quantized: the input as a whole, and the state at each step.
static Results dynamicQuantizeLstm(Node &n) {
  SmallVector<Value> operands{n.in(0), n.in(1), n.in(2)};
  for (unsigned i = 3; i < 8; ++i)
    operands.push_back(n.maybe(i));
  operands[1] = readGates(n, operands[1], n.in(8), n.in(9));
  operands[2] = readGates(n, operands[2], n.in(10), n.in(11));
  if (n.isBroken())
    return failure();
  Value products = multiplyInput(n, n.in(0), n.in(1), n.in(8), n.in(9));
  Results results = n.call("LSTM", 14, operands);
  if (results.failed || !products)
    return results;
  if (auto layer = results.values.front().getDefiningOp<LstmOp>()) {
    layer.getXMutable().set(products);
    layer.getWMutable().clear();
    layer.setQuantizesStates(true);
  }
  return results;
}

namespace {
/// The weights of a MatMulNBits: `rows` of `size` elements, in `blocks` that
/// share a scale and a zero point.
struct BlockedWeights {
  int64_t rows = 0, size = 0, blocks = 0, blockSize = 0, bits = 0;

  explicit BlockedWeights(Node &n)
      : rows(n.getInt("N", 0)), size(n.getInt("K", 0)),
        blockSize(n.getInt("block_size", 0)), bits(n.getInt("bits", 4)) {
    if (bits != 2 && bits != 4 && bits != 8)
      n.error() << "bits is " << bits << ", expected 2, 4 or 8";
    if (!llvm::isPowerOf2_64(blockSize) || blockSize < 16)
      n.error() << "block_size is " << blockSize
                << ", expected a power of two from 16 on";
    for (int64_t each : {rows, size, blockSize})
      if (each < 1 || each > INT32_MAX)
        n.error() << "N, K and block_size are " << rows << ", " << size
                  << " and " << blockSize << ", expected positive i32";
    if (!n.isBroken())
      blocks = llvm::divideCeilSigned(size, blockSize);
  }

  /// One element for each block, to broadcast along it.
  Value perBlock(Node &n, Value parameter, StringRef name) const {
    if (n.isBroken())
      return n.poison();
    // Models of earlier versions have all in a vector.
    if (Node::getRank(parameter) == 1)
      n.checkShape(parameter, name, {rows * blocks});
    else
      n.checkShape(parameter, name, {rows, blocks});
    return n.reshape(parameter, {rows, blocks, 1});
  }

  /// Integers of less than 8 bits, of which each row fills bytes of its own.
  Value unpack(Node &n, Value bytes, ArrayRef<int64_t> shape) const {
    return bits == 8 ? bytes
                     : n.make<UnpackBitsOp>(
                           bytes, bits, shape,
                           n.builder.getIntegerType(8, /*isSigned=*/false));
  }

  /// Zero points as integers; without any, the middle of the range.
  Value readZeros(Node &n, Value zeros) const {
    Type byte = n.builder.getIntegerType(8, /*isSigned=*/false);
    if (!zeros) {
      auto middle = static_cast<char>(1 << (bits - 1));
      return n.constant(
          makeSplat(RankedTensorType::get({rows, blocks, 1}, byte),
                    ArrayRef<char>(middle)));
    }
    int64_t bytes = llvm::divideCeilSigned(blocks * bits, 8);
    if (Node::getRank(zeros) == 1)
      n.checkShape(zeros, "zero_points", {rows * bytes});
    else
      n.checkShape(zeros, "zero_points", {rows, bytes});
    Value all = unpack(n, zeros, {rows, bytes * 8 / bits});
    if (bytes * 8 / bits != blocks)
      all = n.make<SliceOp>(all, n.ints({0}), n.ints({blocks}), n.ints({1}),
                            Value());
    return n.reshape(all, {rows, blocks, 1});
  }
};
} // namespace

static Results matMulNBits(Node &n) {
  // How exactly is up to the kernel.
  n.ignore({"accuracy_level"});
  Value a = n.in(0), b = n.in(1), scales = n.in(2), zeros = n.maybe(3);
  if (n.maybe(4))
    return n.error()
           << "weights reordered by g_idx are not supported; quantize "
              "them in their own order";
  Value bias = n.maybe(5);
  if (n.getInt("weight_prepacked", 0) != 0)
    return n.error()
           << "weights packed for a GPU are not supported; export the "
              "model with weight_prepacked = 0";
  BlockedWeights w(n);
  if (n.isBroken())
    return failure();
  SmallVector<int64_t> blocked{w.rows, w.blocks, w.blockSize};
  n.checkShape(b, "B", {w.rows, w.blocks, w.blockSize * w.bits / 8});
  Value integers = w.unpack(n, b, blocked);
  Type f32 = n.builder.getF32Type();
  scales = n.cast(w.perBlock(n, scales, "scales"), f32);
  Value floats;
  if (zeros && Node::isFloat(zeros)) {
    zeros = n.cast(w.perBlock(n, zeros, "zero_points"), f32);
    Value one = n.scalar(1, f32);
    floats =
        n.mul(n.sub(n.make<DequantizeOp>(integers, one, Value(), f32), zeros),
              scales);
  } else {
    floats = n.make<DequantizeOp>(integers, scales, w.readZeros(n, zeros), f32);
  }
  Value matrix = n.reshape(floats, {w.rows, w.blocks * w.blockSize});
  if (w.blocks * w.blockSize != w.size)
    matrix = n.make<SliceOp>(matrix, n.ints({0}), n.ints({w.size}), n.ints({1}),
                             Value());
  return addBias(n, n.make<MatmulOp>(a, n.transpose(matrix, {1, 0})), bias);
}

/// Attention whose queries, keys and values are one product of quantized
/// values.
static Results qAttention(Node &n) {
  Value x = n.in(0), w = n.in(1), bias = n.in(2),
        xScale = needOne(n, n.in(3), "input_scale"), wScale = n.in(4),
        lens = n.maybe(5), xZero = needOne(n, n.maybe(6), "input_zero_point"),
        wZero = n.maybe(7);
  if (n.maybe(8) || n.getFlag("do_rotary") ||
      n.getFlag("past_present_share_buffer"))
    return n.error() << "past states and rotary embeddings are not supported";
  // What is added to a masked key's score makes its exponential 0.
  if (double least = n.getFloat("mask_filter_value", -10000); least > -1000)
    return n.error() << "mask_filter_value is " << least
                     << ", expected -1000 or less";
  int64_t heads = n.getInt("num_heads", 0);
  if (n.needRank(x) != 3 || n.needRank(w) != 2 || heads < 1)
    return n.error() << "its input must have rank 3, its weight rank 2, and "
                        "num_heads must be positive";
  if (lens)
    n.checkShape(lens, "mask_index", {Node::getDim(x, 0)});
  Value sums = multiplyMatrices(n, x, xZero, w, wZero);
  Value y = addBias(n,
                    dequantizeSums(n, sums, xScale, spread(n, wScale, sums, -1),
                                   Node::getElementType(xScale)),
                    bias);
  // Queries, keys and values x batch x heads x sequence x size.
  y = n.transpose(n.reshape(y, {0, 0, 3, heads, -1}), {2, 0, 3, 1, 4});
  auto part = [&](int64_t first, int64_t end) {
    return n.make<SliceOp>(y, n.ints({first}), n.ints({end}), n.ints({0}),
                           Value());
  };
  auto one = [&](int64_t i) {
    return n.make<SqueezeOp>(part(i, i + 1), n.ints({0}));
  };
  FloatAttr scale;
  if (double factor = n.getFloat("scale", 0); factor != 0)
    scale = n.builder.getF32FloatAttr(factor);
  Value result = n.make<AttentionOp>(
      one(0), one(1), one(2), Value(), Value(), lens, scale, APFloat(0.0f),
      n.getFlag("unidirectional"), -1, -1, TypeAttr(), AttentionScoresAttr());
  return {n.reshape(n.transpose(result, {0, 2, 1, 3}), {0, 0, -1}), part(1, 3)};
}

void onnximport::addQuantizedProductRows(OpTable &table) {
  table.on("DynamicQuantizeLSTM", 1, dynamicQuantizeLstm);
  table.on("DynamicQuantizeMatMul", 1, dynamicQuantizeMatMul);
  table.on("MatMulIntegerToFloat", 1, matMulIntegerToFloat);
  table.on("MatMulNBits", 1, inF32<matMulNBits>);
  table.on("QAttention", 1, qAttention);
  table.on("QGemm", 1, qGemm);
}
