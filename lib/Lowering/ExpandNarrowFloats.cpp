//===- ExpandNarrowFloats.cpp - f16 and bf16 by way of f32 ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

namespace {
/// Arithmetic on the bits of floats.
struct BitBuilder : ElementBuilder {
  BitBuilder(Operation *op, PatternRewriter &rewriter)
      : ElementBuilder(rewriter, op->getLoc()) {}

  template <typename OpT> Value with(Value lhs, uint32_t rhs) const {
    return make<OpT>(lhs, integer(lhs, rhs));
  }
  template <typename OpT> Value convert(Value value, Type element) const {
    return make<OpT>(withElement(value.getType(), element), value);
  }
  Value toBits(Value value) const {
    return convert<arith::BitcastOp>(value, b.getI32Type());
  }
  Value toFloat(Value bits) const {
    return convert<arith::BitcastOp>(bits, b.getF32Type());
  }
  Value isBelow(Value lhs, uint32_t rhs) const {
    return compare(arith::CmpIPredicate::ult, lhs, integer(lhs, rhs));
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
      return isNarrow(type)
                 ? ElementBuilder::withElement(type, rewriter.getF32Type())
                 : type;
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

} // namespace

/// f16 and bf16 to f64 by way of f32.
static LogicalResult extendInSteps(arith::ExtFOp op,
                                   PatternRewriter &rewriter) {
  if (!isNarrow(op.getIn().getType()) ||
      !getElementTypeOrSelf(op.getType()).isF64())
    return rewriter.notifyMatchFailure(op, "not from a narrow float to f64");
  Value single = arith::ExtFOp::create(
      rewriter, op.getLoc(),
      ElementBuilder::withElement(op.getType(), rewriter.getF32Type()),
      op.getIn());
  rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), single);
  return success();
}

/// Rounds f64 to f16 or bf16 by way of f32, and yet only once: f32 is rounded
/// to odd (Boldo and Melquiond, 2008), so that it tells on which side of a tie
/// the number lies.
static LogicalResult roundDoubleOnce(arith::TruncFOp op,
                                     PatternRewriter &rewriter) {
  Value x = op.getIn();
  if (!isNarrow(op.getType()) || !getElementTypeOrSelf(x).isF64())
    return rewriter.notifyMatchFailure(op, "not from f64 to a narrow float");
  BitBuilder e(op, rewriter);
  Value nearest = e.convert<arith::TruncFOp>(x, e.b.getF32Type());
  Value back = e.convert<arith::ExtFOp>(nearest, e.b.getF64Type());
  // A NaN differs from nothing.
  Value differs = e.compare(arith::CmpFPredicate::ONE, back, x);
  Value isBeyond =
      e.compare(arith::CmpFPredicate::OGT, e.make<math::AbsFOp>(back),
                e.make<math::AbsFOp>(x));
  Value bits = e.toBits(nearest);
  Value towardZero = e.select(isBeyond, e.with<arith::SubIOp>(bits, 1), bits);
  Value odd = e.select(differs, e.with<arith::OrIOp>(towardZero, 1), bits);
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                               e.toFloat(odd));
  return success();
}

/// f32 to f16 in integers; ties go to the even neighbour.
static LogicalResult expandTruncF16(arith::TruncFOp op,
                                    PatternRewriter &rewriter) {
  if (!getElementTypeOrSelf(op.getType()).isF16() ||
      !getElementTypeOrSelf(op.getIn()).isF32())
    return rewriter.notifyMatchFailure(op, "not from f32 to f16");
  constexpr uint32_t infinity = 0x7f800000, overflow = 0x47800000, // 2^16
      normal = 0x38800000,                                         // 2^-14
      half = 0x3f000000;                                           // 0.5
  BitBuilder e(op, rewriter);
  Value bits = e.toBits(op.getIn());
  Value magnitude = e.with<arith::AndIOp>(bits, 0x7fffffff);
  Value sign =
      e.with<arith::ShRUIOp>(e.with<arith::AndIOp>(bits, 0x80000000), 16);
  // The exponent is biased anew; half a unit less one, and one more for an
  // odd result, carry into it.
  Value isOdd = e.with<arith::AndIOp>(e.with<arith::ShRUIOp>(magnitude, 13), 1);
  Value sum = e.make<arith::AddIOp>(
      e.with<arith::SubIOp>(magnitude, (112u << 23) - 0xfff), isOdd);
  Value result = e.with<arith::ShRUIOp>(sum, 13);
  // Below that, the last bit of a sum with 0.5 counts 2^-24, as in f16.
  Value subnormal = e.with<arith::SubIOp>(
      e.toBits(e.make<arith::AddFOp>(e.toFloat(magnitude),
                                     e.toFloat(e.integer(bits, half)))),
      half);
  result = e.select(e.isBelow(magnitude, normal), subnormal, result);
  Value special = e.select(e.isBelow(magnitude, infinity + 1),
                           e.integer(bits, 0x7c00), e.integer(bits, 0x7e00));
  result = e.select(e.isBelow(magnitude, overflow), result, special);
  result = e.make<arith::OrIOp>(result, sign);
  Value narrow = e.convert<arith::TruncIOp>(result, e.b.getI16Type());
  rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
  return success();
}

/// f16 to f32 in integers.
static LogicalResult expandExtF16(arith::ExtFOp op, PatternRewriter &rewriter) {
  if (!getElementTypeOrSelf(op.getIn()).isF16() ||
      !getElementTypeOrSelf(op.getType()).isF32())
    return rewriter.notifyMatchFailure(op, "not from f16 to f32");
  constexpr uint32_t exponent = 0x7c00u << 13, normal = 0x38800000; // 2^-14
  BitBuilder e(op, rewriter);
  Value half = e.convert<arith::ExtUIOp>(
      e.convert<arith::BitcastOp>(op.getIn(), e.b.getI16Type()),
      e.b.getI32Type());
  Value magnitude =
      e.with<arith::ShLIOp>(e.with<arith::AndIOp>(half, 0x7fff), 13);
  Value sign = e.with<arith::ShLIOp>(e.with<arith::AndIOp>(half, 0x8000), 16);
  Value biased = e.with<arith::AddIOp>(magnitude, 112u << 23);
  // Infinities and NaNs have all bits of the exponent in either format.
  Value special = e.with<arith::AddIOp>(biased, 112u << 23);
  // A subnormal is a fraction of 2^-14 without the leading one.
  Value subnormal = e.toBits(
      e.make<arith::SubFOp>(e.toFloat(e.with<arith::OrIOp>(magnitude, normal)),
                            e.toFloat(e.integer(magnitude, normal))));
  Value result = e.select(e.isBelow(magnitude, exponent), biased, special);
  result = e.select(e.isBelow(magnitude, 1u << 23), subnormal, result);
  rewriter.replaceOp(op, e.toFloat(e.make<arith::OrIOp>(result, sign)));
  return success();
}

namespace {
struct ExpandNarrowFloats
    : brisk::impl::ExpandNarrowFloatsBase<ExpandNarrowFloats> {
  void runOnOperation() override {
    const Target *target = getTarget(getOperation());
    if (!target)
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeInF32>(&getContext());
    patterns.add(extendInSteps).add(roundDoubleOnce);
    arith::populateExpandBFloat16Patterns(patterns);
    if (!target->isa.has(Isa::Operation::Conversion,
                         Float16Type::get(&getContext())))
      patterns.add(expandTruncF16).add(expandExtF16);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
