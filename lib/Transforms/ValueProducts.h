//===- ValueProducts.h - Products of two quantized values -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix product of two values that are quantized by one scale each, as of
// attention, is one of the integers themselves:
//
//   sum (x - zx) * sx * (w - zw) * sw
//       = (sum x * w - zw * sum x - zx * sum w + n * zx * zw) * (sx * sw)
//
// The sums of each row of x and of each column of w are found in the run.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_VALUEPRODUCTS_H
#define BRISK_LIB_TRANSFORMS_VALUEPRODUCTS_H

#include "brisk/Dialect/Ops.h"
#include "brisk/Target/Isa.h"
#include "mlir/IR/PatternMatch.h"

namespace brisk {

struct ValueProduct : mlir::OpRewritePattern<MatmulOp> {
  ValueProduct(mlir::MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context), isa(isa) {}

  llvm::LogicalResult
  matchAndRewrite(MatmulOp op, mlir::PatternRewriter &rewriter) const override;

private:
  const Isa &isa;
};

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_VALUEPRODUCTS_H
