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

//===----------------------------------------------------------------------===//
// Booleans and bits
//===----------------------------------------------------------------------===//

static Value buildNot(OpBuilder &b, Location loc, Value x) {
  ElementBuilder e(b, loc);
  return e.make<arith::XOrIOp>(x, e.integer(x, -1));
}

#define BRISK_BITWISE(OP, FUNCTION)                                            \
  Value OP::buildElement(OpBuilder &b, Location loc, ValueRange operands) {    \
    return FUNCTION::create(b, loc, operands[0], operands[1]);                 \
  }
#define BRISK_NOT(OP)                                                          \
  Value OP::buildElement(OpBuilder &b, Location loc, ValueRange operands) {    \
    return buildNot(b, loc, operands[0]);                                      \
  }

BRISK_BITWISE(LogicalAndOp, arith::AndIOp)
BRISK_BITWISE(LogicalOrOp, arith::OrIOp)
BRISK_BITWISE(LogicalXorOp, arith::XOrIOp)
BRISK_NOT(LogicalNotOp)
BRISK_BITWISE(BitwiseAndOp, arith::AndIOp)
BRISK_BITWISE(BitwiseOrOp, arith::OrIOp)
BRISK_BITWISE(BitwiseXorOp, arith::XOrIOp)
BRISK_NOT(BitwiseNotOp)

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

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

#define BRISK_COMPARE(OP, PREDICATE)                                           \
  Value OP::buildElement(OpBuilder &b, Location loc, ValueRange operands) {    \
    ElementBuilder e(b, loc);                                                  \
    return e.inF32(operands, [&](ValueRange v) {                               \
      return e.compare(operandElement(*this), CmpIPredicate::PREDICATE, v[0],  \
                       v[1]);                                                  \
    });                                                                        \
  }

BRISK_COMPARE(EqualOp, eq)
BRISK_COMPARE(LessOp, slt)
BRISK_COMPARE(LessEqualOp, sle)
BRISK_COMPARE(GreaterOp, sgt)
BRISK_COMPARE(GreaterEqualOp, sge)

Value IsNanOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  ElementBuilder e(b, loc);
  return e.inF32(operands, [&](ValueRange v) {
    return e.compare(CmpFPredicate::UNO, v[0], v[0]);
  });
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

//===----------------------------------------------------------------------===//
// SelectOp and CastOp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  Type x = getX().getType().getElementType(),
       y = getY().getType().getElementType();
  if (x != y)
    return emitOpError("chooses between different element types, ")
           << x << " and " << y;
  return success();
}

Value SelectOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  return arith::SelectOp::create(b, loc, operands[0], operands[1], operands[2]);
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
