//===- ExpandMath.cpp - Math ops to instructions --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "brisk/Lowering/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {
#define GEN_PASS_DEF_EXPANDMATH
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// Without an instruction for it, a fused multiply-add would be a call.
struct SplitFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};

struct ExpandMath : brisk::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Target *machine = findPassTarget(function, target);
    if (!machine)
      return signalPassFailure();
    Isa arch = machine->getIsa();

    RewritePatternSet patterns(&getContext());
    SmallVector<StringRef> expanded = {"sinh",  "cosh",  "tan",  "asinh",
                                       "acosh", "atanh", "powf", "fpowi",
                                       "exp2",  "rsqrt"};
    if (!arch.rounding)
      llvm::append_values(expanded, StringRef("ceil"), StringRef("roundeven"),
                          StringRef("round"));
    math::populateExpansionPatterns(patterns, expanded);
    MathPolynomialApproximationOptions options;
    populateMathPolynomialApproximationPatterns(patterns, options);
    if (!arch.fma)
      patterns.add<SplitFma>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return signalPassFailure();

    // What is left must have an instruction.
    WalkResult walk = function.walk([&](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
        return WalkResult::advance();
      Type type = getElementTypeOrSelf(op->getOperand(0).getType());
      bool supported =
          isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::SqrtOp,
              math::CountLeadingZerosOp, math::CountTrailingZerosOp,
              math::CtPopOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(
              op) ||
          (isa<math::FmaOp>(op) && isa<FloatType>(type)) ||
          (isa<math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp>(
               op) &&
           arch.rounding);
      if (supported)
        return WalkResult::advance();
      emitError(op->getLoc(), "no code for ")
          << op->getName() << " on " << type << " on target '"
          << machine->getName() << "'; cast to f32 before it";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
