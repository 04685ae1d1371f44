//===- ExpandMath.cpp - Math ops to instructions --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "brisk/Lowering/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
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
    auto constant = [&](double value) -> Value {
      Attribute attr = b.getFloatAttr(element, value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = SplatElementsAttr::get(shaped, attr);
      return arith::ConstantOp::create(b, cast<TypedAttr>(attr));
    };
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

struct ExpandMath : brisk::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Target *machine = findPassTarget(function, target);
    if (!machine)
      return signalPassFailure();
    Isa arch = machine->getIsa();

    RewritePatternSet patterns(&getContext());
    SmallVector<StringRef> expanded = {"sinh",  "cosh",  "tan",  "asinh",
                                       "acosh", "atanh", "powf", "fpowi",
                                       "exp2",  "rsqrt"};
    if (!arch.rounding)
      patterns.add<ExpandRounding<math::FloorOp>, ExpandRounding<math::CeilOp>,
                   ExpandRounding<math::TruncOp>,
                   ExpandRounding<math::RoundEvenOp>>(&getContext());
    math::populateExpansionPatterns(patterns, expanded);
    MathPolynomialApproximationOptions options;
    populateMathPolynomialApproximationPatterns(patterns, options);
    if (!arch.floatMinMax)
      patterns.add<ExpandMinMax<arith::MaximumFOp>,
                   ExpandMinMax<arith::MinimumFOp>>(&getContext());
    if (!arch.fma)
      patterns.add<SplitFma>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
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
