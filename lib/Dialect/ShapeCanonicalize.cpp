//===- ShapeCanonicalize.cpp - Rewrites of ops that move elements ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/ShapeOps.h"
#include "brisk/Dialect/StructuralOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;

static Value makeInts(OpBuilder &b, Location loc, ArrayRef<int64_t> values) {
  auto type = makeTensor(values.size(), b.getI64Type());
  return ConstantOp::create(b, loc, makeElements(type, values));
}

// A reshape to a static type.
static Value makeReshape(OpBuilder &b, Location loc, Value input,
                         RankedTensorType type) {
  bool empty = llvm::is_contained(type.getShape(), 0);
  return ReshapeOp::create(b, loc, type, input,
                           makeInts(b, loc, type.getShape()), empty);
}

static Value makeTranspose(OpBuilder &b, Location loc, Value input,
                           ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(input.getType());
  return TransposeOp::create(
      b, loc, type.clone(applyPermutation(type.getShape(), permutation)), input,
      permutation);
}

namespace {
/// squeeze, unsqueeze and flatten are reshapes once the result is static.
template <typename OpT> struct BecomeReshape : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getResult());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is not static");
    rewriter.replaceOp(op,
                       makeReshape(rewriter, op.getLoc(), op.getInput(), type));
    return success();
  }
};

/// Where the result is static, the shape is a constant that says just that:
/// what computed it goes.
template <typename OpT> struct NormalizeShape : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getResult());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is not static");
    auto shape = getConstantInts(op.getShape());
    if (shape && ArrayRef<int64_t>(*shape) == type.getShape())
      return rewriter.notifyMatchFailure(op, "shape is the result's");
    Value constant = makeInts(rewriter, op.getLoc(), type.getShape());
    rewriter.modifyOpInPlace(op, [&] {
      op.getShapeMutable().assign(constant);
      if constexpr (std::is_same_v<OpT, ReshapeOp>)
        op.setAllowzero(llvm::is_contained(type.getShape(), 0));
    });
    return success();
  }
};

struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getResult());
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!type || !inner)
      return rewriter.notifyMatchFailure(op, "not a static reshape of another");
    rewriter.replaceOp(
        op, makeReshape(rewriter, op.getLoc(), inner.getInput(), type));
    return success();
  }
};

struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not a transpose of another");
    rewriter.replaceOpWithNewOp<TransposeOp>(
        op, op.getType(), inner.getInput(),
        applyPermutation(inner.getPermutation(), op.getPermutation()));
    return success();
  }
};

/// Inputs without elements go, and inputs that are concatenated only for this
/// one along the same axis are replaced by theirs.
struct FlattenConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "rank is not known");
    auto axisOf = [&](ConcatOp concat) {
      return countFromFront(concat.getAxis(), op.getResult());
    };
    int64_t axis = axisOf(op);
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      auto inputType = dyn_cast<RankedTensorType>(input.getType());
      auto inner = input.getDefiningOp<ConcatOp>();
      if (inputType && inputType.getDimSize(axis) == 0 &&
          op.getInputs().size() > 1) {
        changed = true;
      } else if (inner && inner->hasOneUse() && axisOf(inner) == axis) {
        llvm::append_range(inputs, inner.getInputs());
        changed = true;
      } else {
        inputs.push_back(input);
      }
    }
    if (!changed || inputs.empty())
      return rewriter.notifyMatchFailure(op, "nothing to flatten");
    rewriter.replaceOpWithNewOp<ConcatOp>(op, type, inputs, axis);
    return success();
  }
};

struct SplitIntoSlices : OpRewritePattern<SplitOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SplitOp op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::all_of(op.getResults(), getStaticType))
      return rewriter.notifyMatchFailure(op, "results are not static");
    int64_t axis = countFromFront(op.getAxis(), op.getResult(0));
    Location loc = op.getLoc();
    Value axes = makeInts(rewriter, loc, axis);
    SmallVector<Value> slices;
    int64_t start = 0;
    for (Value result : op.getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      int64_t end = start + type.getDimSize(axis);
      slices.push_back(SliceOp::create(
          rewriter, loc, type, op.getInput(), makeInts(rewriter, loc, start),
          makeInts(rewriter, loc, end), axes, /*steps=*/Value()));
      start = end;
    }
    rewriter.replaceOp(op, slices);
    return success();
  }
};

/// Both are a reshape that shows the blocks, a transpose, and a reshape.
struct ExpandDepthToSpace : OpRewritePattern<DepthToSpaceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DepthToSpaceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType in = getStaticType(op.getInput()),
                     out = getStaticType(op.getResult());
    if (!in || !out)
      return rewriter.notifyMatchFailure(op, "types are not static");
    int64_t n = in.getDimSize(0), h = in.getDimSize(1), w = in.getDimSize(2),
            block = op.getBlocksize(), depth = out.getDimSize(3);
    bool depthFirst = op.getMode() == DepthToSpaceMode::CRD;
    SmallVector<int64_t> shape, permutation;
    if (depthFirst) {
      shape = {n, h, w, depth, block, block};
      permutation = {0, 1, 4, 2, 5, 3};
    } else {
      shape = {n, h, w, block, block, depth};
      permutation = {0, 1, 3, 2, 4, 5};
    }
    Location loc = op.getLoc();
    Value blocks = makeReshape(rewriter, loc, op.getInput(),
                               makeTensor(shape, in.getElementType()));
    Value moved = makeTranspose(rewriter, loc, blocks, permutation);
    rewriter.replaceOp(op, makeReshape(rewriter, loc, moved, out));
    return success();
  }
};

struct ExpandSpaceToDepth : OpRewritePattern<SpaceToDepthOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpaceToDepthOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType in = getStaticType(op.getInput()),
                     out = getStaticType(op.getResult());
    if (!in || !out)
      return rewriter.notifyMatchFailure(op, "types are not static");
    int64_t block = op.getBlocksize();
    SmallVector<int64_t> shape = {
        out.getDimSize(0), out.getDimSize(1), block, out.getDimSize(2), block,
        in.getDimSize(3)};
    Location loc = op.getLoc();
    Value blocks = makeReshape(rewriter, loc, op.getInput(),
                               makeTensor(shape, in.getElementType()));
    Value moved = makeTranspose(rewriter, loc, blocks, {0, 1, 3, 2, 4, 5});
    rewriter.replaceOp(op, makeReshape(rewriter, loc, moved, out));
    return success();
  }
};
} // namespace

void SqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<BecomeReshape<SqueezeOp>>(context);
}

void UnsqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<BecomeReshape<UnsqueezeOp>>(context);
}

void FlattenOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<BecomeReshape<FlattenOp>>(context);
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes, NormalizeShape<ReshapeOp>>(context);
}

void ExpandOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<NormalizeShape<ExpandOp>>(context);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeTransposes>(context);
}

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FlattenConcat>(context);
}

void SplitOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<SplitIntoSlices>(context);
}

void DepthToSpaceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<ExpandDepthToSpace>(context);
}

void SpaceToDepthOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<ExpandSpaceToDepth>(context);
}
