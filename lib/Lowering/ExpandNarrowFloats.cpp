//===- ExpandNarrowFloats.cpp - f16 and bf16 by way of f32 ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {
#define GEN_PASS_DEF_EXPANDNARROWFLOATS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// `type` with elements of type `element`.
static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

namespace {
/// Arithmetic on the bits of floats, scalars and vectors alike.
struct BitBuilder : ImplicitLocOpBuilder {
  BitBuilder(Operation *op, PatternRewriter &rewriter)
      : ImplicitLocOpBuilder(op->getLoc(), rewriter) {}

  Value constant(Value like, uint32_t value) {
    TypedAttr attr = getI32IntegerAttr(static_cast<int32_t>(value));
    if (auto shaped = dyn_cast<ShapedType>(like.getType()))
      attr = SplatElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(*this, attr);
  }
  template <typename OpT> Value make(Value lhs, uint32_t rhs) {
    return OpT::create(*this, lhs, constant(lhs, rhs));
  }
  template <typename OpT> Value convert(Value value, Type element) {
    return OpT::create(*this, withElement(value.getType(), element), value);
  }
  Value toBits(Value value) {
    return convert<arith::BitcastOp>(value, getI32Type());
  }
  Value toFloat(Value bits) {
    return convert<arith::BitcastOp>(bits, getF32Type());
  }
  Value isBelow(Value lhs, uint32_t rhs) {
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, lhs,
                                 constant(lhs, rhs));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(*this, condition, x, y);
  }
};

/// What computes on f16 or bf16 computes on f32 and rounds the result: few
/// machines have instructions for them, and results are to be the same on all.
/// Sums, products, quotients and square roots are as if rounded once, since f32
/// has more than twice the bits.
struct ComputeInF32 : RewritePattern {
  explicit ComputeInF32(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool computes =
        isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<vector::ContractionOp, vector::FMAOp, vector::MultiDimReductionOp,
            vector::OuterProductOp, vector::ReductionOp, vector::ScanOp>(op);
    if (!computes || isa<arith::BitcastOp, arith::ConstantOp, arith::ExtFOp,
                         arith::SelectOp, arith::TruncFOp>(op))
      return rewriter.notifyMatchFailure(op, "does not compute on floats");
    if (llvm::none_of(op->getOperandTypes(), isNarrow) &&
        llvm::none_of(op->getResultTypes(), isNarrow))
      return rewriter.notifyMatchFailure(op, "has no narrow floats");
    Location loc = op->getLoc();
    auto widen = [&](Type type) {
      return isNarrow(type) ? withElement(type, rewriter.getF32Type()) : type;
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isNarrow(operand.getType())
                             ? arith::ExtFOp::create(rewriter, loc,
                                                     widen(operand.getType()),
                                                     operand)
                             : operand);
    SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), widen);
    Operation *wide = rewriter.create(loc, op->getName().getIdentifier(),
                                      operands, types, op->getAttrs());
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip_equal(wide->getResults(), op->getResultTypes()))
      results.push_back(
          isNarrow(type) ? arith::TruncFOp::create(rewriter, loc, type, result)
                         : Value(result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// f16 and bf16 to f64 by way of f32.
struct ExtendInSteps : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not from a narrow float to f64");
    Value single = arith::ExtFOp::create(
        rewriter, op.getLoc(), withElement(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), single);
    return success();
  }
};

/// Rounds f64 to f16 or bf16 by way of f32, and yet only once: f32 is rounded
/// to odd (Boldo and Melquiond, 2008), so that it tells on which side of a tie
/// the number lies.
struct RoundDoubleOnce : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!isNarrow(op.getType()) || !getElementTypeOrSelf(x).isF64())
      return rewriter.notifyMatchFailure(op, "not from f64 to a narrow float");
    BitBuilder b(op, rewriter);
    Value nearest = b.convert<arith::TruncFOp>(x, b.getF32Type());
    Value back = b.convert<arith::ExtFOp>(nearest, b.getF64Type());
    // A NaN differs from nothing.
    Value differs =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, x);
    Value isBeyond = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                           math::AbsFOp::create(b, back),
                                           math::AbsFOp::create(b, x));
    Value bits = b.toBits(nearest);
    Value towardZero = b.select(isBeyond, b.make<arith::SubIOp>(bits, 1), bits);
    Value odd = b.select(differs, b.make<arith::OrIOp>(towardZero, 1), bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 b.toFloat(odd));
    return success();
  }
};

/// f32 to f16 in integers; ties go to the even neighbour.
struct ExpandTruncF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF16() ||
        !getElementTypeOrSelf(op.getIn()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f32 to f16");
    constexpr uint32_t infinity = 0x7f800000, overflow = 0x47800000, // 2^16
        normal = 0x38800000,                                         // 2^-14
        half = 0x3f000000;                                           // 0.5
    BitBuilder b(op, rewriter);
    Value bits = b.toBits(op.getIn());
    Value magnitude = b.make<arith::AndIOp>(bits, 0x7fffffff);
    Value sign =
        b.make<arith::ShRUIOp>(b.make<arith::AndIOp>(bits, 0x80000000), 16);
    // The exponent is biased anew; half a unit less one, and one more for an
    // odd result, carry into it.
    Value isOdd =
        b.make<arith::AndIOp>(b.make<arith::ShRUIOp>(magnitude, 13), 1);
    Value sum = arith::AddIOp::create(
        b, b.make<arith::SubIOp>(magnitude, (112u << 23) - 0xfff), isOdd);
    Value result = b.make<arith::ShRUIOp>(sum, 13);
    // Below that, the last bit of a sum with 0.5 counts 2^-24, as in f16.
    Value subnormal = b.make<arith::SubIOp>(
        b.toBits(arith::AddFOp::create(b, b.toFloat(magnitude),
                                       b.toFloat(b.constant(bits, half)))),
        half);
    result = b.select(b.isBelow(magnitude, normal), subnormal, result);
    Value special =
        b.select(b.isBelow(magnitude, infinity + 1), b.constant(bits, 0x7c00),
                 b.constant(bits, 0x7e00));
    result = b.select(b.isBelow(magnitude, overflow), result, special);
    result = arith::OrIOp::create(b, result, sign);
    Value narrow = b.convert<arith::TruncIOp>(result, b.getI16Type());
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
    return success();
  }
};

/// f16 to f32 in integers.
struct ExpandExtF16 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF16() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f16 to f32");
    constexpr uint32_t exponent = 0x7c00u << 13, normal = 0x38800000; // 2^-14
    BitBuilder b(op, rewriter);
    Value half = b.convert<arith::ExtUIOp>(
        b.convert<arith::BitcastOp>(op.getIn(), b.getI16Type()),
        b.getI32Type());
    Value magnitude =
        b.make<arith::ShLIOp>(b.make<arith::AndIOp>(half, 0x7fff), 13);
    Value sign = b.make<arith::ShLIOp>(b.make<arith::AndIOp>(half, 0x8000), 16);
    Value biased = b.make<arith::AddIOp>(magnitude, 112u << 23);
    // Infinities and NaNs have all bits of the exponent in either format.
    Value special = b.make<arith::AddIOp>(biased, 112u << 23);
    // A subnormal is a fraction of 2^-14 without the leading one.
    Value subnormal = b.toBits(arith::SubFOp::create(
        b, b.toFloat(b.make<arith::OrIOp>(magnitude, normal)),
        b.toFloat(b.constant(magnitude, normal))));
    Value result = b.select(b.isBelow(magnitude, exponent), biased, special);
    result = b.select(b.isBelow(magnitude, 1u << 23), subnormal, result);
    rewriter.replaceOp(op, b.toFloat(arith::OrIOp::create(b, result, sign)));
    return success();
  }
};

struct ExpandNarrowFloats
    : brisk::impl::ExpandNarrowFloatsBase<ExpandNarrowFloats> {
  using ExpandNarrowFloatsBase::ExpandNarrowFloatsBase;
  void runOnOperation() override {
    const Target *target = getTarget(getOperation());
    if (!target)
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeInF32, ExtendInSteps, RoundDoubleOnce>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (!target->isa.has(Isa::Operation::Conversion,
                         Float16Type::get(&getContext())))
      patterns.add<ExpandTruncF16, ExpandExtF16>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
