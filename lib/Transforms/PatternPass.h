//===- PatternPass.h - Passes that are patterns -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_PATTERNPASS_H
#define BRISK_LIB_TRANSFORMS_PATTERNPASS_H

#include "brisk/Dialect/StaticShapes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {

/// Applies the patterns that `add` adds to a function, whose shapes must be
/// static, until none matches.
inline llvm::LogicalResult
rewriteFunction(mlir::Operation *function,
                llvm::function_ref<void(mlir::RewritePatternSet &)> add) {
  if (failed(checkStaticShapes(function)))
    return mlir::failure();
  mlir::RewritePatternSet patterns(function->getContext());
  add(patterns);
  return mlir::applyPatternsGreedily(function, std::move(patterns));
}

/// Adds a function as RewritePatternSet::add does, for all ops that implement
/// an interface.
template <typename InterfaceT>
void addOnInterface(mlir::RewritePatternSet &patterns,
                    llvm::LogicalResult (*rewrite)(InterfaceT,
                                                   mlir::PatternRewriter &)) {
  struct Pattern : mlir::OpInterfaceRewritePattern<InterfaceT> {
    Pattern(mlir::MLIRContext *context, decltype(rewrite) function)
        : mlir::OpInterfaceRewritePattern<InterfaceT>(context),
          function(function) {}
    llvm::LogicalResult
    matchAndRewrite(InterfaceT op,
                    mlir::PatternRewriter &rewriter) const override {
      return function(op, rewriter);
    }
    decltype(rewrite) function;
  };
  patterns.add<Pattern>(patterns.getContext(), rewrite);
}

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_PATTERNPASS_H
