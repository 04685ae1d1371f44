//===- QuantizedOps.cpp - Ops of quantized values -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime's QLinear ops, but for products: an op of ONNX between
// dequantized operands and a quantized result.
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// What input `i` stands for; its scale and its zero point, which may be
/// absent, follow.
static Value dequantized(Node &n, unsigned i) {
  Value x = n.in(i), scale = needOne(n, n.in(i + 1), "a scale");
  return n.make<DequantizeOp>(x, scale,
                              needOne(n, n.maybe(i + 2), "a zero point"),
                              Node::getElementType(scale));
}

/// `y` by the scale of input `i` and the zero point behind it, in the type of
/// `like`.
static Value quantized(Node &n, Value y, unsigned i, Value like) {
  Value scale = needOne(n, n.in(i), "a scale");
  return n.make<QuantizeOp>(
      y, scale, needOne(n, n.maybe(i + 1), "a zero point"),
      TypeAttr::get(Node::getElementType(like)), TypeAttr());
}

/// The first result of a handler; a value to go on with after an error.
static Value getResult(Node &n, const Results &results) {
  return results.failed || results.values.empty() ? n.poison()
                                                  : results.values.front();
}

/// `op` of ONNX, on `count` operands and, behind them, the result's parameters.
static Results onFloats(Node &n, StringRef op, int64_t version,
                        unsigned count = 1) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < count; ++i)
    operands.push_back(dequantized(n, 3 * i));
  Value y = getResult(n, n.call(op, version, operands));
  return quantized(n, y, 3 * count, n.in(0));
}

static Results qLinearAdd(Node &n) { return onFloats(n, "Add", 14, 2); }
static Results qLinearMul(Node &n) { return onFloats(n, "Mul", 14, 2); }
static Results qLinearSigmoid(Node &n) { return onFloats(n, "Sigmoid", 13); }
static Results qLinearLeakyRelu(Node &n) {
  return onFloats(n, "LeakyRelu", 16);
}
/// Its axes are an attribute.
static Results qLinearReduceMean(Node &n) {
  return onFloats(n, "ReduceMean", 13);
}
static Results qLinearSoftmax(Node &n) {
  return onFloats(n, "Softmax", n.getInt("opset", 13));
}

/// A pool of images whose channels are the last dimension if the node says so.
static Results onImages(Node &n, StringRef op, int64_t version) {
  bool channelsLast = n.getFlag("channels_last");
  Value x = dequantized(n, 0);
  if (n.needRank(x, 3); n.isBroken())
    return failure();
  Value y = getResult(
      n, n.call(op, version, {channelsLast ? n.toChannelsFirst(x) : x}));
  if (n.isBroken())
    return failure();
  return quantized(n, channelsLast ? n.toChannelsLast(y) : y, 3, n.in(0));
}

static Results qLinearAveragePool(Node &n) {
  return onImages(n, "AveragePool", 19);
}
static Results qLinearGlobalAveragePool(Node &n) {
  return onImages(n, "GlobalAveragePool", 1);
}

static Results qLinearConcat(Node &n) {
  unsigned count = n.getNumInputs();
  if (count < 5 || count % 3 != 2)
    return n.error()
           << "it has " << count
           << " inputs, expected a scale, a zero point, and three for "
              "each operand";
  SmallVector<Value> operands;
  for (unsigned i = 2; i < count; i += 3)
    operands.push_back(dequantized(n, i));
  Value y = getResult(n, n.call("Concat", 13, operands));
  return quantized(n, y, 0, n.in(1));
}

static Results qLinearWhere(Node &n) {
  Value condition = n.in(0), x = dequantized(n, 1), y = dequantized(n, 4);
  return quantized(n, n.select(condition, x, y), 7, n.in(8));
}

void onnximport::addQuantizedOpRows(OpTable &table) {
  table.on("DequantizeLinear", 1, dequantizeLinear);
  table.on("QLinearAdd", 1, qLinearAdd);
  table.on("QLinearAveragePool", 1, qLinearAveragePool);
  table.on("QLinearConcat", 1, qLinearConcat);
  table.on("QLinearGlobalAveragePool", 1, qLinearGlobalAveragePool);
  table.on("QLinearLeakyRelu", 1, qLinearLeakyRelu);
  table.on("QLinearMul", 1, qLinearMul);
  table.on("QLinearReduceMean", 1, qLinearReduceMean);
  table.on("QLinearSigmoid", 1, qLinearSigmoid);
  table.on("QLinearSoftmax", 1, qLinearSoftmax);
  table.on("QLinearWhere", 1, qLinearWhere);
  table.on("QuantizeLinear", 1, quantizeLinear);
}
