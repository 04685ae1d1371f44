//===- ErrorFunction.cpp - erf --------------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"

using namespace mlir;
using namespace brisk;

/// erf(x) as x (0.3 + N(x^2) / D(x^2)), N and D of degree 5, fitted by weighted
/// least squares to a relative error of 2e-8 up to 3.92, from where on erf is 1
/// in f32. The constant is split off so that the quotient, and with it what is
/// rounded in it, counts less the nearer erf is to 1: 3.1 ulps at most. A third
/// of the instructions of upstream's, which has three intervals.
static Value buildErf32(const MathBuilder &e, ValueRange operands) {
  static constexpr double numerator[] = {8.283791461e-01,  3.978442452e-02,
                                         1.851599813e-02,  -7.251296331e-04,
                                         -6.388022886e-05, -9.377426526e-06};
  static constexpr double denominator[] = {1.0,
                                           5.020770214e-01,
                                           1.141095515e-01,
                                           1.496930794e-02,
                                           1.162546666e-03,
                                           3.809168539e-05};
  constexpr double offset = 0.3, last = 3.92;
  Value x = e.atLeast(e.atMost(operands[0], last), -last);
  Value square = e.mul(x, x);
  Value quotient =
      e.div(e.polynomial(square, numerator), e.polynomial(square, denominator));
  Value result = e.mul(x, e.add(quotient, offset));
  return e.atLeast(e.atMost(result, 1), -1);
}

/// erf(x) by Cephes (ndtr.c): x times a quotient of polynomials below 1, from
/// there on one less exp(-x^2) times another.
static Value buildErf64(const MathBuilder &e, ValueRange operands) {
  static constexpr double nearNumerator[] = {
      5.55923013010394962768e4, 7.00332514112805075473e3,
      2.23200534594684319226e3, 9.00260197203842689217e1,
      9.60497373987051638749e0};
  static constexpr double nearDenominator[] = {
      4.92673942608635921086e4, 2.26290000613890934246e4,
      4.59432382970980127987e3, 5.21357949780152679795e2,
      3.35617141647503099647e1, 1};
  static constexpr double farNumerator[] = {
      5.57535335369399327526e2,  1.02755188689515710272e3,
      9.34528527171957607540e2,  5.26445194995477358631e2,
      1.96520832956077098242e2,  4.86371970985681366614e1,
      7.46321056442269912687e0,  5.64189564831068821977e-1,
      2.46196981473530512524e-10};
  static constexpr double farDenominator[] = {5.57535340817727675546e2,
                                              1.65666309194161350182e3,
                                              2.24633760818710981792e3,
                                              1.82390916687909736289e3,
                                              9.75708501743205489753e2,
                                              3.54937778887819891062e2,
                                              8.67072140885989742329e1,
                                              1.32281951154744992508e1,
                                              1};
  Value x = operands[0];
  // From 6 on, erf is 1.
  Value size = e.atMost(e.make<math::AbsFOp>(x), 6), square = e.mul(size, size);
  Value near = e.mul(size, e.div(e.polynomial(square, nearNumerator),
                                 e.polynomial(square, nearDenominator)));
  Value power = e.make<math::ExpOp>(e.make<arith::NegFOp>(square));
  Value rest = e.mul(power, e.div(e.polynomial(size, farNumerator),
                                  e.polynomial(size, farDenominator)));
  return e.make<math::CopySignOp>(
      e.select(e.isBelow(size, 1), near, e.sub(1.0, rest)), x);
}

void brisk::populateErrorFunctionExpansions(RewritePatternSet &patterns,
                                            const Isa &isa) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandFunction<math::ErfOp>>(context, isa, 32, buildErf32);
  patterns.add<ExpandFunction<math::ErfOp>>(context, isa, 64, buildErf64);
}
