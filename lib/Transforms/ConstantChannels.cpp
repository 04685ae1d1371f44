//===- ConstantChannels.cpp - Channels that hold one number ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantChannels.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/ChannelGraph.h"
#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

/// Row by row; few rows are looked at for columns, unless there are zeros.
template <typename T>
static void findZeros(ArrayRef<T> weights, BitVector &rows,
                      BitVector &columns) {
  size_t width = columns.size(), height = rows.size();
  for (size_t begin = 0, row = 0; begin < weights.size(); begin += width) {
    ArrayRef<T> values = weights.slice(begin, width);
    if (height && rows[row] && llvm::any_of(values, [](T w) { return w != 0; }))
      rows.reset(row);
    for (int i = columns.find_first(); i >= 0; i = columns.find_next(i))
      if (values[i] != 0)
        columns.reset(i);
    row = row + 1 >= height ? 0 : row + 1;
  }
}

ZeroWeights::ZeroWeights(Operation *layer) {
  Value weights = layer->getOperand(1);
  ArrayRef<int64_t> shape = getShape(weights);
  columns.resize(shape.back(), true);
  if (!isDepthwise(layer))
    rows.resize(shape[shape.size() - 2], true);
  ElementBytes bytes(getConstant(weights));
  if (getElementTypeOrSelf(weights).isF32())
    findZeros(bytes.as<float>(), rows, columns);
  else
    findZeros(bytes.as<double>(), rows, columns);
}

static bool knowsAny(ArrayRef<std::optional<double>> numbers) {
  return llvm::any_of(numbers,
                      [](const auto &number) { return number.has_value(); });
}

ConstantChannelMap::Result
ConstantChannelMap::examineLayer(Operation *op) const {
  bool isAlone = isDepthwise(op);
  if (!isAlone && !mixesChannels(op))
    return std::nullopt;
  int64_t channels = getShape(op->getResult(0)).back();
  std::vector<double> bias(channels, 0);
  if (op->getNumOperands() > 2) {
    ElementsAttr constant = getConstant(op->getOperand(2));
    if (!constant)
      return std::nullopt;
    bias = getAsDoubles(constant);
  }
  BitVector isConstant = ZeroWeights(op).columns;
  // Padding is zeros, too.
  Value input = op->getOperand(0);
  const ConstantChannels *before = isAlone ? find(input) : nullptr;
  if (before && before->dim == static_cast<int64_t>(getShape(input).size()) - 1)
    for (auto [i, number] : llvm::enumerate(before->numbers))
      if (number == 0.0)
        isConstant.set(i);
  ConstantChannels result{
      static_cast<int64_t>(getShape(op->getResult(0)).size()) - 1, {}};
  result.numbers.resize(channels);
  for (unsigned i : isConstant.set_bits())
    result.numbers[i] = bias[i];
  return result;
}

/// A constant of one dimension, or of none for one number.
static Value makeNumbers(OpBuilder &b, Location loc, ArrayRef<double> numbers,
                         Type element) {
  SmallVector<int64_t> shape;
  if (numbers.size() != 1)
    shape.push_back(numbers.size());
  auto type = RankedTensorType::get(shape, element);
  auto make = [&](auto zero) -> ElementsAttr {
    std::vector<decltype(zero)> elements(numbers.begin(), numbers.end());
    return makeElements<decltype(zero)>(type, elements);
  };
  return ConstantOp::create(b, loc,
                            element.isF32() ? make(float()) : make(double()));
}

/// Of what is known, only zeros.
static ConstantChannels keepZeros(const ConstantChannels &channels) {
  ConstantChannels result = channels;
  for (std::optional<double> &number : result.numbers)
    if (number != 0.0)
      number.reset();
  return result;
}

/// A product with zeros, whatever the other factor is.
ConstantChannelMap::Result ConstantChannelMap::examineProduct(MulOp op) const {
  for (Value operand : op->getOperands())
    if (const ConstantChannels *channels = find(operand);
        channels && getShape(operand) == getShape(op))
      return keepZeros(*channels);
  return std::nullopt;
}

/// What an elementwise op gives for constants, each of one number or of
/// `count`: numbers that are finite.
static std::vector<std::optional<double>>
evaluate(Operation *op, ArrayRef<std::vector<double>> operands, int64_t count) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  OpBuilder b(op);
  SmallVector<Operation *> made;
  IRMapping map;
  for (auto [operand, numbers] : llvm::zip_equal(op->getOperands(), operands)) {
    Value constant = makeNumbers(b, op->getLoc(), numbers, element);
    made.push_back(constant.getDefiningOp());
    map.map(operand, constant);
  }
  Operation *copy = b.clone(*op, map);
  copy->getResult(0).setType(RankedTensorType::get(count, element));
  made.push_back(copy);
  SmallVector<OpFoldResult> folded;
  ElementsAttr attr;
  if (succeeded(copy->fold(folded)) && !folded.empty()) {
    if (auto same = dyn_cast<Value>(folded.front()))
      attr = getConstant(same);
    else
      attr = dyn_cast<ElementsAttr>(cast<Attribute>(folded.front()));
  }
  std::vector<std::optional<double>> result(count);
  if (attr) {
    std::vector<double> all = getAsDoubles(attr);
    for (int64_t i = 0; i < count; ++i)
      if (double number = all[all.size() == 1 ? 0 : i]; std::isfinite(number))
        result[i] = number;
  }
  for (Operation *temporary : llvm::reverse(made))
    temporary->erase();
  return result;
}

namespace {
/// The operands of an elementwise op along a dimension of its result.
struct Numbers {
  std::optional<int64_t> dim;
  /// Channels of which all operands are known.
  BitVector isKnown;
  SmallVector<std::vector<double>> operands;

  bool setDim(std::optional<int64_t> along) {
    if (along && dim && *along != *dim)
      return false;
    dim = along ? along : dim;
    return true;
  }
  bool add(const ConstantChannels &channels, ArrayRef<int64_t> shape,
           int64_t lacking) {
    int64_t along = lacking + channels.dim;
    if (!setDim(along) ||
        static_cast<int64_t>(channels.numbers.size()) != shape[along])
      return false;
    isKnown.resize(shape[along], true);
    operands.emplace_back();
    for (auto [i, number] : llvm::enumerate(channels.numbers)) {
      operands.back().push_back(number.value_or(0));
      if (!number)
        isKnown.reset(i);
    }
    return true;
  }
};
} // namespace

ConstantChannelMap::Result
ConstantChannelMap::examineElementwise(Operation *op) const {
  Value value = op->getResult(0);
  ArrayRef<int64_t> shape = getShape(value);
  Type element = getElementTypeOrSelf(value.getType());
  if (!isFoldable(value.getType()) ||
      llvm::any_of(op->getOperandTypes(), [&](Type type) {
        return getElementTypeOrSelf(type) != element;
      }))
    return std::nullopt;
  Numbers numbers;
  for (Value operand : op->getOperands()) {
    if (const ConstantChannels *channels = find(operand)) {
      int64_t lacking = shape.size() - getShape(operand).size();
      if (!numbers.add(*channels, shape, lacking))
        return std::nullopt;
    } else if (auto factor = getFactor(operand, shape)) {
      if (!numbers.setDim(factor->dim))
        return std::nullopt;
      numbers.operands.push_back(std::move(factor->values));
    } else {
      auto product = dyn_cast<MulOp>(op);
      return product ? examineProduct(product) : std::nullopt;
    }
  }
  if (numbers.isKnown.empty())
    return std::nullopt;
  ConstantChannels result{
      *numbers.dim, evaluate(op, numbers.operands, numbers.isKnown.size())};
  for (auto [i, number] : llvm::enumerate(result.numbers))
    if (!numbers.isKnown[i])
      number.reset();
  return result;
}

/// The channels stay a dimension of their own, or are folded with others.
ConstantChannelMap::Result
ConstantChannelMap::examineReshape(ReshapeOp op) const {
  const ConstantChannels *before = find(op.getInput());
  auto groups = op.getDimGroups();
  if (!before || !groups)
    return std::nullopt;
  const DimGroup *group = llvm::find_if(*groups, [&](const DimGroup &group) {
    return before->dim < static_cast<int64_t>(group.fromEnd);
  });
  ArrayRef<int64_t> from = getShape(op.getInput()), to = getShape(op);
  std::optional<int64_t> dim;
  for (size_t i = group->toBegin; i < group->toEnd; ++i) {
    if (to[i] != 1 && dim)
      return std::nullopt;
    if (to[i] != 1)
      dim = i;
  }
  if (!dim)
    return std::nullopt;
  int64_t inner = 1;
  for (size_t i = before->dim + 1; i < group->fromEnd; ++i)
    inner *= from[i];
  ConstantChannels result{*dim, {}};
  for (int64_t i = 0; i < to[*dim]; ++i)
    result.numbers.push_back(
        before->numbers[i / inner % before->numbers.size()]);
  return result;
}

ConstantChannelMap::Result
ConstantChannelMap::examineConcat(ConcatOp op) const {
  ConstantChannels result{op.getNormalizedAxis(), {}};
  for (Value input : op.getInputs()) {
    const ConstantChannels *before = find(input);
    if (before && before->dim == result.dim)
      llvm::append_range(result.numbers, before->numbers);
    else
      result.numbers.resize(result.numbers.size() +
                            getShape(input)[result.dim]);
  }
  return result;
}

/// An op with one operand that keeps the channels apart.
ConstantChannelMap::Result
ConstantChannelMap::examineDims(ComputeOpInterface op) const {
  const ConstantChannels *before =
      op->getNumOperands() ? find(op->getOperand(0)) : nullptr;
  if (!before || !op.hasKnownParameters() ||
      op.getScaling(0) != Scaling::Together)
    return std::nullopt;
  int64_t dim = op.getKeptDims(0)[before->dim];
  if (dim < 0)
    return std::nullopt;
  // Others a mean may round, and a sum is not.
  return ConstantChannels{
      dim, op.choosesElements() ? before->numbers : keepZeros(*before).numbers};
}

ConstantChannelMap::Result ConstantChannelMap::examine(Operation *op) const {
  if (isa<WeightedOpInterface>(op))
    return examineLayer(op);
  if (isa<ElementwiseOpInterface>(op))
    return examineElementwise(op);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return examineConcat(concat);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return examineReshape(reshape);
  return examineDims(cast<ComputeOpInterface>(op));
}

ConstantChannelMap::ConstantChannelMap(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<ComputeOpInterface>(op) && op->getNumResults() == 1)
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (Result result = examine(op); result && knowsAny(result->numbers))
      known.try_emplace(op->getResult(0), std::move(*result));
}
