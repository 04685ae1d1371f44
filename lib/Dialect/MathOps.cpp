//===- MathOps.cpp - Functions of one float -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;

static constexpr double logOf2 = 0.6931471805599453;

// exp(|x|) / 2, by exp(|x| / 2), which overflows later.
static Value buildHalfExp(const ElementBuilder &e, Value size) {
  Value root = e.make<math::ExpOp>(e.mul(size, 0.5));
  return e.mul(e.mul(root, 0.5), root);
}

static Value buildSinh(const ElementBuilder &e, Value x) {
  Value size = e.make<math::AbsFOp>(x);
  Value half = buildHalfExp(e, size);
  Value large = e.sub(half, e.div(e.constant(x, 0.25), half));
  // Near zero the difference cancels: Taylor's series.
  Value square = e.mul(x, x), sum = e.constant(x, 1.0);
  for (int n : {17, 15, 13, 11, 9, 7, 5, 3})
    sum = e.add(e.mul(e.mul(square, 1.0 / (n * (n - 1))), sum), 1.0);
  Value small = e.mul(size, sum);
  Value near = e.compare(CmpFPredicate::OLT, size, e.constant(x, 1.0));
  return e.make<math::CopySignOp>(e.select(near, small, large), x);
}

static Value buildCosh(const ElementBuilder &e, Value x) {
  Value half = buildHalfExp(e, e.make<math::AbsFOp>(x));
  return e.add(half, e.div(e.constant(x, 0.25), half));
}

// From here on, 1 is nothing beside x^2.
static constexpr double largeForSquare = 0x1p28;

static Value buildAsinh(const ElementBuilder &e, Value x) {
  Value size = e.make<math::AbsFOp>(x);
  Value isLarge =
      e.compare(CmpFPredicate::OGT, size, e.constant(x, largeForSquare));
  Value large = e.add(e.make<math::LogOp>(size), logOf2);
  // log(x + sqrt(x^2 + 1)), as a logarithm of 1 and more.
  Value square = e.mul(x, x);
  Value root = e.make<math::SqrtOp>(e.add(square, 1.0));
  Value small = e.log1p(e.add(size, e.div(square, e.add(root, 1.0))));
  return e.make<math::CopySignOp>(e.select(isLarge, large, small), x);
}

static Value buildAcosh(const ElementBuilder &e, Value x) {
  Value isLarge =
      e.compare(CmpFPredicate::OGT, x, e.constant(x, largeForSquare));
  Value large = e.add(e.make<math::LogOp>(x), logOf2);
  // log(x + sqrt(x^2 - 1)), with t = x - 1.
  Value t = e.add(x, -1.0);
  Value root = e.make<math::SqrtOp>(e.mul(t, e.add(t, 2.0)));
  Value small = e.log1p(e.add(t, root));
  Value outside = e.compare(CmpFPredicate::OLT, x, e.constant(x, 1.0));
  Value nan = e.constant(x, std::numeric_limits<double>::quiet_NaN());
  return e.select(outside, nan, e.select(isLarge, large, small));
}

static Value buildAtanh(const ElementBuilder &e, Value x) {
  Value size = e.make<math::AbsFOp>(x);
  Value ratio = e.div(e.mul(size, 2.0), e.sub(e.constant(x, 1.0), size));
  return e.make<math::CopySignOp>(e.mul(e.log1p(ratio), 0.5), x);
}

static Value buildGelu(const ElementBuilder &e, Value x,
                       GeluApproximation approximation) {
  Value gauss;
  if (approximation == GeluApproximation::Tanh) {
    Value cube = e.mul(e.mul(x, x), x);
    constexpr double rootOf2ByPi = 0.7978845608028654;
    gauss = e.make<math::TanhOp>(
        e.mul(e.add(x, e.mul(cube, 0.044715)), rootOf2ByPi));
  } else {
    constexpr double rootOfHalf = 0.7071067811865476;
    gauss = e.make<math::ErfOp>(e.mul(x, rootOfHalf));
  }
  return e.mul(e.mul(x, 0.5), e.add(gauss, 1.0));
}

#define GET_OP_CLASSES
#include "brisk/Dialect/MathOps.cpp.inc"
