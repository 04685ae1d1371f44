//===- ConstantEvaluation.cpp - Values that are known at import -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches and loops are decided at import where that can be. What they depend
// on is often a dimension that is known of a shape that is not, as a whole.
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

using Elements = SmallVector<std::optional<int64_t>>;

constexpr unsigned maxDepth = 64;
constexpr int64_t maxElements = 4096;

static std::optional<Elements> getElements(Value value, unsigned depth = 0);

static std::optional<Elements> getElements(ShapeOp shape) {
  auto input = dyn_cast<RankedTensorType>(shape.getInput().getType());
  if (!input)
    return std::nullopt;
  int64_t rank = input.getRank(), start = shape.getStart();
  start = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
  Elements elements(cast<RankedTensorType>(shape.getType()).getNumElements());
  for (auto [i, element] : llvm::enumerate(elements))
    if (start + static_cast<int64_t>(i) < rank &&
        !input.isDynamicDim(start + i))
      element = input.getDimSize(start + i);
  return elements;
}

static std::optional<Elements> getElements(GatherOp gather, unsigned depth) {
  auto data = getElements(gather.getData(), depth);
  auto indices = getConstantInts(gather.getIndices());
  auto dataType = dyn_cast<RankedTensorType>(gather.getData().getType());
  if (!data || !indices || dataType.getRank() != 1)
    return std::nullopt;
  Elements elements;
  int64_t size = data->size();
  for (int64_t index : *indices) {
    index = index < 0 ? index + size : index;
    if (index < 0 || index >= size)
      return std::nullopt;
    elements.push_back((*data)[index]);
  }
  return elements;
}

static std::optional<Elements> getElements(ConcatOp concat, unsigned depth) {
  Elements elements;
  for (Value input : concat.getInputs()) {
    auto part = getElements(input, depth);
    if (!part)
      return std::nullopt;
    llvm::append_range(elements, *part);
  }
  return elements;
}

/// The elements of a small integer tensor, those that are known.
static std::optional<Elements> getElements(Value value, unsigned depth) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isInteger(64) || type.getRank() > 1 ||
      !type.hasStaticShape() || type.getNumElements() > maxElements ||
      depth > maxDepth)
    return std::nullopt;
  if (auto known = getConstantInts(value))
    return Elements(known->begin(), known->end());
  Operation *op = value.getDefiningOp();
  if (auto shape = dyn_cast_or_null<ShapeOp>(op))
    return getElements(shape);
  if (auto view = findView(op); view && view->kind == View::Reshape)
    return getElements(op->getOperand(0), depth + 1);
  if (auto gather = dyn_cast_or_null<GatherOp>(op))
    return getElements(gather, depth + 1);
  if (auto concat = dyn_cast_or_null<ConcatOp>(op))
    return getElements(concat, depth + 1);
  return std::nullopt;
}

static ElementsAttr makeConstant(Value value) {
  auto elements = getElements(value);
  if (!elements ||
      llvm::any_of(*elements, [](auto element) { return !element; }))
    return {};
  SmallVector<int64_t> known;
  for (std::optional<int64_t> element : *elements)
    known.push_back(*element);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getNumElements() != static_cast<int64_t>(known.size()))
    return {};
  return makeElements(type, ArrayRef<int64_t>(known));
}

/// The constant that a value is, if what it is computed from is known.
static ElementsAttr foldToConstant(Value value,
                                   DenseMap<Value, ElementsAttr> &known,
                                   unsigned depth) {
  ElementsAttr attr;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > maxElements ||
      depth > maxDepth)
    return attr;
  if (matchPattern(value, m_Constant(&attr)))
    return attr;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return attr;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  known[value] = attr;
  if ((attr = makeConstant(value)))
    return known[value] = attr;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(foldToConstant(operand, known, depth + 1));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return attr;
  OpFoldResult folded = results[cast<OpResult>(value).getResultNumber()];
  if (auto same = dyn_cast<Value>(folded))
    attr = same == value ? attr : foldToConstant(same, known, depth + 1);
  else
    attr = dyn_cast<ElementsAttr>(cast<Attribute>(folded));
  return known[value] = attr;
}

std::optional<SmallVector<int64_t>> Node::getConstant(Value value) {
  DenseMap<Value, ElementsAttr> known;
  ElementsAttr attr = foldToConstant(value, known, 0);
  if (!attr || !isa<IntegerType>(attr.getElementType()))
    return std::nullopt;
  std::vector<int64_t> ints = getAsInts(attr);
  return SmallVector<int64_t>(ints.begin(), ints.end());
}

Value brisk::onnximport::foldSmall(OpBuilder &builder, Value value) {
  constexpr int64_t shapeElements = 64;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isa<IntegerType>(type.getElementType()) ||
      !type.hasStaticShape() || type.getNumElements() > shapeElements)
    return value;
  DenseMap<Value, ElementsAttr> known;
  ElementsAttr attr = foldToConstant(value, known, 0);
  if (!attr)
    return value;
  Location loc = value.getLoc();
  value.getDefiningOp()->erase();
  return ConstantOp::create(builder, loc, attr);
}
