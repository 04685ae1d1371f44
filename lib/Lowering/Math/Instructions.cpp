//===- Instructions.cpp - What is no instruction everywhere ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;

namespace {
/// Without an instruction for it, a fused multiply-add would be a call.
struct SplitFma : OpRewritePattern<math::FmaOp> {
  SplitFma(MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context), isa(isa) {}

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (isa.isFused(op.getType()))
      return rewriter.notifyMatchFailure(op, "is an instruction");
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }

  const Isa &isa;
};

} // namespace

/// Without an instruction for it, rounding would be a call. Floats of at least
/// 2^(mantissa bits) are integral; all others fit an integer of their width.
template <typename OpT>
static LogicalResult expandRounding(OpT op, PatternRewriter &rewriter) {
  ElementBuilder e(rewriter, op.getLoc());
  Value x = op.getOperand();
  Type type = x.getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  auto constant = [&](double value) { return e.constant(x, value); };
  double limit = std::ldexp(1.0, element.getFPMantissaWidth() - 1);
  Value magnitude = e.make<math::AbsFOp>(x);
  Value result;
  if constexpr (std::is_same_v<OpT, math::RoundEvenOp>) {
    // The sum has no bits for a fraction: the addition rounds.
    result = e.sub(e.add(magnitude, limit), constant(limit));
  } else {
    Type integer = ElementBuilder::withElement(
        type, rewriter.getIntegerType(element.getWidth()));
    result = e.make<arith::SIToFPOp>(type, e.make<arith::FPToSIOp>(integer, x));
    auto shift = [&](arith::CmpFPredicate beyond, double step) {
      Value moved = e.add(result, step);
      result = e.select(e.compare(beyond, result, x), moved, result);
    };
    if constexpr (std::is_same_v<OpT, math::FloorOp>)
      shift(arith::CmpFPredicate::OGT, -1);
    else if constexpr (std::is_same_v<OpT, math::CeilOp>)
      shift(arith::CmpFPredicate::OLT, 1);
  }
  // Zeros keep their sign, and what is integral or no number stays.
  result = e.make<math::CopySignOp>(result, x);
  Value small =
      e.compare(arith::CmpFPredicate::OLT, magnitude, constant(limit));
  rewriter.replaceOp(op, e.select(small, result, x));
  return success();
}

/// Without an instruction for it, the larger or smaller of two is a comparison;
/// a NaN among them stays one. (Zeros' signs do not count.)
template <typename OpT>
static LogicalResult expandMinMax(OpT op, PatternRewriter &rewriter) {
  constexpr auto beats = std::is_same_v<OpT, arith::MaximumFOp>
                             ? arith::CmpFPredicate::OGE
                             : arith::CmpFPredicate::OLE;
  ElementBuilder e(rewriter, op.getLoc());
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value result = e.select(e.compare(beats, rhs, lhs), rhs, lhs);
  FloatAttr::ValueType value(0.0);
  if (!matchPattern(rhs, m_ConstantFloat(&value)) || value.isNaN())
    result =
        e.select(e.compare(arith::CmpFPredicate::UNO, rhs, rhs), rhs, result);
  rewriter.replaceOp(op, result);
  return success();
}

void brisk::populateInstructionExpansions(RewritePatternSet &patterns,
                                          const Isa &isa) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SplitFma>(context, isa);
  Type f32 = Float32Type::get(context);
  if (!isa.has(Isa::Operation::Rounding, f32))
    patterns.add(expandRounding<math::FloorOp>)
        .add(expandRounding<math::CeilOp>)
        .add(expandRounding<math::TruncOp>)
        .add(expandRounding<math::RoundEvenOp>);
  if (!isa.has(Isa::Operation::Extremes, f32))
    patterns.add(expandMinMax<arith::MaximumFOp>)
        .add(expandMinMax<arith::MinimumFOp>);
}
