//===- Decompose.cpp - Takes composite ops apart --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "Quantized.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace brisk {
#define GEN_PASS_DEF_DECOMPOSE
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

static std::string formatBytes(int64_t bytes) {
  if (bytes < 10000)
    return llvm::formatv("{0} bytes", bytes);
  return bytes < 10000000 ? llvm::formatv("{0:f1} kB", bytes / 1e3)
                          : llvm::formatv("{0:f1} MB", bytes / 1e6);
}

/// The constant that holds quantized values; null for others.
static ElementsAttr getWeights(Value quantized) {
  if (auto unpack = quantized.getDefiningOp<UnpackBitsOp>())
    quantized = unpack.getInput();
  return getConstant(quantized);
}

/// Warns of what it costs that no product took some weights as they are.
static void warnOfFloatWeights(func::FuncOp function) {
  llvm::SmallDenseSet<Attribute> seen;
  int64_t bytes = 0, computedBytes = 0;
  function.walk([&](DequantizeOp op) {
    ElementsAttr weights = getWeights(op.getInput());
    if (!weights || !seen.insert(weights).second)
      return;
    bytes +=
        weights.getNumElements() * getElementBytes(weights.getElementType());
    computedBytes +=
        op.getType().getNumElements() * getElementBytes(op.getTo());
  });
  if (seen.empty())
    return;
  emitWarning(function.getLoc())
      << "some quantized values are computed in 32-bit floats: their weights "
         "take "
      << formatBytes(computedBytes) << " rather than " << formatBytes(bytes)
      << "; products of bytes need one scale and zero point for the first "
         "operand, and for the second one too unless it is constant with zero "
         "points of 0; of products of floats, those by matrices and "
         "convolutions "
         "with one scale for each output channel keep quantized weights as "
         "integers";
}

static LogicalResult decompose(CompositeOpInterface op,
                               PatternRewriter &rewriter) {
  rewriter.replaceOp(op, op.decompose(rewriter));
  return success();
}

/// Next to integer arithmetic quantized values stay, but constants are to
/// become floats once, not in each run.
static LogicalResult decomposeConstants(CompositeOpInterface op,
                                        PatternRewriter &rewriter) {
  if (isa<QuantizeOp, DequantizeOp>(op) && !getConstant(op->getOperand(0)))
    return rewriter.notifyMatchFailure(op, "is next to integer arithmetic");
  return decompose(op, rewriter);
}

namespace {
struct Decompose : brisk::impl::DecomposeBase<Decompose> {
  void runOnOperation() override {
    bool keepsQuantized = findIsa(getOperation());
    if (keepsQuantized)
      warnOfFloatWeights(getOperation());
    if (failed(
            rewriteFunction(getOperation(), [&](RewritePatternSet &patterns) {
              addOnInterface(patterns,
                             keepsQuantized ? decomposeConstants : decompose);
            })))
      signalPassFailure();
  }
};
} // namespace
