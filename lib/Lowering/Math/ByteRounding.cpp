//===- ByteRounding.cpp - Floats to bytes by instructions -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;

namespace {
/// The smaller or larger of a value and a constant, as a comparison.
struct Bound {
  Value x;
  double limit;
};
} // namespace

static std::optional<Bound> matchBound(Value value,
                                       arith::CmpFPredicate predicate) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  FloatAttr::ValueType limit(0.0f);
  if (!compare || compare.getPredicate() != predicate ||
      compare.getLhs() != select.getTrueValue() ||
      compare.getRhs() != select.getFalseValue() ||
      !matchPattern(compare.getRhs(), m_ConstantFloat(&limit)))
    return std::nullopt;
  return Bound{compare.getLhs(), limit.convertToDouble()};
}

/// True for a scalar, and for a vector of one.
static bool isSingle(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || vector.getNumElements() == 1;
}

/// What is tested for NaN before it is bounded; `value` itself if nothing is.
static Value skipNanTest(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  bool isTest = compare &&
                compare.getPredicate() == arith::CmpFPredicate::ORD &&
                compare.getLhs() == compare.getRhs() &&
                compare.getLhs() == select.getTrueValue();
  return isTest ? compare.getLhs() : value;
}

/// The float whose bits `value` is plus `offset`.
static Value matchBits(Value value, int64_t &offset) {
  offset = 0;
  if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
    APInt constant;
    if (!matchPattern(sum.getRhs(), m_ConstantInt(&constant)))
      return {};
    offset = constant.getSExtValue();
    value = sum.getLhs();
  }
  auto bits = value.getDefiningOp<arith::BitcastOp>();
  return bits && getElementTypeOrSelf(bits.getIn().getType()).isF32()
             ? bits.getIn()
             : Value();
}

namespace {
/// What ElementBuilder::roundToInteger builds: bounds, an addition that rounds,
/// and the zero point, all known. The integers are bounded instead, for which
/// there are instructions, too.
struct RoundByInstruction : OpRewritePattern<arith::TruncIOp> {
  RoundByInstruction(MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context), isa(isa) {}

  LogicalResult matchAndRewrite(arith::TruncIOp op,
                                PatternRewriter &rewriter) const override {
    int64_t zeroPoint;
    bool rounds = getElementTypeOrSelf(op.getType()).isInteger(8) &&
                  isSingle(op.getType());
    Value shifted = rounds ? matchBits(op.getIn(), zeroPoint) : Value();
    auto sum =
        shifted ? shifted.getDefiningOp<arith::AddFOp>() : arith::AddFOp();
    FloatAttr::ValueType shift(0.0f);
    if (!sum || !matchPattern(sum.getRhs(), m_ConstantFloat(&shift)) ||
        shift.convertToDouble() != 0x1.8p23)
      return rewriter.notifyMatchFailure(op, "does not round to a byte");
    auto high = matchBound(sum.getLhs(), arith::CmpFPredicate::OLT);
    auto low =
        high ? matchBound(high->x, arith::CmpFPredicate::OGT) : std::nullopt;
    if (!low)
      return rewriter.notifyMatchFailure(op, "has no known bounds");
    auto least = static_cast<int64_t>(low->limit) + zeroPoint,
         most = static_cast<int64_t>(high->limit) + zeroPoint;
    if ((least != 0 && least != -128) || most != least + 255)
      return rewriter.notifyMatchFailure(op, "is not bounded by the type");
    Location loc = op.getLoc();
    Value x = skipNanTest(low->x);
    if (llvm::isa<VectorType>(x.getType()))
      x = vector::ExtractOp::create(rewriter, loc, x, ArrayRef<int64_t>{0});
    Value rounded = round(rewriter, loc, x, zeroPoint, least, most);
    if (llvm::isa<VectorType>(op.getType()))
      rounded =
          vector::BroadcastOp::create(rewriter, loc, op.getType(), rounded);
    rewriter.replaceOp(op, rounded);
    return success();
  }

  /// In any type NaN becomes 0, the zero point included.
  Value round(PatternRewriter &rewriter, Location loc, Value x,
              int64_t zeroPoint, int64_t least, int64_t most) const {
    MathBuilder e(rewriter, loc, isa);
    auto call = [&](StringRef name, Type type, ValueRange operands) {
      return LLVM::CallIntrinsicOp::create(
                 rewriter, loc, type, rewriter.getStringAttr(name), operands)
          .getResult(0);
    };
    Value rounded = e.toBits(call(isa.roundToInteger, x.getType(), x));
    if (zeroPoint) {
      rounded = e.select(e.compare(arith::CmpFPredicate::ORD, x, x), rounded,
                         e.integer(rounded, -zeroPoint));
      rounded = call("llvm.sadd.sat", rounded.getType(),
                     {rounded, e.integer(rounded, zeroPoint)});
    }
    rounded = e.make<arith::MaxSIOp>(rounded, e.integer(rounded, least));
    rounded = e.make<arith::MinSIOp>(rounded, e.integer(rounded, most));
    return e.make<arith::TruncIOp>(rewriter.getI8Type(), rounded);
  }

  const Isa &isa;
};
} // namespace

void brisk::populateByteRounding(RewritePatternSet &patterns, const Isa &isa) {
  if (!isa.roundToInteger.empty())
    patterns.add<RoundByInstruction>(patterns.getContext(), isa);
}
