//===- ExpandMath.cpp - Math ops to instructions --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Math/MathExpansions.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {
#define GEN_PASS_DEF_EXPANDMATH
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// Upstream's quotient ends at 1 only if multiply-adds are fused; else, its
/// operands must be within Eigen's bounds.
static void boundTanh(func::FuncOp function, const Isa &isa) {
  function.walk([&](math::TanhOp op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    OpBuilder builder(op);
    MathBuilder e(builder, op.getLoc(), isa);
    constexpr double last = 7.90531110763549805;
    op->setOperand(0, e.atLeast(e.atMost(op.getOperand(), last), -last));
  });
}

/// Whether there is an instruction, or a few, for what is left.
static bool isInstruction(Operation *op, const Isa &isa) {
  if (isa_and_nonnull<math::MathDialect>(op->getDialect())) {
    Type type = op->getOperand(0).getType();
    return llvm::isa<math::AbsFOp, math::AbsIOp, math::CopySignOp,
                     math::CountLeadingZerosOp, math::CountTrailingZerosOp,
                     math::CtPopOp, math::IsNaNOp, math::IsInfOp,
                     math::IsFiniteOp>(op) ||
           (llvm::isa<math::SqrtOp>(op) &&
            isa.has(Isa::Operation::Arithmetic, type)) ||
           (llvm::isa<math::FmaOp>(op) && isa.isFused(type)) ||
           (llvm::isa<math::FloorOp, math::CeilOp, math::RoundEvenOp,
                      math::TruncOp>(op) &&
            isa.has(Isa::Operation::Rounding, type));
  }
  return !llvm::isa<arith::RemFOp>(op);
}

namespace {
struct ExpandMath : brisk::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *target = getTarget(module);
    if (!target)
      return signalPassFailure();
    StringRef twoByPi;
    module.walk([&](Operation *op) {
      if (!llvm::isa<math::SinOp, math::CosOp, math::TanOp>(op))
        return WalkResult::advance();
      twoByPi = makeTwoByPi(module);
      return WalkResult::interrupt();
    });
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    if (failed(failableParallelForEach(
            &getContext(), functions, [&](func::FuncOp function) {
              return expand(function, *target, twoByPi);
            })))
      signalPassFailure();
  }

  LogicalResult expand(func::FuncOp function, const Target &target,
                       StringRef twoByPi) {
    const Isa &isa = target.isa;
    if (!isa.isFused(Float32Type::get(&getContext())))
      boundTanh(function, isa);
    RewritePatternSet patterns(&getContext());
    populateExponentialExpansions(patterns, isa);
    populateErrorFunctionExpansions(patterns, isa);
    populatePowerExpansions(patterns, isa);
    populateTrigonometricExpansions(patterns, isa, twoByPi);
    populateInverseTrigonometricExpansions(patterns, isa);
    populateDigitByDigitExpansions(patterns, isa);
    populateInstructionExpansions(patterns, isa);
    populateByteRounding(patterns, isa);
    populateMathPolynomialApproximationPatterns(
        patterns, MathPolynomialApproximationOptions());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return failure();
    WalkResult walk = function.walk([&](Operation *op) {
      if (isInstruction(op, isa))
        return WalkResult::advance();
      op->emitError("no code for ")
          << op->getName() << " on "
          << getElementTypeOrSelf(op->getOperand(0).getType()) << " on target '"
          << target.name << "'";
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }
};
} // namespace
