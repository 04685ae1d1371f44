//===- IndexingOps.cpp - Gather, scatter, sort, resize --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/IndexingOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

#define GET_OP_CLASSES
#include "brisk/Dialect/IndexingOps.cpp.inc"

static RankedTensorType getRanked(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool mayEqual(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

static LogicalResult giveUnranked(Type element,
                                  SmallVectorImpl<Type> &results) {
  results.push_back(UnrankedTensorType::get(element));
  return success();
}

/// A scalar parameter: one element of any rank.
static FailureOr<std::optional<int64_t>>
getScalar(std::optional<Location> loc, Value value, StringRef name) {
  auto type = getRanked(value);
  if (type && type.hasStaticShape() && type.getNumElements() != 1)
    return emitOptionalError(loc, name, " has type ", type,
                             ", expected one element");
  if (auto ints = getConstantInts(value); ints && ints->size() == 1)
    return std::optional(ints->front());
  if (auto floats = getConstantFloats(value); floats && floats->size() == 1)
    return std::optional(static_cast<int64_t>(floats->front()));
  return std::optional<int64_t>();
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static int64_t fromFront(int64_t axis, Value data) {
  return axis < 0 ? axis + cast<RankedTensorType>(data.getType()).getRank()
                  : axis;
}

int64_t GatherOp::getNormalizedAxis() {
  return fromFront(getAxis(), getData());
}

LogicalResult
GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange,
                           SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = getElementTypeOrSelf(op.getData());
  auto data = getRanked(op.getData()), indices = getRanked(op.getIndices());
  FailureOr<int64_t> axis = 0;
  if (data && failed(axis = normalizeAxis(loc, op.getAxis(), data.getRank())))
    return failure();
  if (!data || !indices)
    return giveUnranked(element, results);
  SmallVector<int64_t> shape(data.getShape().take_front(*axis));
  shape.append(indices.getShape().begin(), indices.getShape().end());
  ArrayRef<int64_t> rest = data.getShape().drop_front(*axis + 1);
  shape.append(rest.begin(), rest.end());
  results.push_back(makeTensor(shape, element));
  return success();
}

int64_t GatherElementsOp::getNormalizedAxis() {
  return fromFront(getAxis(), getData());
}

/// What gather_elements and scatter_elements demand of their indices.
static LogicalResult checkElementIndices(std::optional<Location> loc,
                                         RankedTensorType data,
                                         RankedTensorType indices,
                                         int64_t axis) {
  if (data && failed(normalizeAxis(loc, axis, data.getRank())))
    return failure();
  if (data && indices && data.getRank() != indices.getRank())
    return emitOptionalError(loc, "indices have ", indices.getRank(),
                             " dimensions and data ", data.getRank());
  return success();
}

LogicalResult GatherElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange,
    SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  auto data = getRanked(op.getData()), indices = getRanked(op.getIndices());
  if (failed(checkElementIndices(loc, data, indices, op.getAxis())))
    return failure();
  Type element = getElementTypeOrSelf(op.getData());
  if (!indices)
    return giveUnranked(element, results);
  if (data) {
    int64_t axis = *normalizeAxis(loc, op.getAxis(), data.getRank());
    for (int64_t i = 0; i < data.getRank(); ++i) {
      int64_t have = data.getDimSize(i), asked = indices.getDimSize(i);
      if (i != axis && !ShapedType::isDynamic(have) &&
          !ShapedType::isDynamic(asked) && asked > have)
        return emitOptionalError(loc, "indices have size ", asked,
                                 " in dimension ", i, " where data has ", have);
    }
  }
  results.push_back(makeTensor(indices.getShape(), element));
  return success();
}

/// Checks index tuples and gives the shape of what they name: the tuples'
/// places, then the slice. Null while a rank or the tuples' size is unknown.
static FailureOr<std::optional<SmallVector<int64_t>>>
getTupleShape(std::optional<Location> loc, Value dataValue, Value indexValue,
              int64_t batchDims) {
  auto data = getRanked(dataValue), indices = getRanked(indexValue);
  std::optional<SmallVector<int64_t>> unknown;
  if (indices && indices.getRank() == 0)
    return emitOptionalError(loc, "indices are a scalar, expected tuples in "
                                  "the last dimension");
  if (!data || !indices)
    return unknown;
  if (batchDims >= indices.getRank() || batchDims > data.getRank())
    return emitOptionalError(loc, "batch_dims is ", batchDims,
                             " where data has ", data.getRank(),
                             " dimensions and indices ", indices.getRank());
  for (int64_t i = 0; i < batchDims; ++i)
    if (!mayEqual(data.getDimSize(i), indices.getDimSize(i)))
      return emitOptionalError(loc, "batch dimension ", i, " is ",
                               data.getDimSize(i), " in data and ",
                               indices.getDimSize(i), " in indices");
  int64_t size = indices.getShape().back();
  if (ShapedType::isDynamic(size))
    return unknown;
  if (size + batchDims > data.getRank())
    return emitOptionalError(
        loc, "index tuples have ", size, " entries where data has ",
        data.getRank() - batchDims, " dimensions to index");
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  ArrayRef<int64_t> rest = data.getShape().drop_front(batchDims + size);
  shape.append(rest.begin(), rest.end());
  return std::optional(std::move(shape));
}

LogicalResult
GatherNdOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                             ValueRange operands, DictionaryAttr attributes,
                             OpaqueProperties properties, RegionRange,
                             SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = getElementTypeOrSelf(op.getData());
  auto shape =
      getTupleShape(loc, op.getData(), op.getIndices(), op.getBatchDims());
  if (failed(shape))
    return failure();
  if (!*shape)
    return giveUnranked(element, results);
  results.push_back(makeTensor(**shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

int64_t ScatterElementsOp::getNormalizedAxis() {
  return fromFront(getAxis(), getData());
}

/// Element types agree, and booleans are not added or multiplied.
static LogicalResult checkUpdates(std::optional<Location> loc, Value data,
                                  Value updates, ScatterReduction reduction) {
  Type have = getElementTypeOrSelf(data), given = getElementTypeOrSelf(updates);
  if (have != given)
    return emitOptionalError(loc, "data has elements of type ", have,
                             " and updates of type ", given);
  if (have.isInteger(1) && reduction != ScatterReduction::None)
    return emitOptionalError(loc, "booleans have no reduction ",
                             stringifyScatterReduction(reduction));
  return success();
}

LogicalResult ScatterElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange,
    SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  results.push_back(op.getData().getType());
  auto indices = getRanked(op.getIndices());
  if (failed(checkUpdates(loc, op.getData(), op.getUpdates(),
                          op.getReduction())) ||
      failed(checkElementIndices(loc, getRanked(op.getData()), indices,
                                 op.getAxis())))
    return failure();
  auto updates = getRanked(op.getUpdates());
  if (indices && updates && failed(verifyCompatibleShape(indices, updates)))
    return emitOptionalError(loc, "indices have type ", indices,
                             " and updates type ", updates,
                             ", expected one shape");
  return success();
}

LogicalResult
ScatterNdOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange,
                              SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  results.push_back(op.getData().getType());
  if (failed(
          checkUpdates(loc, op.getData(), op.getUpdates(), op.getReduction())))
    return failure();
  auto shape = getTupleShape(loc, op.getData(), op.getIndices(), 0);
  if (failed(shape))
    return failure();
  Type element = getElementTypeOrSelf(op.getData());
  if (*shape && !areCompatible({makeTensor(**shape, element)},
                               {op.getUpdates().getType()}))
    return emitOptionalError(loc, "updates have type ",
                             op.getUpdates().getType(), ", expected ",
                             makeTensor(**shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// TopKOp and OneHotOp
//===----------------------------------------------------------------------===//

int64_t TopKOp::getNormalizedAxis() { return fromFront(getAxis(), getInput()); }

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       OpaqueProperties properties, RegionRange,
                                       SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type elements[] = {getElementTypeOrSelf(op.getInput()),
                     IntegerType::get(context, 64)};
  auto input = getRanked(op.getInput());
  FailureOr<std::optional<int64_t>> k = getScalar(loc, op.getK(), "k");
  if (failed(k))
    return failure();
  if (!input) {
    for (Type element : elements)
      (void)giveUnranked(element, results);
    return success();
  }
  FailureOr<int64_t> axis = normalizeAxis(loc, op.getAxis(), input.getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  int64_t have = shape[*axis];
  if (*k && (**k < 0 || (!ShapedType::isDynamic(have) && **k > have)))
    return emitOptionalError(loc, "k is ", **k, " where dimension ", *axis,
                             " has ", have, " elements");
  shape[*axis] = *k ? **k : ShapedType::kDynamic;
  for (Type element : elements)
    results.push_back(makeTensor(shape, element));
  return success();
}

LogicalResult
OneHotOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange,
                           SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = getElementTypeOrSelf(op.getValues());
  auto values = getRanked(op.getValues());
  if (values && (values.getRank() != 1 || !mayEqual(values.getDimSize(0), 2)))
    return emitOptionalError(loc, "values have type ", values,
                             ", expected two elements");
  FailureOr<std::optional<int64_t>> depth =
      getScalar(loc, op.getDepth(), "depth");
  if (failed(depth))
    return failure();
  if (*depth && **depth < 0)
    return emitOptionalError(loc, "depth is ", **depth,
                             ", expected a number of at least 0");
  auto indices = getRanked(op.getIndices());
  if (!indices)
    return giveUnranked(element, results);
  FailureOr<int64_t> axis =
      normalizeAxis(loc, op.getAxis(), indices.getRank() + 1);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(indices.getShape());
  shape.insert(shape.begin() + *axis, *depth ? **depth : ShapedType::kDynamic);
  results.push_back(makeTensor(shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// TriluOp and ReverseSequenceOp
//===----------------------------------------------------------------------===//

LogicalResult
TriluOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                          ValueRange operands, DictionaryAttr attributes,
                          OpaqueProperties properties, RegionRange,
                          SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  results.push_back(op.getInput().getType());
  if (auto input = getRanked(op.getInput()); input && input.getRank() < 2)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected at least 2");
  return success(!op.getK() || succeeded(getScalar(loc, op.getK(), "k")));
}

LogicalResult ReverseSequenceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange,
    SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  results.push_back(op.getInput().getType());
  auto input = getRanked(op.getInput()), lens = getRanked(op.getLens());
  if (input && input.getRank() < 2)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected at least 2");
  int64_t batch =
      input ? input.getDimSize(op.getBatchAxis()) : ShapedType::kDynamic;
  if (lens && (lens.getRank() != 1 || !mayEqual(lens.getDimSize(0), batch)))
    return emitOptionalError(loc, "lens have type ", lens, ", expected ", batch,
                             " elements");
  return success();
}

LogicalResult ReverseSequenceOp::verify() {
  if (getBatchAxis() == getTimeAxis())
    return emitOpError("batch_axis and time_axis are both ") << getTimeAxis();
  return success();
}

//===----------------------------------------------------------------------===//
// ResizeOp
//===----------------------------------------------------------------------===//

/// Every dimension's resizing; nullopt while something is unknown. `input` has
/// a rank, and a dynamic dimension counts as unknown only where it is resized.
template <typename Op>
static FailureOr<std::optional<SmallVector<ResizeAxis>>>
getResized(Op op, std::optional<Location> loc, RankedTensorType input) {
  std::optional<SmallVector<ResizeAxis>> unknown;
  if (!op.getScales() == !op.getSizes())
    return emitOptionalError(loc, "resize takes either scales or sizes");
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, input.getRank()));
  if (auto given = op.getAxes()) {
    FailureOr<SmallVector<int64_t>> normalized =
        normalizeAxes(loc, *given, input.getRank());
    if (failed(normalized))
      return failure();
    axes = *normalized;
  }
  auto scales = getConstantFloats(op.getScales());
  auto sizes = getConstantInts(op.getSizes());
  if (!scales && !sizes)
    return unknown;
  SmallVector<double> roi;
  if (op.getCoordinateTransformationMode() == CoordinateMode::TfCropAndResize) {
    auto given = getConstantFloats(op.getRoi());
    if (!given) {
      if (!op.getRoi())
        return emitOptionalError(loc, "tf_crop_and_resize needs a roi");
      return unknown;
    }
    roi = *given;
  }
  return resolveResize(
      loc, input.getShape(), axes,
      scales ? std::optional<ArrayRef<double>>(*scales) : std::nullopt,
      sizes ? std::optional<ArrayRef<int64_t>>(*sizes) : std::nullopt, roi,
      op.getKeepAspectRatioPolicy());
}

std::optional<SmallVector<ResizeAxis>> ResizeOp::getResizedAxes() {
  auto input = getRanked(getInput());
  if (!input || !input.hasStaticShape())
    return std::nullopt;
  auto resized = getResized(*this, std::nullopt, input);
  return succeeded(resized) ? *resized : std::nullopt;
}

LogicalResult
ResizeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange,
                           SmallVectorImpl<Type> &results) {
  Adaptor op(operands, attributes, properties);
  Type element = getElementTypeOrSelf(op.getInput());
  auto input = getRanked(op.getInput());
  if (!input)
    return giveUnranked(element, results);
  // Unknown dimensions do not matter to the rest: 1 stands for them.
  SmallVector<int64_t> shape(input.getShape());
  llvm::replace(shape, ShapedType::kDynamic, int64_t(1));
  auto resized = getResized(op, loc, makeTensor(shape, element));
  if (failed(resized))
    return failure();
  bool bySize = op.getSizes() &&
                op.getKeepAspectRatioPolicy() == AspectRatioPolicy::Stretch;
  for (auto [i, dim] : llvm::enumerate(shape)) {
    bool known = !input.isDynamicDim(i);
    if (!*resized)
      dim = ShapedType::kDynamic;
    else if (known || (bySize && (**resized)[i].output != 1))
      dim = (**resized)[i].output;
    else
      dim = ShapedType::kDynamic;
  }
  results.push_back(makeTensor(shape, element));
  return success();
}
