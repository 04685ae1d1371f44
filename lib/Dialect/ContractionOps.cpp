//===- ContractionOps.cpp - Convolution, matrix products ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Einsum.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Ops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/ContractionOps.cpp.inc"

/// The elements of a product's result: those of its operands, or i32 where they
/// are 8-bit integers, of which one may have a sign and the other none, or f32
/// where one is and the other has 16-bit floats, or where the left one is and
/// the right one has integers of 8 or 16 bits.
static FailureOr<Type> inferProductElement(OptionalLoc loc, Value lhs,
                                           Value rhs) {
  Type left = elementOf(lhs), right = elementOf(rhs);
  if (left.isInteger(8) && right.isInteger(8))
    return Type(IntegerType::get(left.getContext(), 32));
  if (left != right && left.isF32() && getSumType(right).isF32())
    return left;
  if (left.isF32() && (right.isInteger(8) || right.isInteger(16)))
    return left;
  if (left != right && right.isF32() && getSumType(left).isF32())
    return right;
  if (left != right)
    return emitOptionalError(loc, "operands have elements of types ", left,
                             " and ", right,
                             ", expected one type, 8-bit integers, 16-bit "
                             "floats and f32, or f32 and "
                             "integers of at most 16 bits");
  return left;
}

/// What both convolutions demand of filter and bias, `outputs` being the number
/// of output channels.
static LogicalResult checkConv(OptionalLoc loc, RankedTensorType input,
                               RankedTensorType filter, Value bias,
                               Type element, int64_t group, int64_t outputs) {
  if (input.getRank() < 3)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected N x spatial x C");
  if (filter.getRank() != input.getRank())
    return emitOptionalError(loc, "filter has ", filter.getRank(),
                             " dimensions and input ", input.getRank());
  if (group < 1)
    return emitOptionalError(loc, "group is ", group,
                             ", expected a positive number");
  if (bias && elementOf(bias) != element &&
      elementOf(bias) != getSumType(element))
    return emitOptionalError(loc, "result has elements of type ", element,
                             " and bias of type ", elementOf(bias));
  RankedTensorType type = bias ? ranked(bias) : nullptr;
  if (type && (type.getRank() != 1 || !mayEqual(type.getDimSize(0), outputs)))
    return emitOptionalError(loc, "bias has type ", type, ", expected ",
                             outputs, " elements, one for each output channel");
  return success();
}

template <bool isTransposed, typename Op>
static FailureOr<Window> findWindow(Op op, OptionalLoc loc) {
  RankedTensorType input = ranked(op.getInput());
  RankedTensorType filter = ranked(op.getFilter());
  if (!input || !filter)
    return failure();
  ArrayRef<int64_t> spatial = input.getShape().drop_front().drop_back();
  ArrayRef<int64_t> kernel = filter.getShape().drop_back(2);
  if constexpr (isTransposed)
    return resolveTransposedWindow(
        loc, spatial, kernel, op.getStrides(), op.getPads(), op.getDilations(),
        op.getAutoPad(), op.getOutputPadding(), op.getOutputShape());
  else
    return resolveWindow(loc, spatial, kernel, op.getStrides(), op.getPads(),
                         op.getDilations(), op.getAutoPad(),
                         /*ceilMode=*/false);
}

/// A filter says how many input channels a group takes or, transposed, how many
/// output channels it gives.
template <bool isTransposed, typename Adaptor>
static LogicalResult inferConv(OptionalLoc loc, Adaptor op, Types &results) {
  FailureOr<Type> element =
      inferProductElement(loc, op.getInput(), op.getFilter());
  if (failed(element))
    return failure();
  RankedTensorType input = ranked(op.getInput());
  RankedTensorType filter = ranked(op.getFilter());
  if (!input || !filter)
    return giveUnranked(results, *element);
  // Ranks are looked at below.
  int64_t group = op.getGroup();
  int64_t outputs = filter.getRank() ? filter.getShape().back() : dynamic;
  if (isTransposed && !isDynamic(outputs))
    outputs = multiply(outputs, group);
  if (failed(checkConv(loc, input, filter, op.getBias(), *element, group,
                       outputs)))
    return failure();
  int64_t channels = input.getShape().back();
  int64_t taken = filter.getShape().drop_back().back();
  if (!isTransposed && !isDynamic(taken))
    taken = multiply(taken, group);
  if (!mayEqual(channels, taken))
    return emitOptionalError(loc, "filter takes ", taken, " input channels in ",
                             group, " groups and input has ", channels);
  int64_t divided = isTransposed ? channels : outputs;
  if (!isDynamic(divided) && divided % group)
    return emitOptionalError(loc, divided, isTransposed ? " input" : " output",
                             " channels do not divide into ", group, " groups");
  FailureOr<Window> window = findWindow<isTransposed>(op, loc);
  if (failed(window))
    return failure();
  SmallVector<int64_t> shape{input.getDimSize(0)};
  shape.append(isTransposed ? window->input : window->output);
  shape.push_back(outputs);
  return give(loc, results, shape, *element);
}

FailureOr<Window> ConvOp::getWindow() {
  return findWindow<false>(*this, std::nullopt);
}

SmallVector<int64_t> ConvOp::getResolvedPads() {
  FailureOr<Window> window = getWindow();
  return failed(window) ? SmallVector<int64_t>() : window->getPads();
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                       Adaptor op, Types &results) {
  return inferConv<false>(loc, op, results);
}

void ConvOp::addSpatialDim() { prependWindowDim(*this); }

/// All of a filter but its output channels meets each result.
uint64_t ConvOp::countFlops() {
  ArrayRef<int64_t> taps = getFilter().getType().getShape().drop_back();
  return countResults() *
         (2 * ShapedType::getNumElements(taps) + (getBias() ? 1 : 0));
}

FailureOr<Window> ConvTransposeOp::getWindow() {
  return findWindow<true>(*this, std::nullopt);
}

LogicalResult ConvTransposeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                                Adaptor op, Types &results) {
  return inferConv<true>(loc, op, results);
}

void ConvTransposeOp::addSpatialDim() {
  prependWindowDim(*this);
  setOutputPadding(prependDim(getOutputPadding(), 0));
  if (auto shape = getOutputShape())
    setOutputShape(prependDim(*shape, 1));
}

/// All of a filter but its input channels meets each input element.
uint64_t ConvTransposeOp::countFlops() {
  ArrayRef<int64_t> shape = getFilter().getType().getShape();
  uint64_t taps = ShapedType::getNumElements(shape.drop_back(2));
  return 2 * countInputs() * taps * shape.back() +
         (getBias() ? countResults() : 0);
}

int64_t ConvOp::getInputChannelOf(uint64_t i) {
  ArrayRef<int64_t> shape = getFilter().getType().getShape();
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t group = getChannelOf(i) / (columns / getGroup());
  return group * rows + i / columns % rows;
}

int64_t ConvTransposeOp::getInputChannelOf(uint64_t i) {
  ArrayRef<int64_t> shape = getFilter().getType().getShape();
  return i / shape.back() % shape[shape.size() - 2];
}

int64_t MatmulOp::countGroups() {
  auto type = dyn_cast<RankedTensorType>(getRhs().getType());
  return type && type.getRank() == 2 ? 1 : 0;
}

int64_t MatmulOp::getInputChannelOf(uint64_t i) {
  return i / getRhs().getType().getShape().back();
}

int64_t ConvTransposeOp::getChannelOf(uint64_t i) {
  ArrayRef<int64_t> shape = getFilter().getType().getShape();
  int64_t channels = shape[shape.size() - 2], groups = getGroup();
  int64_t channel = i / shape.back() % channels;
  return channel / (channels / groups) * shape.back() + i % shape.back();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  FailureOr<Type> element = inferProductElement(loc, op.getLhs(), op.getRhs());
  if (failed(element))
    return failure();
  RankedTensorType lhs = ranked(op.getLhs()), rhs = ranked(op.getRhs());
  if (!lhs || !rhs)
    return giveUnranked(results, *element);
  ArrayRef<int64_t> a = lhs.getShape(), b = rhs.getShape();
  if (a.empty() || b.empty())
    return emitOptionalError(loc, "matmul of a scalar");
  int64_t inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (!mayEqual(a.back(), inner))
    return emitOptionalError(loc, "lhs has ", a.back(), " columns and rhs ",
                             inner, " rows");
  // A vector has no leading dimensions to broadcast.
  ArrayRef<int64_t> leadA = a.size() > 2 ? a.drop_back(2) : ArrayRef<int64_t>();
  ArrayRef<int64_t> leadB = b.size() > 2 ? b.drop_back(2) : ArrayRef<int64_t>();
  FailureOr<Type> lead = inferBroadcast(
      loc, {makeTensor(leadA, *element), makeTensor(leadB, *element)},
      *element);
  if (failed(lead))
    return failure();
  SmallVector<int64_t> shape(cast<RankedTensorType>(*lead).getShape());
  if (a.size() > 1)
    shape.push_back(a[a.size() - 2]);
  if (b.size() > 1)
    shape.push_back(b.back());
  return give(loc, results, shape, *element);
}

/// What holds of a parameter of blocks of weights.
static LogicalResult checkPerBlock(OptionalLoc loc, Value parameter,
                                   StringRef name, int64_t blocks,
                                   int64_t columns) {
  RankedTensorType type = parameter ? ranked(parameter) : nullptr;
  if (type && (type.getRank() != 2 || !mayEqual(type.getDimSize(0), blocks) ||
               !mayEqual(type.getDimSize(1), columns)))
    return emitOptionalError(loc, name, " has type ", type, ", expected ",
                             blocks, " blocks of ", columns, " columns");
  return success();
}

LogicalResult MatmulNBitsOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                              Adaptor op, Types &results) {
  int64_t bits = op.getBits(), block = op.getBlock();
  if (bits != 2 && bits != 4 && bits != 8)
    return emitOptionalError(loc, "bits is ", bits, ", expected 2, 4 or 8");
  Value zero = op.getZeroPoint();
  Type element = elementOf(op.getLhs()), integer = elementOf(op.getWeights());
  if (zero && elementOf(zero) != integer)
    return emitOptionalError(loc, "zero point has elements of type ",
                             elementOf(zero), ", expected ", integer);
  RankedTensorType lhs = ranked(op.getLhs()), weights = ranked(op.getWeights());
  if (!lhs || !weights)
    return giveUnranked(results, element);
  if (lhs.getRank() < 2 || weights.getRank() != 2)
    return emitOptionalError(loc, "operands have ", lhs.getRank(), " and ",
                             weights.getRank(),
                             " dimensions, expected rows and a matrix");
  int64_t rows = lhs.getShape().back(), perByte = 8 / bits;
  int64_t columns = weights.getDimSize(1);
  if (block < 1 || (block % perByte && (isDynamic(rows) || block < rows)))
    return emitOptionalError(loc, "block is ", block,
                             ", expected a multiple of ", perByte);
  if (!isDynamic(rows)) {
    int64_t bytes = llvm::divideCeilSigned(rows, perByte);
    if (!mayEqual(weights.getDimSize(0), bytes))
      return emitOptionalError(loc, "lhs has ", rows, " columns and weights ",
                               weights.getDimSize(0),
                               " rows of bytes, expected ", bytes);
    int64_t blocks = llvm::divideCeilSigned(rows, block);
    if (failed(checkPerBlock(loc, op.getScale(), "scale", blocks, columns)) ||
        failed(checkPerBlock(loc, zero, "zero point", blocks, columns)))
      return failure();
  }
  SmallVector<int64_t> shape(lhs.getShape().drop_back());
  shape.push_back(columns);
  return give(loc, results, shape, element);
}

LogicalResult EinsumOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  ValueRange operands = op.getOperands();
  if (operands.empty())
    return emitOptionalError(loc, "einsum has no inputs");
  Type element = elementOf(operands[0]);
  SmallVector<int64_t> ranks;
  for (Value operand : operands) {
    RankedTensorType type = ranked(operand);
    if (!type)
      return giveUnranked(results, element);
    ranks.push_back(type.getRank());
  }
  FailureOr<EinsumSpec> spec = parseEinsum(loc, op.getEquation(), ranks);
  if (failed(spec))
    return failure();
  // ONNX Runtime also broadcasts dimensions of one letter; so do we.
  SmallVector<int64_t> sizes(spec->numLabels, 1);
  for (auto [labels, operand] : llvm::zip_equal(spec->inputs, operands)) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    for (auto [label, dim] : llvm::zip_equal(labels, shape)) {
      int64_t &size = sizes[label];
      if (size == 1 || (isDynamic(size) && dim != 1))
        size = dim;
      else if (dim != 1 && !mayEqual(size, dim))
        return emitOptionalError(loc, "einsum dimension has size ", size,
                                 " in one input and ", dim, " in another");
    }
  }
  SmallVector<int64_t> shape;
  for (int64_t label : spec->output)
    shape.push_back(sizes[label]);
  return give(loc, results, shape, element);
}
