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
// Other convolutions multiply by a filter of whole bytes, and their sums by the
// scale of an output channel.
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "QuantizedMatrix.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <vector>

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
  if (!getElementTypeOrSelf(op->getOperand(0)).isF32())
    return rewriter.notifyMatchFailure(op, "multiplies no f32");
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

/// Makes bytes, and their zero points, such of i8 that stand for the same, and
/// takes zero points off where all differences are such bytes. The sum of each
/// column's differences; none where a product with unsigned bytes may go beyond
/// 32 bits.
static ElementsAttr makeSigned(QuantizedMatrix &matrix) {
  constexpr int64_t largest = 255, half = 128;
  MLIRContext *context = matrix.weights.getContext();
  auto type = cast<RankedTensorType>(matrix.weights.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  if (!llvm::isInt<32>(rows * largest * largest))
    return {};
  int64_t shift = type.getElementType().isUnsignedInteger() ? half : 0;
  auto read = [&](ElementsAttr bytes) {
    std::vector<int64_t> values(columns, 0);
    if (bytes)
      values = getAsInts(bytes);
    for (int64_t &value : values)
      value -= shift;
    return values;
  };
  std::vector<int64_t> weights = read(matrix.weights),
                       zeros = read(matrix.zeros);
  std::vector<int32_t> sums(columns, 0);
  bool fits = true;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    int64_t difference = weight - zeros[i % columns];
    fits &= llvm::isInt<8>(difference);
    sums[i % columns] += static_cast<int32_t>(difference);
  }
  if (fits) {
    for (auto [i, weight] : llvm::enumerate(weights))
      weight -= zeros[i % columns];
  }
  auto make = [&](int64_t count, ArrayRef<int64_t> values) {
    std::vector<int8_t> narrow(values.begin(), values.end());
    return makeElements(
        RankedTensorType::get({count, columns}, IntegerType::get(context, 8)),
        ArrayRef(narrow));
  };
  matrix.weights = make(rows, weights);
  matrix.zeros = fits ? ElementsAttr() : make(1, zeros);
  return makeElements(
      RankedTensorType::get({columns}, IntegerType::get(context, 32)),
      ArrayRef(sums));
}

/// The weights of a recurrent layer's states.
static LogicalResult multiplyStates(RecurrentOpInterface op,
                                    PatternRewriter &rewriter) {
  OpOperand &weights = op.getRMutable();
  if (!getElementTypeOrSelf(op.getXMutable().get().getType()).isF32())
    return rewriter.notifyMatchFailure(op, "is not of f32");
  if (!op.getWMutable().empty())
    return rewriter.notifyMatchFailure(op, "multiplies its input itself");
  std::optional<QuantizedMatrix> matrix =
      QuantizedMatrix::get(weights.get(), /*firstRow=*/2, /*numRows=*/1);
  if (!matrix)
    return rewriter.notifyMatchFailure(
        op, "the weights are not quantized in blocks of columns");
  bool isWhole =
      matrix->bits == 8 && matrix->scales.getShapedType().getDimSize(0) == 1;
  ElementsAttr sums;
  if (op.getQuantizesStates() && isWhole)
    sums = makeSigned(*matrix);
  rewriter.modifyOpInPlace(op, [&] {
    auto assign = [&](MutableOperandRange range, ElementsAttr value) {
      if (value)
        range.assign(
            ConstantOp::create(rewriter, op.getLoc(), value).getResult());
    };
    weights.set(ConstantOp::create(rewriter, op.getLoc(), matrix->weights));
    assign(op.getRScaleMutable(), matrix->scales);
    assign(op.getRZeroMutable(), matrix->zeros);
    assign(op.getRSumsMutable(), sums);
    op.setRBits(matrix->bits);
    op.setRBlock(matrix->block);
    op.setQuantizesStates(static_cast<bool>(sums));
  });
  return success();
}

/// The weights less their zero points, of which a column has only one.
static std::vector<int16_t> subtractZeros(const QuantizedMatrix &matrix,
                                          int64_t columns) {
  constexpr unsigned byte = 8;
  bool isUnsigned = matrix.weights.getElementType().isUnsignedInteger();
  // The lowest bits of a byte, extended.
  auto extend = [&](unsigned char from, int64_t bits) -> int64_t {
    return isUnsigned ? from & llvm::maskTrailingOnes<unsigned>(bits)
                      : llvm::SignExtend64(from, bits);
  };
  ElementBytes packed(matrix.weights);
  std::vector<int64_t> zeros(columns, 0);
  if (matrix.zeros)
    llvm::transform(ElementBytes(matrix.zeros).bytes(), zeros.begin(),
                    [&](char zero) { return extend(zero, byte); });
  int64_t perByte = byte / matrix.bits;
  std::vector<int16_t> result;
  result.reserve(matrix.rows * columns);
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      auto whole = static_cast<unsigned char>(
          packed.bytes()[row / perByte * columns + column]);
      result.push_back(static_cast<int16_t>(
          extend(whole >> (row % perByte * matrix.bits), matrix.bits) -
          zeros[column]));
    }
  return result;
}

/// A tensor of the narrowest type that holds all of `integers`.
static ElementsAttr makeNarrow(ArrayRef<int64_t> shape,
                               ArrayRef<int16_t> integers, Builder &b) {
  auto fits = [&](auto kind) {
    using Limits = std::numeric_limits<decltype(kind)>;
    return llvm::all_of(integers, [](int16_t integer) {
      return Limits::min() <= integer && integer <= Limits::max();
    });
  };
  auto make = [&](auto kind, bool isSigned) -> ElementsAttr {
    constexpr unsigned bits =
        std::numeric_limits<uint8_t>::digits * sizeof kind;
    Type element = isSigned ? b.getIntegerType(bits)
                            : b.getIntegerType(bits, /*isSigned=*/false);
    std::vector<decltype(kind)> narrow(integers.begin(), integers.end());
    return makeElements(RankedTensorType::get(shape, element),
                        ArrayRef(narrow));
  };
  if (fits(int8_t()))
    return make(int8_t(), /*isSigned=*/true);
  if (fits(uint8_t()))
    return make(uint8_t(), /*isSigned=*/false);
  return make(int16_t(), /*isSigned=*/true);
}

/// A convolution with a quantized filter: what is summed is multiplied by the
/// scales. Of one pixel, it is a product where that can be.
static LogicalResult multiplyIntegers(ConvOp op, PatternRewriter &rewriter) {
  if (!getElementTypeOrSelf(op->getOperand(0)).isF32())
    return rewriter.notifyMatchFailure(op, "multiplies no f32");
  std::optional<QuantizedMatrix> matrix = QuantizedMatrix::get(op.getFilter());
  if (!matrix || matrix->block != matrix->rows)
    return rewriter.notifyMatchFailure(
        op, "the filter has no scale for each output channel");
  // An infinite one makes NaN of weights that are zero.
  if (!llvm::all_of(getAsDoubles(matrix->scales),
                    [](double scale) { return std::isfinite(scale); }))
    return rewriter.notifyMatchFailure(op, "a scale is not finite");
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = getShape(op.getFilter());
  Value filter = ConstantOp::create(
      rewriter, loc,
      makeNarrow(shape, subtractZeros(*matrix, shape.back()), rewriter));
  auto sums = cast<ConvOp>(rewriter.clone(*op));
  sums.getFilterMutable().assign(filter);
  sums.getBiasMutable().clear();
  Value scales = ConstantOp::create(
      rewriter, loc, reshapeElements(matrix->scales, shape.take_back()));
  Value result =
      MulOp::create(rewriter, loc, op.getType(), sums.getResult(), scales);
  if (op.getBias())
    result = AddOp::create(rewriter, loc, op.getType(), result, op.getBias());
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct NBitsProducts : brisk::impl::NBitsProductsBase<NBitsProducts> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(multiplyNBits<MatmulOp>);
          patterns.add(multiplyNBits<ConvOp>, /*benefit=*/2);
          patterns.add(multiplyIntegers);
          addOnInterface(patterns, multiplyStates);
        })))
      signalPassFailure();
  }
};
} // namespace
