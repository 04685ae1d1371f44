//===- MaterializePadding.cpp - Convolutions' padding as an op ------------===//
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
#define GEN_PASS_DEF_MATERIALIZEPADDING
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True if every group of channels is one channel.
static bool isDepthwise(ConvOp op) {
  int64_t channels = getShape(op.getInput()).back(), group = op.getGroup();
  return group > 1 && group == channels;
}

namespace {
struct PadInput : OpRewritePattern<ConvOp> {
  PadInput(MLIRContext *context, bool depthwise)
      : OpRewritePattern(context), depthwise(depthwise) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> pads = op.getResolvedPads();
    bool padded = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
    if (!padded && op.getAutoPad() == AutoPad::Notset)
      return rewriter.notifyMatchFailure(op, "has no padding");
    if (llvm::any_of(pads, [](int64_t pad) { return pad < 0; }))
      return rewriter.notifyMatchFailure(op, "padding is negative or unknown");
    if (!depthwise && isDepthwise(op))
      return rewriter.notifyMatchFailure(op, "is depthwise");
    Value input = op.getInput();
    if (padded)
      input = makeSpatialPad(rewriter, op.getLoc(), input, pads, Value());
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(input);
      op.setPads(SmallVector<int64_t>(pads.size(), 0));
      op.setAutoPad(AutoPad::Notset);
    });
    return success();
  }

private:
  bool depthwise;
};

struct MaterializePadding
    : brisk::impl::MaterializePaddingBase<MaterializePadding> {
  using MaterializePaddingBase::MaterializePaddingBase;

  void runOnOperation() override {
    if (failed(
            rewriteFunction(getOperation(), [&](RewritePatternSet &patterns) {
              patterns.add<PadInput>(&getContext(), depthwise);
            })))
      signalPassFailure();
  }
};
} // namespace
