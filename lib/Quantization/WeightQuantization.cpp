//===- WeightQuantization.cpp - Weights alone as few bits -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Quantization/WeightQuantization.h"
#include "ByteWeights.h"
#include "Constants.h"
#include "Probe.h"
#include "QuantizationPlan.h"
#include "RecurrentColumns.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

/// Rows of a column that share a scale, of weights of 4 bits.
static constexpr int64_t blockRows = 32;

/// Why the weights of a product stay floats; empty where they need not.
static StringRef whyNot(MatmulOp op) {
  return getShape(op.getRhs()).size() == 2 && getShape(op.getLhs()).size() >= 2
             ? ""
             : "its weights are no matrix";
}
static StringRef whyNot(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return whyNot(matmul);
  if (auto layer = dyn_cast<RecurrentOpInterface>(op))
    return layer.getWMutable().empty() ? ""
                                       : "its other weights are no constant";
  return isa<ConvOp, GatherOp>(op) ? "" : "there are no kernels for it";
}

/// True if a layer is a matrix product, as a convolution of each pixel by
/// itself is.
static bool isProduct(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv)
    return isa<MatmulOp>(op);
  auto isOne = [](int64_t size) { return size == 1; };
  auto isZero = [](int64_t pad) { return pad == 0; };
  return conv.getGroup() == 1 &&
         llvm::all_of(getShape(conv.getFilter()).drop_back(2), isOne) &&
         llvm::all_of(conv.getStrides(), isOne) &&
         llvm::all_of(conv.getResolvedPads(), isZero);
}

namespace {
/// What shares a scale: bytes of a column or of a row, or integers of 4 bits of
/// a block of rows of a column. Those of a recurrent layer's states are either,
/// a column for each output of a gate.
enum class Rounding { Columns, Rows, Blocks, States };
} // namespace

/// How a layer's weights are rounded: only those of products have blocks.
static Rounding getRounding(Operation *op, WeightBits bits) {
  if (isa<GatherOp>(op))
    return Rounding::Rows;
  if (isa<RecurrentOpInterface>(op))
    return Rounding::States;
  return bits == WeightBits::Four && isProduct(op) ? Rounding::Blocks
                                                   : Rounding::Columns;
}

/// The operand whose elements are a layer's weights; null for other ops, and
/// where it is computed.
static OpOperand *findWeights(Operation *op) {
  OpOperand *weights = nullptr;
  if (isa<WeightedOpInterface>(op))
    weights = &op->getOpOperand(1);
  else if (auto gather = dyn_cast<GatherOp>(op))
    weights = &gather.getDataMutable();
  else if (auto layer = dyn_cast<RecurrentOpInterface>(op))
    weights = &layer.getRMutable();
  return weights && getConstant(weights->get()) ? weights : nullptr;
}

/// Which rows are read of is a table of weights if it has more than one column.
static bool isTable(GatherOp op) {
  ArrayRef<int64_t> shape = getShape(op.getData());
  return shape.size() == 2 && shape.back() > 1 && op.getNormalizedAxis() == 0;
}

namespace {
/// A constant of floats, as integers and back.
struct NarrowWeights {
  Value floats; ///< what the integers stand for
  uint64_t bytes;
  double sqnr;
};

class WeightQuantizer {
public:
  WeightQuantizer(func::FuncOp function, WeightBits bits)
      : function(function), bits(bits), b(function.getContext()) {}

  WeightReport run();

private:
  Value dequantize(Value integers, Value scales) {
    auto type = cast<RankedTensorType>(integers.getType());
    return DequantizeOp::create(b, integers.getLoc(),
                                type.clone(b.getF32Type()), integers, scales,
                                Value(), b.getF32Type());
  }

  /// Bytes, with a scale for each element of the last dimension.
  NarrowWeights roundColumns(Value weights);
  /// Bytes, with a scale for each row.
  NarrowWeights roundRows(Value weights);
  /// Integers of 4 bits, with a scale for each block of rows of a column.
  NarrowWeights roundBlocks(Value weights);
  /// The matrix of a recurrent layer's states.
  NarrowWeights roundStates(Value weights);
  NarrowWeights narrow(Value weights, Rounding rounding);
  StringRef explain(Operation *op, ElementsAttr weights);

  func::FuncOp function;
  WeightBits bits;
  OpBuilder b;
  /// What became of constants, by how they are rounded.
  DenseMap<std::pair<Value, Rounding>, NarrowWeights> done;
};
} // namespace

/// The signal-to-noise ratio of weights that are off by `noise`, a sum of
/// squares.
static double toSqnr(ArrayRef<float> weights, double noise) {
  double signal = 0;
  for (double weight : weights)
    signal += weight * weight;
  constexpr double decibels = 10;
  return noise > 0 ? decibels * std::log10(signal / noise) : INFINITY;
}

/// The sum of squares of what rounding took from weights; element i has the
/// scale `scaleOf(i)`.
static double sumErrors(ArrayRef<float> weights, ArrayRef<int8_t> bytes,
                        function_ref<float(size_t)> scaleOf) {
  double noise = 0;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    double error = static_cast<double>(bytes[i]) * scaleOf(i) - weight;
    noise += error * error;
  }
  return noise;
}

NarrowWeights WeightQuantizer::roundColumns(Value weights) {
  ArrayRef<int64_t> shape = getShape(weights);
  ElementBytes elements(getConstant(weights));
  ArrayRef<float> floats = elements.as<float>();
  ByteWeights rounded = roundWeights(floats, shape.back());
  const std::vector<float> &scales = rounded.scales;
  double noise = sumErrors(floats, rounded.bytes,
                           [&](size_t i) { return scales[i % scales.size()]; });
  Location loc = weights.getLoc();
  return {
      dequantize(
          makeConstant<int8_t>(b, loc, shape, b.getI8Type(), rounded.bytes),
          makeConstant<float>(b, loc, shape.back(), b.getF32Type(), scales)),
      rounded.bytes.size() + scales.size() * sizeof(float),
      toSqnr(floats, noise)};
}

NarrowWeights WeightQuantizer::roundRows(Value weights) {
  ArrayRef<int64_t> shape = getShape(weights);
  ElementBytes elements(getConstant(weights));
  ArrayRef<float> floats = elements.as<float>();
  std::vector<int8_t> bytes;
  std::vector<float> scales;
  bytes.reserve(floats.size());
  for (ArrayRef<float> rest = floats; !rest.empty();
       rest = rest.drop_front(shape.back())) {
    ByteWeights row = roundWeights(rest.take_front(shape.back()), 1);
    llvm::append_range(bytes, row.bytes);
    scales.push_back(row.scales.front());
  }
  double noise = sumErrors(floats, bytes,
                           [&](size_t i) { return scales[i / shape.back()]; });
  Location loc = weights.getLoc();
  return {dequantize(makeConstant<int8_t>(b, loc, shape, b.getI8Type(), bytes),
                     makeConstant<float>(b, loc, {shape.front(), 1},
                                         b.getF32Type(), scales)),
          bytes.size() + scales.size() * sizeof(float), toSqnr(floats, noise)};
}

NarrowWeights WeightQuantizer::roundBlocks(Value weights) {
  ArrayRef<int64_t> shape = getShape(weights);
  int64_t columns = shape.back(),
          rows = ShapedType::getNumElements(shape) / columns;
  int64_t blocks = llvm::divideCeilSigned(rows, blockRows);
  ElementBytes elements(getConstant(weights));
  ArrayRef<float> floats = elements.as<float>();
  std::vector<int8_t> integers;
  std::vector<float> scales;
  for (ArrayRef<float> rest = floats; !rest.empty();) {
    auto block =
        rest.take_front(std::min<size_t>(blockRows * columns, rest.size()));
    ByteWeights rounded =
        roundWeights(block, columns, {.least = -8, .greatest = 7});
    llvm::append_range(integers, rounded.bytes);
    llvm::append_range(scales, rounded.scales);
    rest = rest.drop_front(block.size());
  }
  double noise = sumErrors(floats, integers, [&](size_t i) {
    return scales[i / columns / blockRows * columns + i % columns];
  });
  // The last block may lack rows; two integers lie in a byte.
  integers.resize(blocks * blockRows * columns, 0);
  std::vector<uint8_t> packed(integers.size() / 2);
  constexpr unsigned low = 15;
  for (auto [i, byte] : llvm::enumerate(packed))
    byte = static_cast<uint8_t>((integers[2 * i] & low) |
                                (integers[2 * i + 1] & low) << 4);
  Location loc = weights.getLoc();
  Value bytes =
      makeConstant<uint8_t>(b, loc, static_cast<int64_t>(packed.size()),
                            b.getIntegerType(8, /*isSigned=*/false), packed);
  SmallVector<int64_t> blocked{blocks, blockRows, columns};
  Value back = dequantize(
      UnpackBitsOp::create(b, loc, bytes, /*bits=*/4, blocked, b.getI8Type()),
      makeConstant<float>(b, loc, {blocks, 1, columns}, b.getF32Type(),
                          scales));
  back = makeReshape(b, loc, back, {blocks * blockRows, columns});
  if (blocks * blockRows != rows)
    back = SliceOp::create(
        b, loc, RankedTensorType::get({rows, columns}, b.getF32Type()), back,
        makeInts(b, loc, {0}), makeInts(b, loc, {rows}), makeInts(b, loc, {0}),
        Value());
  return {makeReshape(b, loc, back, shape),
          packed.size() + scales.size() * sizeof(float), toSqnr(floats, noise)};
}

NarrowWeights WeightQuantizer::roundStates(Value weights) {
  RecurrentColumns columns(weights);
  Value matrix = ConstantOp::create(b, weights.getLoc(),
                                    columns.get(getConstant(weights)));
  NarrowWeights result =
      bits == WeightBits::Eight ? roundColumns(matrix) : roundBlocks(matrix);
  result.floats = columns.restore(b, result.floats);
  return result;
}

NarrowWeights WeightQuantizer::narrow(Value weights, Rounding rounding) {
  auto round = [&] {
    switch (rounding) {
    case Rounding::Columns:
      return roundColumns(weights);
    case Rounding::Rows:
      return roundRows(weights);
    case Rounding::Blocks:
      return roundBlocks(weights);
    case Rounding::States:
      return roundStates(weights);
    }
    llvm_unreachable("a way to round");
  };
  auto [found, isNew] = done.try_emplace({weights, rounding});
  if (isNew) {
    b.setInsertionPointAfterValue(weights);
    found->second = round();
  }
  return found->second;
}

StringRef WeightQuantizer::explain(Operation *op, ElementsAttr weights) {
  if (!weights.getElementType().isF32())
    return "its weights are not of f32";
  if (weights.getNumElements() == 0 || !isFinite(weights))
    return "its weights are not finite";
  return whyNot(op);
}

WeightReport WeightQuantizer::run() {
  WeightReport report;
  SmallVector<OpOperand *> layers;
  function.walk([&](Operation *op) {
    auto gather = dyn_cast<GatherOp>(op);
    OpOperand *weights = findWeights(op);
    if (weights &&
        (!gather || (isTable(gather) &&
                     isa<FloatType>(getElementTypeOrSelf(gather.getType())))))
      layers.push_back(weights);
  });
  for (OpOperand *operand : layers) {
    Operation *op = operand->getOwner();
    Value weights = operand->get();
    ElementsAttr constant = getConstant(weights);
    uint64_t floatBytes =
        constant.getNumElements() * getElementBytes(constant.getElementType());
    WeightReport::Layer layer{getLayerName(op), 32,
                              floatBytes,       floatBytes,
                              INFINITY,         explain(op, constant).str()};
    if (layer.reason.empty()) {
      Rounding rounding = getRounding(op, bits);
      NarrowWeights narrowed = narrow(weights, rounding);
      operand->set(narrowed.floats);
      bool isByte = rounding == Rounding::Columns || rounding == Rounding::Rows;
      layer.bits = isByte ? 8 : static_cast<int64_t>(bits);
      layer.bytes = narrowed.bytes;
      layer.sqnr = narrowed.sqnr;
    }
    report.layers.push_back(std::move(layer));
  }
  return report;
}

WeightReport brisk::quantizeWeights(ModuleOp module, WeightBits bits) {
  return WeightQuantizer(getModelFunction(module), bits).run();
}
