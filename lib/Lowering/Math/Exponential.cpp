//===- Exponential.cpp - Exponentials and logarithms ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

/// exp(x) as 2^k p(r), k the integer next to x / log 2 and r the rest (Cody and
/// Waite, Software Manual for the Elementary Functions, 1980), p fitted by
/// weighted least squares: at most 0.9 ulps. Adding 1.5 2^23 + 127 rounds to k
/// and leaves the exponent's bits lowest, so that two thirds of upstream's
/// instructions do. From 88.4 on k stays 127, and p is off by up to 1e-5;
/// results below 2^-126 are 0.
static Value buildExp32(const MathBuilder &e, ValueRange operands) {
  static constexpr double coefficients[] = {1,
                                            1,
                                            4.999999341e-01,
                                            1.666652011e-01,
                                            4.166839422e-02,
                                            8.368780620e-03,
                                            1.381446720e-03};
  constexpr double log2OfE = 1.4426950408889634, shift = 0x1.8p23 + 127;
  // The log of 2 in two parts, of which the first has few bits: k times it is
  // exact.
  constexpr double logOf2 = 0.693359375, logOf2Rest = -2.12194440e-4;
  // Lower, and k would leave the exponent's range.
  Value x = e.atLeast(operands[0], -88);
  Value shifted = e.fma(x, log2OfE, e.constant(x, shift));
  shifted = e.atMost(shifted, shift + 127);
  Value k = e.sub(shifted, e.constant(x, shift));
  Value rest = e.fma(k, -logOf2, x);
  rest = e.fma(k, -logOf2Rest, rest);
  Value power = e.toFloat(e.shiftLeft(e.toBits(shifted), 23));
  return e.mul(e.polynomial(rest, coefficients), power);
}

namespace {
/// Upstream's logarithm takes numbers below 2^-126 for that one; here they are
/// made larger before, and the result smaller again.
struct ScaleLog : OpRewritePattern<math::LogOp> {
  ScaleLog(MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context, /*benefit=*/2), isa(isa) {}

  LogicalResult matchAndRewrite(math::LogOp op,
                                PatternRewriter &rewriter) const override {
    constexpr StringRef scaledName = "brisk.scaled";
    if (!getElementTypeOrSelf(op.getType()).isF32() || op->hasAttr(scaledName))
      return rewriter.notifyMatchFailure(op, "not of f32, or scaled");
    constexpr double factor = 0x1p23, logOfFactor = 15.942385152878742;
    MathBuilder e(rewriter, op.getLoc(), isa);
    Value x = op.getOperand();
    Value isSmall = e.isBelow(x, 0x1p-126);
    Value log = e.make<math::LogOp>(e.select(isSmall, e.mul(x, factor), x));
    log.getDefiningOp()->setAttr(scaledName, rewriter.getUnitAttr());
    rewriter.replaceOp(op, e.select(isSmall, e.add(log, -logOfFactor), log));
    return success();
  }

  const Isa &isa;
};
} // namespace

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

// The log of 2 in two parts, of which the first has 33 bits.
static constexpr double logOf2 = 6.93147180369123816490e-01,
                        logOf2Rest = 1.90821492927058770002e-10;

/// exp(x) by FreeBSD's msun (e_exp.c): as 2^k exp(r), exp(r) of a quotient, to
/// less than one ulp. 2^k is in two factors, for results below 2^-1022.
static Value buildExp64(const MathBuilder &e, ValueRange operands) {
  static constexpr double coefficients[] = {
      1.66666666666666019037e-01, -2.77777777770155933842e-03,
      6.61375632143793436117e-05, -1.65339022054652515390e-06,
      4.13813679705723846039e-08};
  constexpr double log2OfE = 1.4426950408889634, shift = 0x1.8p52;
  // Beyond, results are 0 and infinity all the same.
  Value x = e.atLeast(e.atMost(operands[0], 710), -746);
  Value shifted = e.fma(x, log2OfE, e.constant(x, shift));
  Value k = e.add(shifted, -shift);
  Value high = e.fma(k, -logOf2, x), low = e.mul(k, logOf2Rest);
  Value rest = e.sub(high, low), square = e.mul(rest, rest);
  Value c = e.sub(rest, e.mul(square, e.polynomial(square, coefficients)));
  Value quotient = e.div(e.mul(rest, c), e.sub(2.0, c));
  Value power = e.sub(1.0, e.sub(e.sub(low, quotient), high));
  return e.scale(power, shifted);
}

/// log(x) by FreeBSD's msun (e_log.c): k log 2 + log(1 + f), x = 2^k (1 + f),
/// to less than one ulp.
static Value buildLog64(const MathBuilder &e, ValueRange operands) {
  static constexpr double coefficients[] = {
      6.666666666666735130e-01, 3.999999999940941908e-01,
      2.857142874366239149e-01, 2.222219843214978396e-01,
      1.818357216161805012e-01, 1.531383769920937332e-01,
      1.479819860511658591e-01};
  Value x = operands[0];
  Value isSmall = e.isBelow(x, 0x1p-1022);
  Value scaled = e.select(isSmall, e.mul(x, 0x1p54), x);
  auto [k, m] = e.splitExponent(scaled, 0x1.6a09e667f3bcdp-1);
  k = e.select(isSmall, e.add(k, -54.0), k);
  Value f = e.add(m, -1.0);
  Value s = e.div(f, e.add(f, 2.0)), z = e.mul(s, s);
  Value rest = e.mul(z, e.polynomial(z, coefficients));
  Value half = e.mul(e.mul(f, 0.5), f);
  Value low = e.fma(k, logOf2Rest, e.mul(s, e.add(half, rest)));
  Value log = e.sub(e.mul(k, logOf2), e.sub(e.sub(half, low), f));
  // Of what is neither finite nor positive.
  log = e.select(e.isBelow(x, HUGE_VAL), log, x);
  log = e.select(e.equals(x, 0), e.constant(x, -HUGE_VAL), log);
  return e.select(e.isBelow(x, 0), e.constant(x, NAN), log);
}

/// tanh(x) by Cephes (tanh.c): a quotient of polynomials below 0.625, from
/// there on 1 - 2 / (exp(2x) + 1).
static Value buildTanh64(const MathBuilder &e, ValueRange operands) {
  static constexpr double numerator[] = {-1.61468768441708447952e3,
                                         -9.92877231001918586564e1,
                                         -9.64399179425052238628e-1};
  static constexpr double denominator[] = {4.84406305325125486048e3,
                                           2.23548839060100448583e3,
                                           1.12811678491632931402e2, 1};
  Value x = operands[0], size = e.make<math::AbsFOp>(x);
  Value power = e.make<math::ExpOp>(e.add(size, size));
  Value large = e.sub(1.0, e.div(e.constant(x, 2), e.add(power, 1.0)));
  Value z = e.mul(x, x);
  Value quotient =
      e.div(e.polynomial(z, numerator), e.polynomial(z, denominator));
  Value small = e.fma(e.mul(size, z), quotient, size);
  return e.make<math::CopySignOp>(
      e.select(e.isBelow(size, 0.625), small, large), x);
}

static Value buildLog1p(const MathBuilder &e, ValueRange operands) {
  return e.log1p(operands[0]);
}

void brisk::populateExponentialExpansions(RewritePatternSet &patterns,
                                          const Isa &isa) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ScaleLog>(context, isa);
  patterns.add<ExpandFunction<math::ExpOp>>(context, isa, 32, buildExp32);
  patterns.add<ExpandFunction<math::ExpOp>>(context, isa, 64, buildExp64);
  patterns.add<ExpandFunction<math::LogOp>>(context, isa, 64, buildLog64);
  patterns.add<ExpandFunction<math::TanhOp>>(context, isa, 64, buildTanh64);
  for (unsigned width : {32, 64})
    patterns.add<ExpandFunction<math::Log1pOp>>(context, isa, width,
                                                buildLog1p);
}
