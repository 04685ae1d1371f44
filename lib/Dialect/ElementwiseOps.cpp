//===- ElementwiseOps.cpp - Arithmetic ops --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

#define GET_OP_CLASSES
#include "brisk/Dialect/ElementwiseOps.cpp.inc"

// Of the operands: a comparison's result says nothing.
static Type getElement(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0).getType());
}
static bool isFloat(Operation *op) { return isa<FloatType>(getElement(op)); }
static bool isUnsigned(Operation *op) {
  return getElement(op).isUnsignedInteger();
}

Value DivOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  if (!isFloat(*this))
    return buildDivide(e, operands[0], operands[1], isUnsigned(*this));
  return e.inF32(operands, [&](ValueRange v) { return e.div(v[0], v[1]); });
}

Value ModOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0], y = operands[1];
  if (!isFloat(*this)) {
    Value r = buildRemainder(e, x, y, isUnsigned(*this));
    if (getFmod() || isUnsigned(*this))
      return r;
    Value zero = e.integer(r, 0);
    Value differ =
        e.compare(CmpIPredicate::slt, e.make<arith::XOrIOp>(r, y), zero);
    Value floored =
        e.make<arith::AndIOp>(differ, e.compare(CmpIPredicate::ne, r, zero));
    return e.select(floored, e.make<arith::AddIOp>(r, y), r);
  }
  return e.inF32(operands, [&](ValueRange v) {
    Value y = v[1], r = e.make<arith::RemFOp>(v[0], y);
    if (getFmod())
      return r;
    // The sign of the divisor, that of zeros too.
    Value one = e.constant(r, 1.0), zero = e.constant(r, 0.0);
    Value differ = e.compare(CmpFPredicate::OLT,
                             e.mul(e.make<math::CopySignOp>(one, y), r), zero);
    r = e.select(differ, e.add(r, y), r);
    Value isZero = e.compare(CmpFPredicate::OEQ, r, zero);
    return e.select(isZero, e.make<math::CopySignOp>(zero, y), r);
  });
}

Value PowOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  return buildPower(ElementBuilder(b, loc), operands[0], operands[1],
                    getLhs().getType().getElementType(),
                    getRhs().getType().getElementType());
}

Value NegOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0];
  if (isFloat(*this))
    return e.inF32(x,
                   [&](ValueRange v) { return e.make<arith::NegFOp>(v[0]); });
  return e.make<arith::SubIOp>(e.integer(x, 0), x);
}

Value AbsOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0];
  if (isFloat(*this))
    return e.inF32(x, [&](ValueRange v) { return e.make<math::AbsFOp>(v[0]); });
  if (isUnsigned(*this))
    return x;
  return e.make<arith::MaxSIOp>(x, e.make<arith::SubIOp>(e.integer(x, 0), x));
}

Value SignOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  if (isFloat(*this))
    return e.inF32(operands, [&](ValueRange v) {
      Value x = v[0], zero = e.constant(x, 0.0);
      Value below = e.compare(CmpFPredicate::OLT, x, zero);
      Value above = e.compare(CmpFPredicate::OGT, x, zero);
      return e.select(above, e.constant(x, 1.0),
                      e.select(below, e.constant(x, -1.0), e.add(x, 0.0)));
    });
  Value x = operands[0], one = e.integer(x, 1);
  if (isUnsigned(*this))
    return e.make<arith::MinUIOp>(x, one);
  return e.make<arith::MaxSIOp>(e.make<arith::MinSIOp>(x, one),
                                e.integer(x, -1));
}

/// Powers that are a product or two, or a quotient. (A square root is no power:
/// of -0 it is -0 where the power is 0, of -inf NaN where the power is inf.)
LogicalResult PowOp::canonicalize(PowOp op, PatternRewriter &rewriter) {
  Value x = op.getLhs();
  auto type = dyn_cast<RankedTensorType>(op.getType());
  ElementsAttr attr;
  if (!type || x.getType() != type || !type.hasStaticShape() ||
      !matchPattern(op.getRhs(), m_Constant(&attr)) ||
      !(attr = getSplatElement(attr)))
    return rewriter.notifyMatchFailure(op, "power is not one constant");
  double power = getAsDoubles(attr).front();
  Location loc = op.getLoc();
  auto multiply = [&](Value lhs) {
    return MulOp::create(rewriter, loc, type, lhs, x).getResult();
  };
  if (power == 2) {
    rewriter.replaceOp(op, multiply(x));
  } else if (power == 3) {
    rewriter.replaceOp(op, multiply(multiply(x)));
  } else if (isFloat(op) && power == -1) {
    rewriter.replaceOpWithNewOp<ReciprocalOp>(op, type, x);
  } else {
    return rewriter.notifyMatchFailure(op, "no simpler form");
  }
  return success();
}
