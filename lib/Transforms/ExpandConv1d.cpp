//===- ExpandConv1d.cpp - One-dimensional windows as two-dimensional ------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

/// An attribute's list of spatial dimensions with `value` for a new one in
/// front; empty lists are defaults and stay so.
static SmallVector<int64_t> prepend(ArrayRef<int64_t> list, int64_t value) {
  SmallVector<int64_t> result(list);
  if (!list.empty())
    result.insert(result.begin(), value);
  return result;
}

namespace {
template <typename OpT> struct ExpandWindow : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isConv = std::is_same_v<OpT, ConvOp>;
    constexpr bool isTransposed = std::is_same_v<OpT, ConvTransposeOp>;
    if (getShape(op.getInput()).size() != 3)
      return rewriter.notifyMatchFailure(op, "has not one spatial dimension");
    Location loc = op.getLoc();
    auto expand = [&](Value value, size_t at) {
      return makeReshape(rewriter, loc, value, insertOne(getShape(value), at));
    };
    Value input = expand(op.getInput(), 1), filter;
    if constexpr (isConv || isTransposed)
      filter = expand(op.getFilter(), 0);
    auto wide = cast<OpT>(rewriter.clone(*op));
    wide.getInputMutable().assign(input);
    wide.setStrides(prepend(op.getStrides(), 1));
    wide.setDilations(prepend(op.getDilations(), 1));
    SmallVector<int64_t> pads(op.getPads());
    if (!pads.empty())
      pads = {0, pads[0], 0, pads[1]};
    wide.setPads(pads);
    if constexpr (isConv || isTransposed)
      wide.getFilterMutable().assign(filter);
    else
      wide.setKernelShape(prepend(op.getKernelShape(), 1));
    if constexpr (isTransposed) {
      wide.setOutputPadding(prepend(op.getOutputPadding(), 0));
      if (auto shape = op.getOutputShape())
        wide.setOutputShape(prepend(*shape, 1));
    }
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
};

struct ExpandConv1d : brisk::impl::ExpandConv1dBase<ExpandConv1d> {
  using ExpandConv1dBase::ExpandConv1dBase;

  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandWindow<ConvOp>, ExpandWindow<ConvTransposeOp>,
                 ExpandWindow<MaxPoolOp>, ExpandWindow<AveragePoolOp>,
                 ExpandWindow<LpPoolOp>, ExpandWindow<MaxPoolWithIndicesOp>>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
