//===- Activation.cpp - Activations ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composed of arithmetic, so that any of them fuses into what gives its input.
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

static Value isBelow(Node &n, Value x, double bound) {
  return n.make<LessOp>(x, n.scalarLike(bound, x));
}

static Value isAbove(Node &n, Value x, double bound) {
  return n.make<GreaterOp>(x, n.scalarLike(bound, x));
}

static Value clamp(Node &n, Value x, double low, double high) {
  return n.min(n.max(x, n.scalarLike(low, x)), n.scalarLike(high, x));
}

static Value scale(Node &n, Value x, double factor) {
  return factor == 1 ? x : n.mul(x, n.scalarLike(factor, x));
}

static Value shift(Node &n, Value x, double by) {
  return n.add(x, n.scalarLike(by, x));
}

static Results relu(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  return n.max(x, n.scalarLike(0, x));
}

static Results leakyRelu(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  double alpha = n.getFloat("alpha", 0.01f);
  Value scaled = n.mul(x, n.scalarLike(alpha, x));
  // An infinity by 0 would be NaN.
  if (alpha > 0 && alpha <= 1)
    return n.max(x, scaled);
  return n.select(isBelow(n, x, 0), scaled, x);
}

static Results pRelu(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0), slope = n.in(1);
  // Before opset 7 the slopes are those of the channels.
  if (n.opset < 7 && Node::getRank(slope) == 1 && Node::getDim(slope, 0) != 1)
    slope = n.alongAxis(slope, 1, x);
  return n.keepShape(n.select(isBelow(n, x, 0), n.mul(x, slope), x), "slope",
                     x);
}

static Results thresholdedRelu(Node &n) {
  Value x = n.in(0);
  return n.select(isAbove(n, x, n.getFloat("alpha", 1)), x, n.scalarLike(0, x));
}

/// alpha * (exp(x / divisor) - 1).
static Value scaledExpm1(Node &n, Value x, double alpha, double divisor = 1) {
  if (divisor != 1)
    x = n.div(x, n.scalarLike(divisor, x));
  return scale(n, shift(n, n.make<ExpOp>(x), -1), alpha);
}

static Results elu(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  return n.select(isBelow(n, x, 0), scaledExpm1(n, x, n.getFloat("alpha", 1)),
                  x);
}

static Results selu(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  bool first = n.opset < 6;
  double alpha = n.getFloat("alpha", first ? 1.6732f : 1.67326319217681884765f);
  double gamma = n.getFloat("gamma", first ? 1.0507f : 1.05070102214813232422f);
  return scale(n, n.select(isAbove(n, x, 0), x, scaledExpm1(n, x, alpha)),
               gamma);
}

static Results celu(Node &n) {
  Value x = n.in(0), zero = n.scalarLike(0, x);
  double alpha = n.getFloat("alpha", 1);
  // NaN for any x where alpha is zero or no finite number, unlike a choice.
  return n.add(n.max(x, zero), n.min(scaledExpm1(n, x, alpha, alpha), zero));
}

static Results hardSigmoid(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  Value line = shift(n, scale(n, x, n.getFloat("alpha", 0.2f)),
                     n.getFloat("beta", 0.5f));
  return clamp(n, line, 0, 1);
}

static Results hardSwish(Node &n) {
  Value x = n.in(0);
  return n.mul(x, clamp(n, shift(n, scale(n, x, 1.0 / 6), 0.5), 0, 1));
}

static Results softsign(Node &n) {
  Value x = n.in(0);
  return n.div(x, shift(n, n.make<AbsOp>(x), 1));
}

static Results mish(Node &n) {
  Value x = n.in(0);
  return n.mul(x, n.make<TanhOp>(n.make<SoftplusOp>(x)));
}

static Results swish(Node &n) {
  Value x = n.in(0);
  double alpha = n.getFloat("alpha", 1);
  if (alpha == 1)
    return n.make<SiluOp>(x);
  return n.mul(x, n.make<SigmoidOp>(scale(n, x, alpha)));
}

static Results gelu(Node &n) {
  return n.make<GeluOp>(
      n.in(0), n.getEnum<GeluApproximation>("approximate", "none",
                                            symbolizeGeluApproximation));
}

static Results shrink(Node &n) {
  Value x = n.in(0);
  double lambd = n.getFloat("lambd", 0.5), bias = n.getFloat("bias", 0);
  // Integers are compared and moved as floats, and cut back.
  Type element = Node::getElementType(x);
  Value value = isa<FloatType>(element) ? x : n.cast(x, n.builder.getF32Type());
  Value high = n.select(isAbove(n, value, lambd), shift(n, value, -bias),
                        n.scalarLike(0, value));
  Value all = n.select(isBelow(n, value, -lambd), shift(n, value, bias), high);
  return n.cast(all, element);
}

static Results clipByAttributes(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0);
  constexpr float most = std::numeric_limits<float>::max();
  // Opset 6 has defaults, which infinities are beyond.
  if (n.has("min") || n.opset >= 6)
    x = n.max(x, n.scalarLike(n.getFloat("min", -most), x));
  if (n.has("max") || n.opset >= 6)
    x = n.min(x, n.scalarLike(n.getFloat("max", most), x));
  return x;
}

/// A bound, which some models give the shape of a vector of one element.
static Value readBound(Node &n, unsigned i) {
  Value bound = n.maybe(i);
  return !bound || Node::getRank(bound) == 0 ? bound : n.reshape(bound, {});
}

static Results clip(Node &n) {
  Value x = n.in(0);
  if (Value low = readBound(n, 1))
    x = n.max(x, low);
  if (Value high = readBound(n, 2))
    x = n.min(x, high);
  return x;
}

void onnximport::addActivationRows(OpTable &table) {
  table.on("Celu", 12, inF32<celu>);
  table.on("Clip", 1, clipByAttributes);
  table.on("Clip", 11, clip);
  table.on("Elu", 1, inF32<elu>);
  table.on("Gelu", 20, gelu);
  table.on("HardSigmoid", 1, inF32<hardSigmoid>);
  table.on("HardSwish", 14, inF32<hardSwish>);
  table.on("LeakyRelu", 1, inF32<leakyRelu>);
  table.on("Mish", 18, inF32<mish>);
  table.on("PRelu", 1, pRelu, Elements::FloatsAndWide);
  table.on("Relu", 1, relu, Elements::FloatsAndSigned);
  table.on("Selu", 1, inF32<selu>);
  table.on("Shrink", 9, inF32<shrink>);
  table.on("Softsign", 1, inF32<softsign>, Elements::Floats);
  table.on("Swish", 24, inF32<swish>);
  table.on("ThresholdedRelu", 1, inF32<thresholdedRelu>, Elements::Floats);
}
