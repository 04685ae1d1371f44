//===- Power.cpp - powf ---------------------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relative error of x^y is that of y log2(x) times 100 and more: floats are
// computed in doubles, doubles in two of them.
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;

/// What IEEE 754 has pow be, given |x|^y: its sign, and where it is NaN or 1.
static Value finishPower(const MathBuilder &e, Value x, Value y, Value power) {
  Value size = e.make<math::AbsFOp>(x);
  Value whole = e.make<math::FloorOp>(y), half = e.mul(y, 0.5);
  Value odd = e.make<arith::AndIOp>(
      e.compare(CmpFPredicate::OEQ, whole, y),
      e.compare(CmpFPredicate::ONE, e.make<math::FloorOp>(half), half));
  Value bits = e.toBits(x);
  Value negative =
      e.compare(arith::CmpIPredicate::slt, bits, e.integer(bits, 0));
  power = e.select(e.make<arith::AndIOp>(negative, odd),
                   e.make<arith::NegFOp>(power), power);
  // A root of a negative number, or a NaN.
  Value imaginary = e.make<arith::AndIOp>(
      e.make<arith::AndIOp>(e.isBelow(x, 0), e.isBelow(size, HUGE_VAL)),
      e.compare(CmpFPredicate::UNE, whole, y));
  Value none =
      e.make<arith::OrIOp>(imaginary, e.compare(CmpFPredicate::UNO, x, y));
  power = e.select(none, e.constant(x, NAN), power);
  // One whatever the other operand: x^0, 1^y, and (-1)^inf.
  Value unit = e.make<arith::AndIOp>(
      e.equals(size, 1), e.equals(e.make<math::AbsFOp>(y), HUGE_VAL));
  Value trivial = e.make<arith::OrIOp>(e.equals(x, 1), e.equals(y, 0));
  return e.select(e.make<arith::OrIOp>(unit, trivial), e.constant(x, 1), power);
}

/// x^y of doubles that came from f32 or less, to that precision: beyond f32's
/// range it is merely large, or small.
static Value buildNarrowPower(const MathBuilder &e, Value x, Value y) {
  // The base 2 logarithm of a positive, finite x, to about 1e-12 of it, by
  // atanh's series.
  Value size = e.make<math::AbsFOp>(x);
  auto [exponent, m] = e.splitExponent(size, 0x1.6a09e667f3bcdp-1);
  Value s = e.div(e.add(m, -1.0), e.add(m, 1.0));
  Value series =
      e.polynomial(e.mul(s, s), {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9,
                                 1.0 / 11, 1.0 / 13, 1.0 / 15});
  constexpr double twoByLog2 = 2.8853900817779268; // 2 / ln 2
  Value log = e.fma(e.mul(s, series), twoByLog2, exponent);
  log = e.select(e.equals(size, 0), e.constant(x, -HUGE_VAL), log);
  log = e.select(e.equals(size, HUGE_VAL), size, log);
  // 2^t, to about 1e-11 of it.
  Value t = e.atLeast(e.atMost(e.mul(y, log), 300), -300);
  Value shifted = e.add(t, 0x1.8p52);
  Value z = e.mul(e.sub(t, e.add(shifted, -0x1.8p52)), 0.6931471805599453);
  Value power =
      e.polynomial(z, {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120,
                       1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880});
  Value bits = e.addBits(e.toBits(shifted), 1023);
  power = e.mul(power, e.toFloat(e.shiftLeft(bits, 52)));
  return finishPower(e, x, y, power);
}

/// x^y of doubles by FreeBSD's msun (e_pow.c): the logarithm in a high part of
/// 21 bits and a low part, to less than 0.7 ulps.
static Value buildPower64(const MathBuilder &e, Value x, Value y) {
  static constexpr double logarithm[] = {
      5.99999999999994648725e-01, 4.28571428578550184252e-01,
      3.33333329818377432918e-01, 2.72728123808534006489e-01,
      2.30660745775561754067e-01, 2.06975017800338417784e-01};
  static constexpr double exponential[] = {
      1.66666666666666019037e-01, -2.77777777770155933842e-03,
      6.61375632143793436117e-05, -1.65339022054652515390e-06,
      4.13813679705723846039e-08};
  // log2(3/2), 2 / (3 ln 2) and ln 2, in two parts each.
  constexpr double logHigh = 5.84962487220764160156e-01,
                   logLow = 1.35003920212974897128e-08,
                   factor = 9.61796693925975554329e-01,
                   factorHigh = 9.61796700954437255859e-01,
                   factorLow = -7.02846165095275826516e-09,
                   ln2 = 6.93147180559945286227e-01,
                   ln2High = 6.93147182464599609375e-01,
                   ln2Low = -1.90465429995776804525e-09;
  auto head = [&](Value value) {
    return e.toFloat(e.andBits(e.toBits(value), ~int64_t(0xffffffff)));
  };
  Value size = e.make<math::AbsFOp>(x);
  Value isSmall = e.isBelow(size, 0x1p-1022);
  // sqrt(3) / 2 to sqrt(3), as 1 or 3/2 and the rest.
  auto [n, m] = e.splitExponent(e.select(isSmall, e.mul(size, 0x1p54), size),
                                0x1.bb67ae8584caap-1);
  n = e.select(isSmall, e.add(n, -54.0), n);
  Value upper = e.isAbove(m, 1.2247448713915890);
  auto choose = [&](double above, double below) {
    return e.select(upper, e.constant(x, above), e.constant(x, below));
  };
  Value base = choose(1.5, 1), u = e.sub(m, base), sum = e.add(m, base);
  Value v = e.div(e.constant(x, 1), sum), s = e.mul(u, v);
  Value sHigh = head(s), tHigh = head(sum);
  Value tLow = e.sub(m, e.sub(tHigh, base));
  Value sLow =
      e.mul(v, e.sub(e.sub(u, e.mul(sHigh, tHigh)), e.mul(sHigh, tLow)));
  Value s2 = e.mul(s, s);
  Value r = e.add(e.mul(e.mul(s2, s2), e.polynomial(s2, logarithm)),
                  e.mul(sLow, e.add(sHigh, s)));
  s2 = e.mul(sHigh, sHigh);
  tHigh = head(e.add(e.add(s2, 3.0), r));
  tLow = e.sub(r, e.sub(e.add(tHigh, -3.0), s2));
  u = e.mul(sHigh, tHigh);
  v = e.add(e.mul(sLow, tHigh), e.mul(tLow, s));
  Value pHigh = head(e.add(u, v)), pLow = e.sub(v, e.sub(pHigh, u));
  Value zHigh = e.mul(pHigh, factorHigh);
  Value zLow = e.add(e.add(e.mul(pHigh, factorLow), e.mul(pLow, factor)),
                     choose(logLow, 0));
  Value offset = choose(logHigh, 0);
  Value high = head(e.add(e.add(e.add(zHigh, zLow), offset), n));
  Value low = e.sub(zLow, e.sub(e.sub(e.sub(high, n), offset), zHigh));

  // y times that; of what has no logarithm, and of infinite y, the size alone.
  Value yHigh = head(y);
  pLow = e.add(e.mul(e.sub(y, yHigh), high), e.mul(y, low));
  pHigh = e.mul(yHigh, high);
  Value z = e.add(pHigh, pLow);
  Value endless = e.make<arith::OrIOp>(
      e.make<arith::OrIOp>(e.equals(size, 0), e.equals(size, HUGE_VAL)),
      e.equals(e.make<math::AbsFOp>(y), HUGE_VAL));
  Value direction = e.select(e.isAbove(size, 1), e.constant(x, HUGE_VAL),
                             e.constant(x, -HUGE_VAL));
  z = e.select(endless, e.mul(y, direction), z);
  Value bounded = e.atLeast(e.atMost(z, 1100), -1200);
  Value inside = e.compare(CmpFPredicate::OEQ, bounded, z);
  pHigh = e.select(inside, pHigh, bounded);
  pLow = e.select(inside, pLow, e.constant(x, 0));

  Value shifted = e.add(bounded, 0x1.8p52);
  pHigh = e.sub(pHigh, e.add(shifted, -0x1.8p52));
  Value t = head(e.add(pLow, pHigh));
  u = e.mul(t, ln2High);
  v = e.add(e.mul(e.sub(pLow, e.sub(t, pHigh)), ln2), e.mul(t, ln2Low));
  z = e.add(u, v);
  Value w = e.sub(v, e.sub(z, u)), square = e.mul(z, z);
  Value c = e.sub(z, e.mul(square, e.polynomial(square, exponential)));
  r = e.sub(e.div(e.mul(z, c), e.add(c, -2.0)), e.add(w, e.mul(z, w)));
  Value power = e.scale(e.sub(1.0, e.sub(r, z)), shifted);
  return finishPower(e, x, y, power);
}

/// Powers that are roots and products; null for others.
static Value buildSimplePower(const MathBuilder &e, Value x, double exponent) {
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return e.mul(x, x);
  if (exponent == 3)
    return e.mul(e.mul(x, x), x);
  if (exponent == -1)
    return e.div(e.constant(x, 1), x);
  if (exponent != 0.5 && exponent != 0.75)
    return {};
  // The root of -0 is -0, and of -inf NaN.
  Value root = e.make<math::SqrtOp>(e.add(x, 0.0));
  if (exponent == 0.75)
    root = e.mul(root, e.make<math::SqrtOp>(root));
  return e.select(e.equals(x, -HUGE_VAL), e.constant(x, HUGE_VAL), root);
}

namespace {
struct ExpandPower : OpRewritePattern<math::PowFOp> {
  ExpandPower(MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context, /*benefit=*/2), isa(isa) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    MathBuilder e(rewriter, op.getLoc(), isa);
    Value x = op.getLhs(), y = op.getRhs();
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "neither of f32 nor of f64");
    FloatAttr::ValueType exponent(0.0);
    Value simple;
    if (matchPattern(y, m_ConstantFloat(&exponent)))
      simple = buildSimplePower(e, x, exponent.convertToDouble());
    if (simple) {
      rewriter.replaceOp(op, simple);
    } else if (element.isF32()) {
      Type f64 = rewriter.getF64Type();
      rewriter.replaceOp(
          op, e.convertFloat(buildNarrowPower(e, e.convertFloat(x, f64),
                                              e.convertFloat(y, f64)),
                             element));
    } else {
      bool isNarrow = x.getDefiningOp<arith::ExtFOp>() &&
                      llvm::all_of(op->getUsers(), [](Operation *user) {
                        return llvm::isa<arith::TruncFOp>(user);
                      });
      rewriter.replaceOp(op, isNarrow ? buildNarrowPower(e, x, y)
                                      : buildPower64(e, x, y));
    }
    return success();
  }

  const Isa &isa;
};
} // namespace

void brisk::populatePowerExpansions(RewritePatternSet &patterns,
                                    const Isa &isa) {
  patterns.add<ExpandPower>(patterns.getContext(), isa);
}
