//===- InverseTrigonometric.cpp - asin, acos and atan ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"

using namespace mlir;
using namespace brisk;

// pi / 2 and what its rounding leaves out.
static constexpr double halfPi = 1.5707963267948966,
                        halfPiRest = 6.123233995736766e-17;

/// What rounding `value` to the floats of `x` leaves out of it; `rest` is what
/// rounding to double leaves out.
static double getRest(Value x, double value, double rest) {
  return getElementTypeOrSelf(x).isF64() ? rest
                                         : value - static_cast<float>(value);
}

namespace {
/// asin(x) = x + x R(x^2) up to 1/2; beyond, by asin of half the chord of the
/// angle that is left of a quarter turn: FreeBSD's msun, e_asin.c.
struct Arc {
  Arc(const MathBuilder &e, Value x) {
    static constexpr double numerator[] = {
        1.66666666666666657415e-01, -3.25565818622400915405e-01,
        2.01212532134862925881e-01, -4.00555345006794114027e-02,
        7.91534994289814532176e-04, 3.47933107596021167570e-05};
    static constexpr double denominator[] = {
        1, -2.40339491173441421878e+00, 2.02094576023350569471e+00,
        -6.88283971605453293030e-01, 7.70381505559019352791e-02};
    size = e.make<math::AbsFOp>(x);
    isNear = e.isBelow(size, 0.5);
    Value half = e.mul(e.sub(1.0, size), 0.5);
    Value z = e.select(isNear, e.mul(x, x), half);
    Value s = e.select(isNear, size, e.make<math::SqrtOp>(half));
    Value ratio = e.div(e.mul(z, e.polynomial(z, numerator)),
                        e.polynomial(z, denominator));
    angle = e.fma(s, ratio, s);
  }
  Value size, isNear, angle;
};
} // namespace

static Value buildAsin(const MathBuilder &e, ValueRange operands) {
  Value x = operands[0];
  Arc arc(e, x);
  Value twice = e.add(arc.angle, arc.angle);
  double rest = getRest(x, halfPi, halfPiRest);
  Value far = e.sub(halfPi, e.add(twice, -rest));
  return e.make<math::CopySignOp>(e.select(arc.isNear, arc.angle, far), x);
}

static Value buildAcos(const MathBuilder &e, ValueRange operands) {
  Value x = operands[0];
  Arc arc(e, x);
  Value signedAngle = e.make<math::CopySignOp>(arc.angle, x);
  double rest = getRest(x, halfPi, halfPiRest);
  Value near = e.sub(halfPi, e.add(signedAngle, -rest));
  Value twice = e.add(arc.angle, arc.angle);
  Value beyond = e.sub(2 * halfPi, e.add(twice, -2 * rest));
  Value far = e.select(e.isBelow(x, 0), beyond, twice);
  return e.select(arc.isNear, near, far);
}

/// atan(x) by FreeBSD's msun (s_atan.c): of five ranges, brought to the first.
static Value buildAtan(const MathBuilder &e, ValueRange operands) {
  static constexpr double coefficients[] = {
      3.33333333333329318027e-01, -1.99999999998764832476e-01,
      1.42857142725034663711e-01, -1.11111104054623557880e-01,
      9.09088713343650656196e-02, -7.69187620504482999495e-02,
      6.66107313738753120669e-02, -5.83357013379057348645e-02,
      4.97687799461593236017e-02, -3.65315727442169155270e-02,
      1.62858201153657823623e-02};
  // The tangents of the angles that are taken off, those angles, and what their
  // rounding leaves out.
  struct Range {
    double from, tangent, angle, angleRest;
  };
  static constexpr Range ranges[] = {
      {0.4375, 0.5, 4.63647609000806093515e-01, 2.26987774529616870924e-17},
      {0.6875, 1, 7.85398163397448278999e-01, 3.06161699786838301793e-17},
      {1.1875, 1.5, 9.82793723247329054082e-01, 1.39033110312309984516e-17}};
  Value x = operands[0], size = e.make<math::AbsFOp>(x);
  auto number = [&](double value) { return e.constant(x, value); };
  Value over = size, under = number(1), start = number(0), startRest = start;
  auto choose = [&](double from, Value newOver, Value newUnder, double angle,
                    double angleRest) {
    Value isBeyond = e.isAbove(size, from);
    over = e.select(isBeyond, newOver, over);
    under = e.select(isBeyond, newUnder, under);
    start = e.select(isBeyond, number(angle), start);
    startRest =
        e.select(isBeyond, number(getRest(x, angle, angleRest)), startRest);
  };
  for (const Range &range : ranges)
    choose(range.from, e.add(size, -range.tangent),
           e.add(e.mul(size, range.tangent), 1.0), range.angle,
           range.angleRest);
  choose(2.4375, number(-1), size, halfPi, halfPiRest);
  Value t = e.div(over, under), z = e.mul(t, t);
  Value curve = e.mul(t, e.mul(z, e.polynomial(z, coefficients)));
  Value angle = e.sub(start, e.sub(e.sub(curve, startRest), t));
  return e.make<math::CopySignOp>(angle, x);
}

void brisk::populateInverseTrigonometricExpansions(RewritePatternSet &patterns,
                                                   const Isa &isa) {
  MLIRContext *context = patterns.getContext();
  for (unsigned width : {32, 64}) {
    patterns.add<ExpandFunction<math::AsinOp>>(context, isa, width, buildAsin);
    patterns.add<ExpandFunction<math::AcosOp>>(context, isa, width, buildAcos);
    patterns.add<ExpandFunction<math::AtanOp>>(context, isa, width, buildAtan);
  }
}
