//===- FoldTransposes.cpp - Folds transposes into weights -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace brisk {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// A tensor that is transposed and then flattened for a product with constant
/// weights: the rows of the weights change places instead.
static LogicalResult permuteRows(MatmulOp op, PatternRewriter &rewriter) {
  auto reshape = op.getLhs().getDefiningOp<ReshapeOp>();
  auto transpose =
      reshape ? reshape.getInput().getDefiningOp<TransposeOp>() : TransposeOp();
  ElementsAttr weights = getConstant(op.getRhs());
  if (!transpose || !weights || getShape(op.getRhs()).size() != 2)
    return rewriter.notifyMatchFailure(op, "is no product with constant "
                                           "weights after a transpose");
  ArrayRef<int64_t> from = getShape(transpose), to = getShape(reshape);
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  auto groups = reshape.getDimGroups();
  if (!groups || groups->empty() || groups->back().toEnd != to.size() ||
      groups->back().toBegin + 1 != to.size())
    return rewriter.notifyMatchFailure(op, "no dimensions make up the rows");
  // The dimensions in front stay in place.
  size_t inner = groups->back().fromBegin;
  for (size_t i = 0; i < inner; ++i)
    if (permutation[i] != static_cast<int64_t>(i))
      return rewriter.notifyMatchFailure(op, "moves more than the rows");
  SmallVector<int64_t> rows, shape(from.drop_front(inner));
  for (int64_t dim : permutation.drop_front(inner))
    rows.push_back(dim - inner);
  SmallVector<int64_t> back = invertPermutationVector(rows);
  back.push_back(back.size());
  shape.push_back(getShape(op.getRhs()).back());
  ElementsAttr moved =
      reshapeElements(transposeElements(reshapeElements(weights, shape), back),
                      getShape(op.getRhs()));
  Value input = makeReshape(rewriter, op.getLoc(), transpose.getInput(), to);
  Value constant = ConstantOp::create(rewriter, op.getRhs().getLoc(), moved);
  rewriter.modifyOpInPlace(op, [&] {
    op.getLhsMutable().assign(input);
    op.getRhsMutable().assign(constant);
  });
  return success();
}

namespace {
struct FoldTransposes : brisk::impl::FoldTransposesBase<FoldTransposes> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(permuteRows);
        })))
      signalPassFailure();
  }
};
} // namespace
