//===- Trigonometric.cpp - sin, cos and tan -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"

using namespace mlir;
using namespace brisk;

namespace {
/// What the reduction of angles that are not large needs: pi / 2 in three
/// parts, of which, without fused multiply-adds, the first two have so few bits
/// that the quotient times them is exact, up to a limit. Their bits are cut,
/// not rounded, so that all are positive and -0 stays.
struct QuarterTurn {
  QuarterTurn(const MathBuilder &e, Value x) {
    bool isDouble = getElementTypeOrSelf(x).isF64(), fused = e.isFused(x);
    static constexpr double parts32[] = {0x1.92p0, 0x1.fb4p-12, 0x1.4442d2p-24};
    static constexpr double fused32[] = {0x1.921fb4p0, 0x1.4442dp-24,
                                         0x1.846988p-48};
    static constexpr double parts64[] = {0x1.921fb544p0, 0x1.0b4611a6p-34,
                                         0x1.3198a2e037073p-69};
    static constexpr double fused64[] = {
        0x1.921fb54442d18p0, 0x1.1a62633145c06p-54, 0x1.c1cd129024e08p-107};
    if (isDouble) {
      parts = fused ? fused64 : parts64;
      limit = fused ? 1e9 : 1e6;
      shift = 0x1.8p52;
    } else {
      parts = fused ? fused32 : parts32;
      limit = fused ? 1e6 : 1e4;
      shift = 0x1.8p23;
    }
  }
  ArrayRef<double> parts;
  double limit, shift;
};
} // namespace

/// The rest of x divided by pi / 2 and the quotient, rounded, and its bits, as
/// in exp (Cody and Waite); of the rare angles beyond the limit by
/// reduceLargeAngle, apart.
static ReducedAngle reduceAngle(const MathBuilder &e, Value x,
                                StringRef twoByPi) {
  constexpr double quartersByRadian = 0.6366197723675814;
  QuarterTurn turn(e, x);
  Value shifted = e.fma(x, quartersByRadian, e.constant(x, turn.shift));
  Value k = e.add(shifted, -turn.shift);
  Value rest = x;
  for (double part : turn.parts)
    rest = e.fma(k, -part, rest);
  Value quarters = e.toBits(shifted);

  auto isLarge = [&](Value angle) {
    return e.isAbove(e.make<math::AbsFOp>(angle), turn.limit);
  };
  auto reduceLarge = [&](Value angle) -> SmallVector<Value> {
    ReducedAngle large = reduceLargeAngle(e, angle, twoByPi);
    return {large.rest, large.quarters};
  };
  SmallVector<Value> reduced = e.branch(
      e.any(isLarge(x)), {rest, quarters}, [&]() -> SmallVector<Value> {
        if (!isa<VectorType>(x.getType()))
          return reduceLarge(x);
        return e.forLanes(
            x, {rest, quarters}, [&](ValueRange angle, ValueRange small) {
              return e.branch(isLarge(angle[0]), small,
                              [&] { return reduceLarge(angle[0]); });
            });
      });
  return {reduced[0], reduced[1]};
}

/// sin(x) and cos(x) up to a little more than pi / 4.
static std::pair<Value, Value> buildSinCos(const MathBuilder &e, Value x) {
  Value square = e.mul(x, x);
  if (!getElementTypeOrSelf(x).isF64()) {
    // Fitted by weighted least squares up to 0.86, as k may be off by a little.
    static constexpr double sine[] = {1, -1.666664525e-01, 8.3316159e-03,
                                      -1.944706e-04};
    static constexpr double cosine[] = {1, -0.5, 4.1666629075e-02,
                                        -1.3886573266e-03, 2.4354953655e-05};
    return {e.mul(x, e.polynomial(square, sine)), e.polynomial(square, cosine)};
  }
  // FreeBSD's msun, k_sin.c and k_cos.c.
  static constexpr double sine[] = {1,
                                    -1.66666666666666324348e-01,
                                    8.33333333332248946124e-03,
                                    -1.98412698298579493134e-04,
                                    2.75573137070700676789e-06,
                                    -2.50507602534068634195e-08,
                                    1.58969099521155010221e-10};
  static constexpr double cosine[] = {
      4.16666666666666019037e-02, -1.38888888888741095749e-03,
      2.48015872894767294178e-05, -2.75573143513906633035e-07,
      2.08757232129817482790e-09, -1.13596475577881948265e-11};
  Value sin = e.mul(x, e.polynomial(square, sine));
  // What rounding takes from 1 - x^2 / 2 goes to the small terms.
  Value half = e.mul(square, 0.5), first = e.sub(1.0, half);
  Value lost = e.sub(e.sub(1.0, first), half);
  Value cos = e.add(
      first, e.fma(e.mul(square, square), e.polynomial(square, cosine), lost));
  return {sin, cos};
}

namespace {
/// A function of an angle, by its rest and the last two bits of the quarters.
template <typename OpT> struct ExpandAngle : OpRewritePattern<OpT> {
  ExpandAngle(MLIRContext *context, const Isa &isa, StringRef twoByPi)
      : OpRewritePattern<OpT>(context, /*benefit=*/2), isa(isa),
        twoByPi(twoByPi) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "neither of f32 nor of f64");
    MathBuilder e(rewriter, op.getLoc(), isa);
    auto [rest, quarters] = reduceAngle(e, op.getOperand(), twoByPi);
    auto [sin, cos] = buildSinCos(e, rest);
    // A quarter of a turn ahead, the sine is the cosine.
    if (std::is_same_v<OpT, math::CosOp>)
      quarters = e.addBits(quarters, 1);
    Value odd = e.compare(arith::CmpIPredicate::ne, e.andBits(quarters, 1),
                          e.integer(quarters, 0));
    Value result, sign;
    unsigned last = element.getIntOrFloatBitWidth() - 1;
    if constexpr (std::is_same_v<OpT, math::TanOp>) {
      result = e.div(e.select(odd, cos, sin), e.select(odd, sin, cos));
      sign = e.shiftLeft(quarters, last);
    } else {
      result = e.select(odd, cos, sin);
      sign = e.shiftLeft(e.andBits(quarters, 2), last - 1);
    }
    rewriter.replaceOp(
        op, e.toFloat(e.make<arith::XOrIOp>(e.toBits(result), sign)));
    return success();
  }

  const Isa &isa;
  StringRef twoByPi;
};
} // namespace

void brisk::populateTrigonometricExpansions(RewritePatternSet &patterns,
                                            const Isa &isa, StringRef twoByPi) {
  patterns.add<ExpandAngle<math::SinOp>, ExpandAngle<math::CosOp>,
               ExpandAngle<math::TanOp>>(patterns.getContext(), isa, twoByPi);
}
