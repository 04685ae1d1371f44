//===- ExpandMath.cpp - Math ops to instructions --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "brisk/Lowering/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_EXPANDMATH
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// `value` in the floats of `type`, in every element.
static Value makeConstant(ImplicitLocOpBuilder &b, Type type, double value) {
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = SplatElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(b, attr);
}

/// The smaller of `value` and a number; a NaN stays one.
static Value makeMin(ImplicitLocOpBuilder &b, Value value, double limit) {
  Value most = makeConstant(b, value.getType(), limit);
  Value above =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, most, value);
  return arith::SelectOp::create(b, above, most, value);
}

/// The larger of `value` and a number; a NaN stays one.
static Value makeMax(ImplicitLocOpBuilder &b, Value value, double limit) {
  Value least = makeConstant(b, value.getType(), limit);
  Value below =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, least, value);
  return arith::SelectOp::create(b, below, least, value);
}

/// The polynomial of `x`, by Horner's rule; the constant term comes first.
static Value makePolynomial(ImplicitLocOpBuilder &b, Value x,
                            ArrayRef<double> coefficients) {
  Value sum = makeConstant(b, x.getType(), coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = math::FmaOp::create(b, sum, x,
                              makeConstant(b, x.getType(), coefficient));
  return sum;
}

namespace {
/// Without an instruction for it, a fused multiply-add would be a call.
struct SplitFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};

/// Without an instruction for it, rounding would be a call. Floats of at least
/// 2^(mantissa bits) are integral; all others fit an integer of their width.
template <typename OpT> struct ExpandRounding : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getOperand();
    Type type = x.getType();
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    auto constant = [&](double value) { return makeConstant(b, type, value); };
    double limit = std::ldexp(1.0, element.getFPMantissaWidth() - 1);
    Value magnitude = math::AbsFOp::create(b, x);
    Value result;
    if constexpr (std::is_same_v<OpT, math::RoundEvenOp>) {
      // The sum has no bits for a fraction: the addition rounds.
      Value sum = arith::AddFOp::create(b, magnitude, constant(limit));
      result = arith::SubFOp::create(b, sum, constant(limit));
    } else {
      Type integer = b.getIntegerType(element.getWidth());
      if (auto shaped = dyn_cast<ShapedType>(type))
        integer = shaped.clone(integer);
      result = arith::SIToFPOp::create(b, type,
                                       arith::FPToSIOp::create(b, integer, x));
      auto shift = [&](arith::CmpFPredicate beyond, double step) {
        Value is = arith::CmpFOp::create(b, beyond, result, x);
        Value moved = arith::AddFOp::create(b, result, constant(step));
        result = arith::SelectOp::create(b, is, moved, result);
      };
      if constexpr (std::is_same_v<OpT, math::FloorOp>)
        shift(arith::CmpFPredicate::OGT, -1);
      else if constexpr (std::is_same_v<OpT, math::CeilOp>)
        shift(arith::CmpFPredicate::OLT, 1);
    }
    // Zeros keep their sign, and what is integral or no number stays.
    result = math::CopySignOp::create(b, result, x);
    Value small = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, magnitude,
                                        constant(limit));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, small, result, x);
    return success();
  }
};

/// Without an instruction for it, the larger or smaller of two is a comparison;
/// a NaN among them stays one. (Zeros' signs do not count.)
template <typename OpT> struct ExpandMinMax : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr auto beats = std::is_same_v<OpT, arith::MaximumFOp>
                               ? arith::CmpFPredicate::OGE
                               : arith::CmpFPredicate::OLE;
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Value wins = arith::CmpFOp::create(b, beats, rhs, lhs);
    Value result = arith::SelectOp::create(b, wins, rhs, lhs);
    FloatAttr::ValueType value(0.0);
    if (!matchPattern(rhs, m_ConstantFloat(&value)) || value.isNaN()) {
      Value isNan =
          arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, rhs, rhs);
      result = arith::SelectOp::create(b, isNan, rhs, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// exp(x) as 2^k p(r), k the integer next to x / log 2 and r the rest (Cody and
/// Waite, Software Manual for the Elementary Functions, 1980), p fitted by
/// weighted least squares: at most 0.9 ulps. Adding 1.5 2^23 + 127 rounds to k
/// and leaves the exponent's bits lowest, so that two thirds of upstream's
/// instructions do. From 88.4 on k stays 127, and p is off by up to 1e-5;
/// results below 2^-126 are 0.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
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
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](double value) { return makeConstant(b, type, value); };
    // Lower, and k would leave the exponent's range.
    Value x = makeMax(b, op.getOperand(), -88);
    Value shifted =
        math::FmaOp::create(b, x, constant(log2OfE), constant(shift));
    shifted = makeMin(b, shifted, shift + 127);
    Value k = arith::SubFOp::create(b, shifted, constant(shift));
    Value rest = math::FmaOp::create(b, k, constant(-logOf2), x);
    rest = math::FmaOp::create(b, k, constant(-logOf2Rest), rest);
    Type integer = b.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type))
      integer = shaped.clone(integer);
    TypedAttr mantissaBits = b.getI32IntegerAttr(23);
    if (auto shaped = dyn_cast<ShapedType>(integer))
      mantissaBits = SplatElementsAttr::get(shaped, mantissaBits);
    Value bits =
        arith::ShLIOp::create(b, arith::BitcastOp::create(b, integer, shifted),
                              arith::ConstantOp::create(b, mantissaBits));
    Value power = arith::BitcastOp::create(b, type, bits);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(
        op, makePolynomial(b, rest, coefficients), power);
    return success();
  }
};

/// sin(x) or cos(x) by the rest r of x divided by pi / 2 and the last two bits
/// of the quotient k: sin(r) or cos(r), either sign. k is rounded, and its bits
/// come, as in ExpandExp; pi / 2 is in three parts, of which the first two have
/// few bits: k times them is exact, up to 2^16 without fused multiply-adds.
/// Off by at most 8e-8 for x up to 1e6 (without them, 1e4). Beyond, where
/// floats are a tenth of a radian apart, only the results' range is sure.
template <typename OpT> struct ExpandSinCos : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    static constexpr double halfPi[] = {0x1.92p0, 0x1.fb4p-12, 0x1.4442d2p-24};
    // Fitted by weighted least squares up to 0.86, as k may be off by a little.
    static constexpr double sine[] = {1, -1.666664525e-01, 8.3316159e-03,
                                      -1.944706e-04};
    static constexpr double cosine[] = {1, -0.5, 4.1666629075e-02,
                                        -1.3886573266e-03, 2.4354953655e-05};
    constexpr double twoByPi = 0.6366197723675814, shift = 0x1.8p23;
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](double value) { return makeConstant(b, type, value); };
    Type integer = b.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type))
      integer = shaped.clone(integer);
    auto number = [&](int32_t value) -> Value {
      TypedAttr attr = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(integer))
        attr = SplatElementsAttr::get(shaped, Attribute(attr));
      return arith::ConstantOp::create(b, attr);
    };
    Value x = op.getOperand();
    Value shifted =
        math::FmaOp::create(b, x, constant(twoByPi), constant(shift));
    Value k = arith::SubFOp::create(b, shifted, constant(shift));
    Value rest = x;
    for (double part : halfPi)
      rest = math::FmaOp::create(b, k, constant(-part), rest);
    rest = makeMax(b, makeMin(b, rest, 1), -1);
    Value square = arith::MulFOp::create(b, rest, rest);
    Value sin = arith::MulFOp::create(b, rest, makePolynomial(b, square, sine));
    Value cos = makePolynomial(b, square, cosine);

    // A quarter of a turn ahead, the sine is the cosine.
    Value quarters = arith::BitcastOp::create(b, integer, shifted);
    if (std::is_same_v<OpT, math::CosOp>)
      quarters = arith::AddIOp::create(b, quarters, number(1));
    Value odd = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, quarters, number(1)), number(0));
    Value sign = arith::ShLIOp::create(
        b, arith::AndIOp::create(b, quarters, number(2)), number(30));
    Value magnitude = arith::SelectOp::create(b, odd, cos, sin);
    Value bits = arith::XOrIOp::create(
        b, arith::BitcastOp::create(b, integer, magnitude), sign);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, bits);
    return success();
  }
};

/// erf(x) as x (0.3 + N(x^2) / D(x^2)), N and D of degree 5, fitted by weighted
/// least squares to a relative error of 2e-8 up to 3.92, from where on erf is 1
/// in f32. The constant is split off so that the quotient, and with it what is
/// rounded in it, counts less the nearer erf is to 1: 3.1 ulps at most. A third
/// of the instructions of upstream's, which has three intervals.
struct ExpandErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
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
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = makeMax(b, makeMin(b, op.getOperand(), last), -last);
    Value square = arith::MulFOp::create(b, x, x);
    Value quotient =
        arith::DivFOp::create(b, makePolynomial(b, square, numerator),
                              makePolynomial(b, square, denominator));
    Value slope = arith::AddFOp::create(b, quotient,
                                        makeConstant(b, op.getType(), offset));
    Value result = arith::MulFOp::create(b, x, slope);
    rewriter.replaceOp(op, makeMax(b, makeMin(b, result, 1), -1));
    return success();
  }
};

/// Upstream's logarithm takes numbers below 2^-126 for that one; here they are
/// made larger before, and the result smaller again.
struct ScaleLog : OpRewritePattern<math::LogOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::LogOp op,
                                PatternRewriter &rewriter) const override {
    constexpr StringRef scaledName = "brisk.scaled";
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32() || op->hasAttr(scaledName))
      return rewriter.notifyMatchFailure(op, "not of f32, or scaled");
    constexpr double factor = 0x1p23, logOfFactor = 15.942385152878742;
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](double value) { return makeConstant(b, type, value); };
    Value x = op.getOperand();
    Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                                          constant(0x1p-126));
    Value large = arith::MulFOp::create(b, x, constant(factor));
    auto log =
        math::LogOp::create(b, arith::SelectOp::create(b, isSmall, large, x));
    log->setAttr(scaledName, b.getUnitAttr());
    Value lower = arith::SubFOp::create(b, log, constant(logOfFactor));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isSmall, lower, log);
    return success();
  }
};

struct ExpandMath : brisk::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Target *machine = findPassTarget(function, target);
    if (!machine)
      return signalPassFailure();
    Isa arch = machine->getIsa();

    // Upstream's quotient ends at 1 only if multiply-adds are fused; here, too
    // (Eigen's bounds).
    if (!arch.fma)
      function.walk([](math::TanhOp op) {
        ImplicitLocOpBuilder b(op.getLoc(), op);
        constexpr double last = 7.90531110763549805;
        Value x = makeMax(b, makeMin(b, op.getOperand(), last), -last);
        op->setOperand(0, x);
      });

    RewritePatternSet patterns(&getContext());
    SmallVector<StringRef> expanded = {"sinh",  "cosh",  "tan",  "asinh",
                                       "acosh", "atanh", "powf", "fpowi",
                                       "exp2",  "rsqrt"};
    if (!arch.rounding)
      patterns.add<ExpandRounding<math::FloorOp>, ExpandRounding<math::CeilOp>,
                   ExpandRounding<math::TruncOp>,
                   ExpandRounding<math::RoundEvenOp>>(&getContext());
    math::populateExpansionPatterns(patterns, expanded);
    patterns.add<ExpandErf, ExpandExp, ExpandSinCos<math::SinOp>,
                 ExpandSinCos<math::CosOp>, ScaleLog>(&getContext(),
                                                      /*benefit=*/2);
    MathPolynomialApproximationOptions options;
    populateMathPolynomialApproximationPatterns(patterns, options);
    if (!arch.floatMinMax)
      patterns.add<ExpandMinMax<arith::MaximumFOp>,
                   ExpandMinMax<arith::MinimumFOp>>(&getContext());
    if (!arch.fma)
      patterns.add<SplitFma>(&getContext());
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return signalPassFailure();

    // What is left must have an instruction.
    WalkResult walk = function.walk([&](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
        return WalkResult::advance();
      Type type = getElementTypeOrSelf(op->getOperand(0).getType());
      bool supported =
          isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::SqrtOp,
              math::CountLeadingZerosOp, math::CountTrailingZerosOp,
              math::CtPopOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(
              op) ||
          (isa<math::FmaOp>(op) && isa<FloatType>(type)) ||
          (isa<math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp>(
               op) &&
           arch.rounding);
      if (supported)
        return WalkResult::advance();
      emitError(op->getLoc(), "no code for ")
          << op->getName() << " on " << type << " on target '"
          << machine->getName() << "'; cast to f32 before it";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
