//===- LogicalOps.cpp - Logic, comparisons, bits and conversions ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

#define GET_OP_CLASSES
#include "brisk/Dialect/LogicalOps.cpp.inc"

static Type operandElement(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0).getType());
}

Value ShiftLeftOp::buildElement(OpBuilder &b, Location loc,
                                ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0], by = operands[1], zero = e.integer(x, 0);
  unsigned width = operandElement(*this).getIntOrFloatBitWidth();
  Value inside = e.compare(CmpIPredicate::ult, by, e.integer(by, width));
  Value shifted = e.make<arith::ShLIOp>(x, e.select(inside, by, zero));
  return e.select(inside, shifted, zero);
}

Value ShiftRightOp::buildElement(OpBuilder &b, Location loc,
                                 ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0], by = operands[1];
  Type element = operandElement(*this);
  unsigned width = element.getIntOrFloatBitWidth();
  if (!element.isUnsignedInteger())
    return e.make<arith::ShRSIOp>(
        x, e.make<arith::MinUIOp>(by, e.integer(by, width - 1)));
  Value inside = e.compare(CmpIPredicate::ult, by, e.integer(by, width));
  Value zero = e.integer(x, 0);
  Value shifted = e.make<arith::ShRUIOp>(x, e.select(inside, by, zero));
  return e.select(inside, shifted, zero);
}

Value IsInfOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  return e.inF32(operands, [&](ValueRange v) {
    // The infinity looked for; NaN, which equals nothing, for neither.
    Value x = getDetectPositive() && getDetectNegative()
                  ? e.make<math::AbsFOp>(v[0])
                  : v[0];
    double wanted = getDetectPositive()   ? HUGE_VAL
                    : getDetectNegative() ? -HUGE_VAL
                                          : std::nan("");
    return e.compare(CmpFPredicate::OEQ, x, e.constant(x, wanted));
  });
}

Value CastOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  Value x = operands[0];
  Type from = operandElement(*this), to = getTo();
  if (from == to)
    return x;
  if (isa<FloatType>(from)) {
    if (isa<FloatType>(to))
      return e.convertFloat(x, to);
    if (to.isInteger(1))
      return e.inF32(x, [&](ValueRange v) {
        return e.compare(CmpFPredicate::UNE, v[0], e.constant(v[0], 0.0));
      });
    return e.toInteger(x, b.getIntegerType(to.getIntOrFloatBitWidth()),
                       to.isUnsignedInteger());
  }
  if (to.isInteger(1))
    return e.compare(CmpIPredicate::ne, x, e.integer(x, 0));
  return e.convert(x, from, to);
}
