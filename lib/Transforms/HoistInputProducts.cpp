//===- HoistInputProducts.cpp - Products of all steps at once -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"

namespace brisk {
#define GEN_PASS_DEF_HOISTINPUTPRODUCTS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True if `value` is a constant, or one that is dequantized and moved.
static bool isWeights(Value value) {
  while (isa_and_nonnull<DequantizeOp, UnpackBitsOp, ReshapeOp, SliceOp,
                         TransposeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return static_cast<bool>(getConstant(value));
}

static void hoist(RecurrentOpInterface op) {
  OpOperand &x = op.getXMutable();
  MutableOperandRange w = op.getWMutable();
  // Narrower types would round the products, which the layer does not.
  auto type = cast<RankedTensorType>(x.get().getType());
  if (w.empty() || !isWeights(w[0].get()) || !type.getElementType().isF32())
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value weights = w[0].get();
  ArrayRef<int64_t> rows = getShape(weights);
  int64_t columns = rows[0] * rows[1];
  Value rhs = makeReshape(b, loc, makeTranspose(b, loc, weights, {2, 0, 1}),
                          {rows[2], columns});
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = columns;
  x.set(MatmulOp::create(b, loc, type.clone(shape), x.get(), rhs));
  w.clear();
}

namespace {
struct HoistInputProducts
    : brisk::impl::HoistInputProductsBase<HoistInputProducts> {
  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    getOperation().walk(hoist);
  }
};
} // namespace
