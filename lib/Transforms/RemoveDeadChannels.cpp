//===- RemoveDeadChannels.cpp - Removes channels that change nothing ------===//
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
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/ChannelGraph.h"
#include "brisk/Transforms/Passes.h"

namespace brisk {
#define GEN_PASS_DEF_REMOVEDEADCHANNELS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// The places of a dimension that stay.
using Places = SmallVector<int64_t, 0>;

/// A constant with some places of a dimension.
static ElementsAttr keepPlaces(ElementsAttr attr, int64_t dim,
                               ArrayRef<int64_t> kept) {
  auto type = cast<RankedTensorType>(attr.getShapedType());
  SmallVector<int64_t> shape(type.getShape());
  size_t size = shape[dim];
  shape[dim] = kept.size();
  if (ElementsAttr one = getSplatElement(attr))
    return makeSplat(type.clone(shape), ElementBytes(one).bytes());
  size_t inner = getElementBytes(type.getElementType());
  for (int64_t following : ArrayRef(shape).drop_front(dim + 1))
    inner *= following;
  ElementBytes bytes(attr);
  return makeElements(type.clone(shape), [&](MutableArrayRef<char> result) {
    char *to = result.data();
    for (size_t begin = 0; begin < bytes.size(); begin += size * inner)
      for (int64_t place : kept)
        to = llvm::copy(bytes.bytes().slice(begin + place * inner, inner), to);
  });
}

namespace {
class DeadChannels {
public:
  explicit DeadChannels(func::FuncOp function)
      : function(function), graph(function), known(function),
        needed(graph.countChannels()) {}

  /// False if there are none.
  bool remove();

private:
  /// An input channel that is constant, and that nothing but biases has to know
  /// of.
  struct Folded {
    unsigned channel;
    Operation *layer;
    int64_t row;
    double number;
  };

  void examineReads(Operation *layer);
  /// Something is left of every dimension.
  void keepOneOfEach();
  /// Adds what goes to the bias; gives the op that does, if it is a new one.
  Operation *fold(Operation *layer);
  void findKept();
  ArrayRef<int64_t> getKept(Value value, int64_t dim) const;
  void keepOf(OpOperand &operand, int64_t dim, ArrayRef<int64_t> kept);
  void shrinkLayer(Operation *layer);
  void shrinkConstants(ComputeOpInterface op);
  void shrinkResize(ResizeOp op);
  void shrinkSlice(SliceOp op);
  void shrink(Operation *op);

  func::FuncOp function;
  ChannelGraph graph;
  ConstantChannelMap known;
  BitVector needed;
  std::vector<Folded> folded;
  /// Of values that become smaller: for each dimension, the places that stay,
  /// or none where all do.
  DenseMap<Value, SmallVector<Places, 4>> kept;
};
} // namespace

/// Numbers other than zero can be folded where padding does not join them.
static bool hasNoPadding(Operation *layer) {
  auto conv = dyn_cast<ConvOp>(layer);
  return conv ? llvm::all_of(conv.getResolvedPads(),
                             [](int64_t pad) { return pad == 0; })
              : isa<MatmulOp>(layer);
}

/// What input channels with these numbers add to each output channel.
static PerChannel
getOffsets(Operation *layer,
           ArrayRef<std::pair<int64_t, double>> rowsAndNumbers) {
  Value operand = layer->getOperand(1);
  ArrayRef<int64_t> shape = getShape(operand);
  int64_t columns = shape.back(), rows = shape[shape.size() - 2];
  std::vector<double> weights = getAsDoubles(getConstant(operand));
  PerChannel offsets(columns, 0);
  for (auto [row, number] : rowsAndNumbers)
    for (size_t begin = row * columns; begin < weights.size();
         begin += rows * columns)
      for (int64_t i = 0; i < columns; ++i)
        offsets[i] += weights[begin + i] * number;
  return offsets;
}

static SmallVector<int64_t> getSmallerShape(Value value,
                                            ArrayRef<Places> dims) {
  SmallVector<int64_t> shape(getShape(value));
  for (auto [size, places] : llvm::zip_equal(shape, dims))
    size = places.empty() ? size : places.size();
  return shape;
}

/// True if the layer's result can be offset by way of its bias or of an op that
/// adds one.
static bool canAdd(Operation *layer, const PerChannel &offsets) {
  return isa<MatmulOp>(layer) ? !isLargeOffset(layer, offsets)
                              : canOffset(layer, offsets);
}

void DeadChannels::examineReads(Operation *layer) {
  Value input = layer->getOperand(0);
  int64_t dim = getShape(input).size() - 1;
  ZeroWeights zeros(layer);
  const ConstantChannels *channels = known.find(input);
  bool isKnown = channels && channels->dim == dim;
  SmallVector<std::pair<int64_t, double>> constant;
  bool mayFold = isKnown && hasNoPadding(layer);
  if (mayFold) {
    for (auto [row, number] : llvm::enumerate(channels->numbers))
      if (number)
        constant.emplace_back(row, *number);
    mayFold = canAdd(layer, getOffsets(layer, constant));
  }
  for (int64_t row = 0; row < static_cast<int64_t>(zeros.rows.size()); ++row) {
    if (zeros.rows[row])
      continue;
    unsigned channel = graph.getChannel(input, dim, row);
    std::optional<double> number;
    if (isKnown)
      number = channels->numbers[row];
    if (number && (*number == 0 || mayFold))
      folded.push_back({channel, layer, row, *number});
    else
      needed.set(channel);
  }
}

void DeadChannels::keepOneOfEach() {
  for (Value value : graph.getValues())
    for (auto [dim, size] : llvm::enumerate(getShape(value))) {
      bool isLeft = size == 0;
      for (int64_t place = 0; place < size && !isLeft; ++place)
        isLeft = needed[graph.getChannel(value, dim, place)];
      if (!isLeft)
        needed.set(graph.getChannel(value, dim, 0));
    }
}

Operation *DeadChannels::fold(Operation *layer) {
  SmallVector<std::pair<int64_t, double>> constant;
  for (const Folded &fold : folded)
    if (fold.layer == layer && fold.number != 0 && !needed[fold.channel])
      constant.emplace_back(fold.row, fold.number);
  if (constant.empty())
    return nullptr;
  PerChannel offsets = getOffsets(layer, constant);
  PatternRewriter rewriter(layer->getContext());
  if (!isa<MatmulOp>(layer)) {
    offset(layer, offsets, rewriter);
    return nullptr;
  }
  Value result = layer->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  auto biasType = type.clone(type.getShape().take_back());
  rewriter.setInsertionPointAfter(layer);
  auto make = [&](auto zero) -> ElementsAttr {
    std::vector<decltype(zero)> elements(offsets.begin(), offsets.end());
    return makeElements<decltype(zero)>(biasType, elements);
  };
  Value bias = ConstantOp::create(
      rewriter, layer->getLoc(),
      type.getElementType().isF32() ? make(float()) : make(double()));
  auto sum = AddOp::create(rewriter, layer->getLoc(), type, result, bias);
  rewriter.replaceAllUsesExcept(result, sum, sum);
  if (auto it = kept.find(result); it != kept.end()) {
    SmallVector<Places, 4> dims = it->second;
    kept.try_emplace(sum, std::move(dims));
  }
  return sum;
}

void DeadChannels::findKept() {
  for (Value value : graph.getValues()) {
    SmallVector<Places, 4> dims;
    bool isSmaller = false;
    for (auto [dim, size] : llvm::enumerate(getShape(value))) {
      Places &places = dims.emplace_back();
      for (int64_t place = 0; place < size; ++place)
        if (needed[graph.getChannel(value, dim, place)])
          places.push_back(place);
      if (static_cast<int64_t>(places.size()) == size)
        places.clear();
      isSmaller |= !places.empty();
    }
    if (isSmaller)
      kept.try_emplace(value, std::move(dims));
  }
}

/// Nothing where all places stay.
ArrayRef<int64_t> DeadChannels::getKept(Value value, int64_t dim) const {
  auto it = kept.find(value);
  return it == kept.end() ? ArrayRef<int64_t>() : it->second[dim];
}

void DeadChannels::keepOf(OpOperand &operand, int64_t dim,
                          ArrayRef<int64_t> kept) {
  if (kept.empty())
    return;
  OpBuilder b(operand.getOwner());
  operand.set(
      ConstantOp::create(b, operand.get().getLoc(),
                         keepPlaces(getConstant(operand.get()), dim, kept)));
}

void DeadChannels::shrinkLayer(Operation *layer) {
  Value input = layer->getOperand(0), result = layer->getResult(0);
  OpOperand &weights = layer->getOpOperand(1);
  int64_t last = getShape(weights.get()).size() - 1;
  ArrayRef<int64_t> columns = getKept(result, getShape(result).size() - 1);
  if (isDepthwise(layer)) {
    if (!columns.empty())
      cast<ConvOp>(layer).setGroup(columns.size());
  } else {
    keepOf(weights, last - 1, getKept(input, getShape(input).size() - 1));
  }
  keepOf(weights, last, columns);
  if (layer->getNumOperands() > 2)
    keepOf(layer->getOpOperand(2), 0, columns);
}

/// Constants that an op computes with become smaller where its result does.
void DeadChannels::shrinkConstants(ComputeOpInterface op) {
  if (op->getNumResults() != 1 || !op.hasKnownParameters())
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (!getConstant(operand.get()) || op.isParameter(number))
      continue;
    for (auto [dim, to] : llvm::enumerate(op.getKeptDims(number)))
      if (to >= 0)
        keepOf(operand, dim, getKept(op->getResult(0), to));
  }
}

/// The sizes that a resize is asked for, of dimensions that become smaller. It
/// makes of the others what it did: their sizes may say more than the result's.
void DeadChannels::shrinkResize(ResizeOp op) {
  auto it = kept.find(op);
  if (it == kept.end() || !op.getSizes())
    return;
  std::vector<int64_t> sizes = getAsInts(getConstant(op.getSizes()));
  auto axes = op.getAxes();
  int64_t rank = getShape(op).size();
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t axis = axes ? (*axes)[i] : static_cast<int64_t>(i);
    const Places &places = it->second[axis < 0 ? axis + rank : axis];
    size = places.empty() ? size : static_cast<int64_t>(places.size());
  }
  OpBuilder b(op);
  op.getSizesMutable().assign(makeInts(b, op.getLoc(), sizes));
}

void DeadChannels::shrinkSlice(SliceOp op) {
  SmallVector<int64_t> starts, ends, axes;
  for (auto [dim, range] : llvm::enumerate(*op.getSlices())) {
    ArrayRef<int64_t> from = getKept(op.getInput(), dim);
    auto count = [&](int64_t end) -> int64_t {
      return from.empty() ? end : llvm::lower_bound(from, end) - from.begin();
    };
    starts.push_back(count(range.start));
    ends.push_back(count(range.start + range.size));
    axes.push_back(dim);
  }
  OpBuilder b(op);
  op.getStartsMutable().assign(makeInts(b, op.getLoc(), starts));
  op.getEndsMutable().assign(makeInts(b, op.getLoc(), ends));
  op.getAxesMutable().assign(makeInts(b, op.getLoc(), axes));
  op.getStepsMutable().clear();
}

/// Lets an op compute what is left. Types follow when all ops have been seen.
void DeadChannels::shrink(Operation *op) {
  if (mixesChannels(op) || isDepthwise(op))
    return shrinkLayer(op);
  if (auto slice = dyn_cast<SliceOp>(op)) {
    if (kept.contains(slice.getInput()))
      shrinkSlice(slice);
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto it = kept.find(reshape);
    if (it == kept.end())
      return;
    OpBuilder b(op);
    reshape.getShapeMutable().assign(
        makeInts(b, op->getLoc(), getSmallerShape(it->first, it->second)));
  } else if (auto resize = dyn_cast<ResizeOp>(op)) {
    shrinkResize(resize);
  } else if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
    shrinkConstants(compute);
  }
}

bool DeadChannels::remove() {
  SmallVector<Operation *> ops, layers;
  function.walk([&](Operation *op) {
    ops.push_back(op);
    if (mixesChannels(op))
      layers.push_back(op);
  });
  for (unsigned channel = 0; channel < needed.size(); ++channel)
    if (graph.isPinned(channel))
      needed.set(channel);
  for (Operation *layer : layers)
    examineReads(layer);
  keepOneOfEach();
  findKept();
  if (kept.empty())
    return false;
  for (Operation *layer : layers)
    if (Operation *sum = fold(layer))
      ops.push_back(sum);
  for (Operation *op : ops)
    shrink(op);
  for (auto &[value, dims] : kept) {
    Value smaller = value;
    smaller.setType(cast<RankedTensorType>(value.getType())
                        .clone(getSmallerShape(value, dims)));
  }
  return true;
}

/// Looks at little where, as in most models, nothing is to be found.
static bool hasZeros(func::FuncOp function) {
  auto find = [](Operation *op) {
    if (!mixesChannels(op) && !isDepthwise(op))
      return WalkResult::advance();
    ZeroWeights zeros(op);
    return zeros.rows.any() || zeros.columns.any() ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  };
  return function.walk(find).wasInterrupted();
}

namespace {
struct RemoveDeadChannels
    : brisk::impl::RemoveDeadChannelsBase<RemoveDeadChannels> {
  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    if (!ChannelGraph::canHold(getOperation()))
      return;
    // What is left may have become zeros only.
    while (hasZeros(getOperation()) && DeadChannels(getOperation()).remove()) {
    }
  }
};
} // namespace
