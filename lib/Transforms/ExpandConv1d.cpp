//===- ExpandConv1d.cpp - One-dimensional windows as two-dimensional ------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Transforms/Passes.h"

namespace brisk {
#define GEN_PASS_DEF_EXPANDCONV1D
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// `shape` with a dimension of 1 in front of dimension `at`.
static SmallVector<int64_t> insertOne(ArrayRef<int64_t> shape, size_t at) {
  SmallVector<int64_t> result(shape);
  result.insert(result.begin() + at, 1);
  return result;
}

static LogicalResult expandWindow(WindowOpInterface op,
                                  PatternRewriter &rewriter) {
  if (getShape(op->getOperand(0)).size() != 3)
    return rewriter.notifyMatchFailure(op, "has not one spatial dimension");
  Location loc = op.getLoc();
  auto expand = [&](unsigned i, size_t at) {
    Value value = op->getOperand(i);
    return makeReshape(rewriter, loc, value, insertOne(getShape(value), at));
  };
  SmallVector<Value> operands(op->getOperands());
  operands[0] = expand(0, 1);
  if (isa<WeightedOpInterface>(*op))
    operands[1] = expand(1, 0);
  auto wide = cast<WindowOpInterface>(rewriter.clone(*op));
  wide.addSpatialDim();
  wide->setOperands(operands);
  SmallVector<Value> results;
  for (auto [result, old] :
       llvm::zip_equal(wide->getResults(), op->getResults())) {
    auto type = cast<RankedTensorType>(old.getType());
    result.setType(type.clone(insertOne(type.getShape(), 1)));
    results.push_back(makeReshape(rewriter, loc, result, type.getShape()));
  }
  rewriter.replaceOp(op, results);
  return success();
}

namespace {
struct ExpandConv1d : brisk::impl::ExpandConv1dBase<ExpandConv1d> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          addOnInterface(patterns, expandWindow);
        })))
      signalPassFailure();
  }
};
} // namespace
