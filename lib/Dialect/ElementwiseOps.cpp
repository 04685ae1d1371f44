//===- ElementwiseOps.cpp - Elementwise ops -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementwiseOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/ElementwiseOps.cpp.inc"

OpFoldResult brisk::foldElementwise(Operation *op,
                                    ArrayRef<Attribute> operands) {
  return {};
}

Value AddOp::buildElement(OpBuilder &b, Location loc, ValueRange operands) {
  if (isa<FloatType>(getElementTypeOrSelf(getType())))
    return arith::AddFOp::create(b, loc, operands[0], operands[1]);
  return arith::AddIOp::create(b, loc, operands[0], operands[1]);
}
