//===- IntegerProducts.cpp - Products of quantized values as integers -----===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution or matrix product of what quantized values stand for is one of
// the integers themselves, whose sums are dequantized:
//
//   sum (x - zx) * sx * w * sw + b = (sum x * w + (b / (sx * sw) - zx * sum w))
//                                    * (sx * sw)
//
// What is in front of the first factor, but for x and w, is constant: a bias.
// Of two values that are computed it is found in the run: ValueProducts.h.
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "Quantized.h"
#include "ValueProducts.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_INTEGERPRODUCTS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// Constant integers, each channel with a scale of its own.
struct QuantizedWeights {
  Value integers;
  /// One for each channel, or one for all.
  PerChannel scales = {1};
  /// The sum of each channel's weights, and of their absolute values.
  std::vector<int64_t> sums, magnitudes;

  static std::optional<QuantizedWeights> get(Value value);
};
} // namespace

std::optional<QuantizedWeights> QuantizedWeights::get(Value value) {
  auto weights = value.getDefiningOp<DequantizeOp>();
  if (!weights ||
      !getElementTypeOrSelf(weights.getInput().getType()).isInteger(8) ||
      getShape(weights.getInput()) != getShape(weights))
    return std::nullopt;
  ElementsAttr constant = getConstant(weights.getInput());
  if (!constant)
    return std::nullopt;
  ArrayRef<int64_t> shape = getShape(weights);
  int64_t channels = shape.back(),
          last = static_cast<int64_t>(shape.size()) - 1;
  QuantizedWeights result;
  result.integers = weights.getInput();
  if (weights.getScale()) {
    auto factor = getFactor(weights.getScale(), shape);
    if (!factor || (factor->dim && *factor->dim != last))
      return std::nullopt;
    result.scales = std::move(factor->values);
  }
  if (weights.getZeroPoint() && getInteger(weights.getZeroPoint()) != 0)
    return std::nullopt;
  if (ElementsAttr one = getSplatElement(constant)) {
    // Not written out; far more rows than sums of 32 bits hold.
    int64_t rows = constant.getNumElements() / std::max<int64_t>(channels, 1);
    constexpr int64_t most = 1 << 24;
    if (rows > most || channels > most)
      return std::nullopt;
    int64_t weight = getAsInts(one).front();
    result.sums.assign(channels, weight * rows);
    result.magnitudes.assign(channels, std::abs(weight) * rows);
    return result;
  }
  result.sums.assign(channels, 0);
  result.magnitudes.assign(channels, 0);
  bool isUnsigned = constant.getElementType().isUnsignedInteger();
  ElementBytes bytes(constant);
  for (auto [i, byte] : llvm::enumerate(bytes.as<int8_t>())) {
    int64_t weight = isUnsigned ? static_cast<uint8_t>(byte) : byte;
    // Of convolutions and products by matrices the last dimension.
    result.sums[i % channels] += weight;
    result.magnitudes[i % channels] += std::abs(weight);
  }
  return result;
}

static bool isPadded(ConvOp op) {
  return llvm::any_of(op.getResolvedPads(), [](int64_t pad) { return pad; });
}
static bool isPadded(MatmulOp) { return false; }

static Value makeSums(PatternRewriter &rewriter, ConvOp op, Value input,
                      int64_t zero, Value weights, Value bias) {
  SmallVector<int64_t> pads = op.getResolvedPads();
  if (zero != 0 && isPadded(op)) {
    Value margin = makeInteger(rewriter, op.getLoc(),
                               getElementTypeOrSelf(input.getType()), zero);
    input = makeSpatialPad(rewriter, op.getLoc(), input, pads, margin);
    llvm::fill(pads, 0);
  }
  auto type = cast<RankedTensorType>(op.getType());
  return ConvOp::create(rewriter, op.getLoc(),
                        type.clone(rewriter.getI32Type()), input, weights, bias,
                        op.getStrides(), pads, op.getDilations(), op.getGroup(),
                        AutoPad::Notset);
}

static Value makeSums(PatternRewriter &rewriter, MatmulOp op, Value input,
                      int64_t, Value weights, Value bias) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType()).clone(rewriter.getI32Type());
  Value sums = MatmulOp::create(rewriter, loc, type, input, weights);
  return bias ? AddOp::create(rewriter, loc, type, sums, bias).getResult()
              : sums;
}

/// `sums` less what the zero point adds to each channel.
static Value subtractZero(PatternRewriter &rewriter, Location loc, Value sums,
                          Value zeroPoint, ArrayRef<int64_t> weightSums) {
  Type i32 = rewriter.getI32Type();
  std::vector<int32_t> narrow(weightSums.begin(), weightSums.end());
  auto type = RankedTensorType::get({static_cast<int64_t>(narrow.size())}, i32);
  Value perChannel =
      ConstantOp::create(rewriter, loc, makeElements(type, ArrayRef(narrow)));
  Value zero = CastOp::create(rewriter, loc,
                              makeReshape(rewriter, loc, zeroPoint, {}), i32);
  Value offset = MulOp::create(rewriter, loc, type, perChannel, zero);
  return SubOp::create(rewriter, loc, sums.getType(), sums, offset);
}

/// Why a product cannot be one of integers; empty where it can.
static StringRef whyNot(ConvOp op) {
  if (llvm::any_of(op.getResolvedPads(), [](int64_t pad) { return pad < 0; }))
    return "has negative or unknown padding";
  return "";
}
static StringRef whyNot(MatmulOp op) {
  return getShape(op.getRhs()).size() == 2 && getShape(op.getLhs()).size() >= 2
             ? ""
             : "multiplies vectors, or several matrices of weights";
}

/// What the sum of each channel starts from: the bias, less what the input's
/// zero point adds. None where sums may go beyond 32 bits.
static std::optional<SmallVector<int32_t>>
getStarts(const Quantized &input, const QuantizedWeights &weights,
          ArrayRef<int64_t> bias) {
  SmallVector<int32_t> starts;
  constexpr int64_t largestByte = 255;
  for (auto [channel, sum] : llvm::enumerate(weights.sums)) {
    int64_t start = bias.empty() ? 0 : bias[bias.size() == 1 ? 0 : channel];
    // A byte and a zero point are at most that far apart, whatever their
    // sign. Half of what 32 bits hold is left for a bias that is added later.
    int64_t largest = largestByte * weights.magnitudes[channel];
    if (!llvm::isInt<31>(std::abs(start) + largest))
      return std::nullopt;
    starts.push_back(static_cast<int32_t>(start - input.zero * sum));
  }
  return starts;
}

namespace {
template <typename OpT> struct IntegerProduct : OpRewritePattern<OpT> {
  IntegerProduct(MLIRContext *context, const Isa &isa)
      : OpRewritePattern<OpT>(context), isa(isa) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    std::optional<Quantized> input = Quantized::get(op->getOperand(0));
    if (!input)
      return rewriter.notifyMatchFailure(
          op, "the input is not quantized by one scale");
    auto weights = QuantizedWeights::get(op->getOperand(1));
    if (!weights)
      return rewriter.notifyMatchFailure(
          op, "the weights are not quantized constants of channels");
    if (StringRef reason = whyNot(op); !reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    if (input->runtimeZero && isPadded(op))
      return rewriter.notifyMatchFailure(op, "the padding is not constant");
    Type element = getElementTypeOrSelf(op.getType());
    if (element.isF64())
      return rewriter.notifyMatchFailure(op, "scales are rounded to f32");
    IntegerType other = getOtherInput(isa, input->integers.getType(),
                                      weights->integers.getType());
    if (other)
      input->zero += getShiftTo(other);
    PerChannel scales = weights->scales;
    for (double &scale : scales) {
      scale *= input->scale;
      if (!std::isnormal(static_cast<float>(scale)))
        return rewriter.notifyMatchFailure(op, "a scale is out of range");
    }
    QuantizedBias bias = QuantizedBias::get(
        op->getNumOperands() > 2 ? op->getOperand(2) : Value(), scales);
    auto starts = getStarts(*input, *weights, bias.integers);
    if (!starts)
      return rewriter.notifyMatchFailure(
          op, "sums with a bias may go beyond 32 bits");
    Location loc = op.getLoc();
    auto startType = RankedTensorType::get(
        {static_cast<int64_t>(starts->size())}, rewriter.getI32Type());
    Value start =
        llvm::all_of(*starts, [](int32_t v) { return v == 0; })
            ? Value()
            : ConstantOp::create(rewriter, loc,
                                 makeElements(startType, ArrayRef(*starts)));
    if (other)
      input->integers = changeSign(rewriter, loc, input->integers, other);
    Value sums = makeSums(rewriter, op, input->integers, input->zero,
                          weights->integers, start);
    if (input->runtimeZero)
      sums =
          subtractZero(rewriter, loc, sums, input->runtimeZero, weights->sums);
    Value result = sums;
    if (!element.isInteger()) {
      SmallVector<int64_t> shape;
      if (scales.size() > 1)
        shape.push_back(static_cast<int64_t>(scales.size()));
      result = DequantizeOp::create(rewriter, loc, op.getType(), sums,
                                    makeFloats(rewriter, loc, scales, shape),
                                    Value(), element);
    }
    // Of integers too, where it is not constant.
    if (bias.floats)
      result = AddOp::create(rewriter, loc, op.getType(), result, bias.floats);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  const Isa &isa;
};

struct IntegerProducts : brisk::impl::IntegerProductsBase<IntegerProducts> {
  void runOnOperation() override {
    const Isa *isa = findIsa(getOperation());
    if (!isa)
      return;
    if (failed(
            rewriteFunction(getOperation(), [&](RewritePatternSet &patterns) {
              patterns.add<IntegerProduct<ConvOp>, IntegerProduct<MatmulOp>>(
                  &getContext(), *isa);
              patterns.add<ValueProduct>(&getContext(), *isa);
            })))
      signalPassFailure();
  }
};
} // namespace
