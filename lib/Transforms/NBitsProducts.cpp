//===- NBitsProducts.cpp - Products with weights of few bits --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of floats by quantized constants become brisk.matmul_nbits, whose
// kernels read the integers. Between constant and product, models reshape,
// transpose and cut: what comes of that is found without doing it.
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "QuantizedMatrix.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace brisk {
#define GEN_PASS_DEF_NBITSPRODUCTS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// Why a product is none of rows by a matrix; empty where it is.
static StringRef whyNot(MatmulOp op) {
  return getShape(op.getLhs()).size() >= 2 && getShape(op.getRhs()).size() == 2
             ? ""
             : "multiplies vectors, or several matrices";
}
static StringRef whyNot(ConvOp op) {
  auto isOne = [](int64_t size) { return size == 1; };
  auto isZero = [](int64_t pad) { return pad == 0; };
  if (op.getGroup() != 1 ||
      !llvm::all_of(getShape(op.getFilter()).drop_back(2), isOne))
    return "looks at more than one pixel, or at a part of its channels";
  if (!llvm::all_of(op.getStrides(), isOne) ||
      !llvm::all_of(op.getResolvedPads(), isZero))
    return "leaves out pixels, or has padding";
  return "";
}

/// A product with quantized constants; a convolution of one pixel is one, too.
template <typename OpT>
static LogicalResult multiplyNBits(OpT op, PatternRewriter &rewriter) {
  if (!getElementTypeOrSelf(op.getType()).isF32())
    return rewriter.notifyMatchFailure(op, "is not of f32");
  if (StringRef reason = whyNot(op); !reason.empty())
    return rewriter.notifyMatchFailure(op, reason);
  std::optional<QuantizedMatrix> matrix =
      QuantizedMatrix::get(op->getOperand(1));
  if (!matrix)
    return rewriter.notifyMatchFailure(
        op, "the weights are not quantized in blocks of columns");
  Location loc = op.getLoc();
  auto make = [&](ElementsAttr value) -> Value {
    return value ? ConstantOp::create(rewriter, loc, value).getResult()
                 : Value();
  };
  Value result = MatmulNBitsOp::create(
      rewriter, loc, op.getType(), op->getOperand(0), make(matrix->weights),
      make(matrix->scales), make(matrix->zeros), matrix->bits, matrix->block);
  if (op->getNumOperands() > 2)
    result =
        AddOp::create(rewriter, loc, op.getType(), result, op->getOperand(2));
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct NBitsProducts : brisk::impl::NBitsProductsBase<NBitsProducts> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(multiplyNBits<MatmulOp>);
          patterns.add(multiplyNBits<ConvOp>);
        })))
      signalPassFailure();
  }
};
} // namespace
