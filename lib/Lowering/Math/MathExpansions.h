//===- MathExpansions.h - Functions as instructions -------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expansions of the math dialect's functions, by subject, for expand-math. Each
// is straight-line code on scalars and vectors alike, but for the rare operands
// that a vector is then taken apart for.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_MATH_MATHEXPANSIONS_H
#define BRISK_LIB_LOWERING_MATH_MATHEXPANSIONS_H

#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Target/Isa.h"
#include "mlir/IR/PatternMatch.h"

namespace brisk {

/// Builds arithmetic for an instruction set.
class MathBuilder : public ElementBuilder {
public:
  MathBuilder(mlir::OpBuilder &b, mlir::Location loc, const Isa &isa)
      : ElementBuilder(b, loc), isa(isa) {}

  using ElementBuilder::sub;
  mlir::Value sub(double lhs, mlir::Value rhs) const {
    return sub(constant(rhs, lhs), rhs);
  }

  /// Whether a * b + c is one instruction, rounded once.
  bool isFused(mlir::Value like) const { return isa.isFused(like.getType()); }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value fma(mlir::Value a, double b, mlir::Value c) const {
    return fma(a, constant(a, b), c);
  }
  /// By Horner's rule; the constant term comes first.
  mlir::Value polynomial(mlir::Value x,
                         llvm::ArrayRef<double> coefficients) const;

  /// The smaller or larger of `x` and a number; a NaN stays one.
  mlir::Value atMost(mlir::Value x, double limit) const;
  mlir::Value atLeast(mlir::Value x, double limit) const;
  mlir::Value isBelow(mlir::Value x, double limit) const {
    return compare(mlir::arith::CmpFPredicate::OLT, x, constant(x, limit));
  }
  mlir::Value isAbove(mlir::Value x, double limit) const {
    return compare(mlir::arith::CmpFPredicate::OGT, x, constant(x, limit));
  }
  mlir::Value equals(mlir::Value x, double number) const {
    return compare(mlir::arith::CmpFPredicate::OEQ, x, constant(x, number));
  }

  /// A float's bits, and the float that bits are.
  mlir::Value toBits(mlir::Value x) const;
  mlir::Value toFloat(mlir::Value bits) const;
  mlir::Value addBits(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::AddIOp>(a, b);
  }
  mlir::Value subBits(mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::SubIOp>(a, b);
  }
  mlir::Value addBits(mlir::Value a, int64_t b) const {
    return addBits(a, integer(a, b));
  }
  mlir::Value andBits(mlir::Value a, int64_t b) const {
    return make<mlir::arith::AndIOp>(a, integer(a, b));
  }
  mlir::Value shiftLeft(mlir::Value a, int64_t by) const {
    return make<mlir::arith::ShLIOp>(a, integer(a, by));
  }
  mlir::Value shiftRight(mlir::Value a, int64_t by) const {
    return make<mlir::arith::ShRUIOp>(a, integer(a, by));
  }

  /// Positive, normal doubles as 2^k m, m between `least` and twice that: k, as
  /// a double, and m.
  std::pair<mlir::Value, mlir::Value> splitExponent(mlir::Value x,
                                                    double least) const;
  /// `x` times 2^k, k integral and at most 2000 in size, k being `shifted` less
  /// 1.5 2^52; of doubles. Rounds only results below 2^-1022.
  mlir::Value scale(mlir::Value x, mlir::Value shifted) const;

  /// Whether any lane is set.
  mlir::Value any(mlir::Value condition) const;
  /// What `build` makes where `condition` holds, else `otherwise`.
  llvm::SmallVector<mlir::Value>
  branch(mlir::Value condition, mlir::ValueRange otherwise,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> build) const;
  /// Calls `build` with each lane of `operands` and of `initial`, in a loop,
  /// for the lanes of vectors like `initial`; with scalars, at once.
  llvm::SmallVector<mlir::Value>
  forLanes(mlir::ValueRange operands, mlir::ValueRange initial,
           llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange,
                                                             mlir::ValueRange)>
               build) const;

  const Isa &isa;
};

/// Replaces `OpT` on floats of `width` bits by what `build` makes of its
/// operands.
template <typename OpT> struct ExpandFunction : mlir::OpRewritePattern<OpT> {
  using Build = mlir::Value (*)(const MathBuilder &, mlir::ValueRange);
  ExpandFunction(mlir::MLIRContext *context, const Isa &isa, unsigned width,
                 Build build)
      : mlir::OpRewritePattern<OpT>(context, /*benefit=*/2), isa(isa),
        width(width), build(build) {}

  mlir::LogicalResult
  matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const override {
    mlir::Type element = mlir::getElementTypeOrSelf(op.getType());
    if (element.getIntOrFloatBitWidth() != width)
      return rewriter.notifyMatchFailure(op, "is of other floats");
    rewriter.replaceOp(
        op, build(MathBuilder(rewriter, op.getLoc(), isa), op->getOperands()));
    return mlir::success();
  }

  const Isa &isa;
  unsigned width;
  Build build;
};

/// exp, log, log1p and tanh.
void populateExponentialExpansions(mlir::RewritePatternSet &patterns,
                                   const Isa &isa);
/// erf.
void populateErrorFunctionExpansions(mlir::RewritePatternSet &patterns,
                                     const Isa &isa);
/// powf.
void populatePowerExpansions(mlir::RewritePatternSet &patterns, const Isa &isa);
/// sin, cos and tan. `twoByPi` names a global that makeTwoByPi made.
void populateTrigonometricExpansions(mlir::RewritePatternSet &patterns,
                                     const Isa &isa, llvm::StringRef twoByPi);
/// asin, acos and atan.
void populateInverseTrigonometricExpansions(mlir::RewritePatternSet &patterns,
                                            const Isa &isa);
/// The exact remainder, and square roots where there is no instruction.
void populateDigitByDigitExpansions(mlir::RewritePatternSet &patterns,
                                    const Isa &isa);
/// Rounding to bytes, where there is an instruction that rounds to integers.
void populateByteRounding(mlir::RewritePatternSet &patterns, const Isa &isa);
/// Rounding, extremes and multiply-adds that are no instructions.
void populateInstructionExpansions(mlir::RewritePatternSet &patterns,
                                   const Isa &isa);

/// An angle as a number of quarters of a turn, of which the last two bits
/// count, and the rest, which is at most about pi / 4.
struct ReducedAngle {
  mlir::Value rest, quarters;
};
/// Reduces a scalar that is large, exactly.
ReducedAngle reduceLargeAngle(const MathBuilder &e, mlir::Value x,
                              llvm::StringRef twoByPi);
/// Adds the table that reduceLargeAngle reads to a module; returns its name.
llvm::StringRef makeTwoByPi(mlir::Operation *module);

} // namespace brisk

#endif // BRISK_LIB_LOWERING_MATH_MATHEXPANSIONS_H
