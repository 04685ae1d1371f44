//===- HoistInputProducts.cpp - Products of all steps at once -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"

namespace brisk {
#define GEN_PASS_DEF_HOISTINPUTPRODUCTS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

template <typename Op> static void hoist(Op op) {
  // Narrower types would round the products, which the layer does not.
  if (!op.getW() || !getConstant(op.getW()) ||
      !cast<ShapedType>(op.getX().getType()).getElementType().isF32())
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  ArrayRef<int64_t> weights = getShape(op.getW());
  int64_t columns = weights[0] * weights[1];
  Value rhs = makeReshape(b, loc, makeTranspose(b, loc, op.getW(), {2, 0, 1}),
                          {weights[2], columns});
  auto type = cast<RankedTensorType>(op.getX().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = columns;
  Value products = MatmulOp::create(b, loc, type.clone(shape), op.getX(), rhs);
  op.getXMutable().assign(products);
  op.getWMutable().clear();
}

namespace {
struct HoistInputProducts
    : brisk::impl::HoistInputProductsBase<HoistInputProducts> {
  using HoistInputProductsBase::HoistInputProductsBase;

  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      if (auto lstm = dyn_cast<LstmOp>(op))
        hoist(lstm);
      else if (auto gru = dyn_cast<GruOp>(op))
        hoist(gru);
      else if (auto rnn = dyn_cast<RnnOp>(op))
        hoist(rnn);
    });
  }
};
} // namespace
