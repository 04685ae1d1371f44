//===- ValueProducts.cpp - Products of two quantized values ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueProducts.h"
#include "Quantized.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <utility>

using namespace mlir;
using namespace brisk;

/// The sums of constant bytes along dimension `dim`.
static Value sumConstant(OpBuilder &b, Location loc, ElementsAttr bytes,
                         int64_t dim) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(bytes.getShapedType()).getShape());
  int64_t inner = llvm::product_of(ArrayRef(shape).drop_front(dim + 1)),
          count = std::exchange(shape[dim], 1);
  std::vector<int32_t> sums(llvm::product_of(shape), 0);
  bool isUnsigned = bytes.getElementType().isUnsignedInteger();
  for (auto [i, byte] : llvm::enumerate(ElementBytes(bytes).as<int8_t>()))
    sums[i / (inner * count) * inner + i % inner] +=
        isUnsigned ? static_cast<uint8_t>(byte) : byte;
  return ConstantOp::create(
      b, loc,
      makeElements(RankedTensorType::get(shape, b.getI32Type()),
                   ArrayRef<int32_t>(sums)));
}

/// The sums of bytes along dimension `dim`, of as many as f32 adds up exactly,
/// as i32.
static Value sumAlong(OpBuilder &b, Location loc, Value bytes, int64_t dim) {
  if (ElementsAttr constant = getConstant(bytes);
      constant && !getSplatElement(constant))
    return sumConstant(b, loc, constant, dim);
  Value one = makeFloats(b, loc, {1}, {});
  SmallVector<int64_t> shape(getShape(bytes));
  Value floats =
      DequantizeOp::create(b, loc, RankedTensorType::get(shape, b.getF32Type()),
                           bytes, one, Value(), b.getF32Type());
  shape[dim] = 1;
  Value sums = ReduceOp::create(
      b, loc, RankedTensorType::get(shape, b.getF32Type()), floats,
      makeInts(b, loc, {dim}), ReduceKind::Sum, /*keepdims=*/true,
      /*noop_with_empty_axes=*/false);
  return CastOp::create(b, loc, sums, b.getI32Type());
}

/// `sums` less `zero` times the sums of `bytes` along dimension `dim`.
static Value subtract(OpBuilder &b, Location loc, Value sums, int64_t zero,
                      Value bytes, int64_t dim) {
  if (zero == 0)
    return sums;
  Value each = sumAlong(b, loc, bytes, dim);
  each = MulOp::create(b, loc, each.getType(), each,
                       makeInteger(b, loc, b.getI32Type(), zero));
  return SubOp::create(b, loc, sums.getType(), sums, each);
}

LogicalResult ValueProduct::matchAndRewrite(MatmulOp op,
                                            PatternRewriter &rewriter) const {
  std::optional<Quantized> lhs = Quantized::get(op.getLhs()),
                           rhs = Quantized::get(op.getRhs());
  if (!lhs || !rhs || lhs->runtimeZero || rhs->runtimeZero)
    return rewriter.notifyMatchFailure(
        op, "the operands are not quantized by one constant scale each");
  int64_t rank = getShape(op.getLhs()).size(),
          rhsRank = getShape(op.getRhs()).size();
  if (rank < 2 || rhsRank < 2)
    return rewriter.notifyMatchFailure(op, "multiplies vectors");
  double scale = lhs->scale * rhs->scale;
  if (getElementTypeOrSelf(op.getType()).isF64() ||
      !std::isnormal(static_cast<float>(scale)))
    return rewriter.notifyMatchFailure(op, "the scale is no normal f32");
  // The result has to fit; what is added up on the way may wrap around.
  constexpr int64_t largest = 255 * 255, most = (1 << 30) / largest;
  int64_t depth = getShape(op.getLhs()).back();
  if (depth == 0 || depth > most)
    return rewriter.notifyMatchFailure(
        op, "sums are empty, or may go beyond 32 bits");

  Location loc = op.getLoc();
  // Kernels of bytes take no fewer matrices on the left than on the right.
  if (rank < rhsRank) {
    SmallVector<int64_t> shape(rhsRank - rank, 1);
    llvm::append_range(shape, getShape(op.getLhs()));
    lhs->integers = makeReshape(rewriter, loc, lhs->integers, shape);
    rank = rhsRank;
  }
  Type i32 = rewriter.getI32Type();
  auto become = [&](Quantized &value, IntegerType type) {
    value.integers = changeSign(rewriter, loc, value.integers, type);
    value.zero += getShiftTo(type);
  };
  // Two of the same signedness, unless the second one is better signed.
  if (!isa.findProduct(lhs->integers.getType(), rhs->integers.getType(), i32) &&
      getElementTypeOrSelf(rhs->integers).isUnsignedInteger())
    become(*rhs, rewriter.getI8Type());
  if (IntegerType other =
          getOtherInput(isa, lhs->integers.getType(), rhs->integers.getType()))
    become(*lhs, other);
  auto type = cast<RankedTensorType>(op.getType()).clone(i32);
  Value sums =
      MatmulOp::create(rewriter, loc, type, lhs->integers, rhs->integers);
  sums = subtract(rewriter, loc, sums, rhs->zero, lhs->integers, rank - 1);
  sums = subtract(rewriter, loc, sums, lhs->zero, rhs->integers, rhsRank - 2);
  if (int64_t both = depth * lhs->zero * rhs->zero)
    sums = AddOp::create(rewriter, loc, type, sums,
                         makeInteger(rewriter, loc, i32, both));
  Type element = getElementTypeOrSelf(op.getType());
  if (!llvm::isa<FloatType>(element)) {
    rewriter.replaceOp(op, sums);
    return success();
  }
  rewriter.replaceOpWithNewOp<DequantizeOp>(
      op, op.getType(), sums, makeFloats(rewriter, loc, {scale}, {}), Value(),
      element);
  return success();
}
