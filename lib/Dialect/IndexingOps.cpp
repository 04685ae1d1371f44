//===- IndexingOps.cpp - Gather, scatter, sort, resize --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Ops.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/IndexingOps.cpp.inc"

/// A scalar parameter: one element of any rank.
static FailureOr<std::optional<int64_t>> getScalar(OptionalLoc loc, Value value,
                                                   StringRef name) {
  RankedTensorType type = ranked(value);
  if (type && type.hasStaticShape() && type.getNumElements() != 1)
    return emitOptionalError(loc, name, " has type ", type,
                             ", expected one element");
  if (auto ints = getConstantInts(value); ints && ints->size() == 1)
    return std::optional(ints->front());
  if (auto floats = getConstantFloats(value); floats && floats->size() == 1) {
    double number = floats->front();
    if (!(std::abs(number) < 0x1p63))
      return emitOptionalError(loc, name, " is ", number,
                               ", which is no 64-bit integer");
    return std::optional(static_cast<int64_t>(number));
  }
  return std::optional<int64_t>();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  Type element = elementOf(op.getData());
  RankedTensorType data = ranked(op.getData()),
                   indices = ranked(op.getIndices());
  FailureOr<int64_t> axis = 0;
  if (data && failed(axis = normalizeAxis(loc, op.getAxis(), data.getRank())))
    return failure();
  if (!data || !indices)
    return giveUnranked(results, element);
  SmallVector<int64_t> shape(data.getShape().take_front(*axis));
  shape.append(indices.getShape().begin(), indices.getShape().end());
  ArrayRef<int64_t> rest = data.getShape().drop_front(*axis + 1);
  shape.append(rest.begin(), rest.end());
  return give(loc, results, shape, element);
}

/// What gather_elements and scatter_elements demand of their indices: data's
/// rank, and nothing beyond data but along the axis.
static LogicalResult checkElementIndices(OptionalLoc loc, RankedTensorType data,
                                         RankedTensorType indices,
                                         int64_t axis) {
  if (!data)
    return success();
  FailureOr<int64_t> normalized = normalizeAxis(loc, axis, data.getRank());
  if (failed(normalized))
    return failure();
  if (!indices)
    return success();
  if (data.getRank() != indices.getRank())
    return emitOptionalError(loc, "indices have ", indices.getRank(),
                             " dimensions and data ", data.getRank());
  for (int64_t i = 0; i < data.getRank(); ++i) {
    int64_t have = data.getDimSize(i), asked = indices.getDimSize(i);
    if (i != *normalized && !isDynamic(have) && !isDynamic(asked) &&
        asked > have)
      return emitOptionalError(loc, "indices have size ", asked,
                               " in dimension ", i, " where data has ", have);
  }
  return success();
}

LogicalResult GatherElementsOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                                 Adaptor op, Types &results) {
  RankedTensorType indices = ranked(op.getIndices());
  if (failed(checkElementIndices(loc, ranked(op.getData()), indices,
                                 op.getAxis())))
    return failure();
  Type element = elementOf(op.getData());
  if (!indices)
    return giveUnranked(results, element);
  return give(loc, results, indices.getShape(), element);
}

/// Checks index tuples and gives the shape of what they name: the tuples'
/// places, then the slice. Null while a rank or the tuples' size is unknown.
static FailureOr<std::optional<SmallVector<int64_t>>>
getTupleShape(OptionalLoc loc, Value dataValue, Value indexValue,
              int64_t batchDims) {
  RankedTensorType data = ranked(dataValue), indices = ranked(indexValue);
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
  if (isDynamic(size))
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

LogicalResult GatherNdOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                           Adaptor op, Types &results) {
  Type element = elementOf(op.getData());
  auto shape =
      getTupleShape(loc, op.getData(), op.getIndices(), op.getBatchDims());
  if (failed(shape))
    return failure();
  if (!*shape)
    return giveUnranked(results, element);
  return give(loc, results, **shape, element);
}

/// Element types agree, and booleans are not added or multiplied.
static LogicalResult checkUpdates(OptionalLoc loc, Value data, Value updates,
                                  ScatterReduction reduction) {
  Type have = elementOf(data), given = elementOf(updates);
  if (have != given)
    return emitOptionalError(loc, "data has elements of type ", have,
                             " and updates of type ", given);
  if (have.isInteger(1) && reduction != ScatterReduction::None)
    return emitOptionalError(loc, "booleans have no reduction ",
                             stringifyScatterReduction(reduction));
  return success();
}

LogicalResult ScatterElementsOp::inferReturnTypes(MLIRContext *,
                                                  OptionalLoc loc, Adaptor op,
                                                  Types &results) {
  results.push_back(op.getData().getType());
  RankedTensorType indices = ranked(op.getIndices());
  if (failed(checkUpdates(loc, op.getData(), op.getUpdates(),
                          op.getReduction())) ||
      failed(checkElementIndices(loc, ranked(op.getData()), indices,
                                 op.getAxis())))
    return failure();
  RankedTensorType updates = ranked(op.getUpdates());
  if (indices && updates && failed(verifyCompatibleShape(indices, updates)))
    return emitOptionalError(loc, "indices have type ", indices,
                             " and updates type ", updates,
                             ", expected one shape");
  return success();
}

LogicalResult ScatterNdOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor op, Types &results) {
  results.push_back(op.getData().getType());
  if (failed(
          checkUpdates(loc, op.getData(), op.getUpdates(), op.getReduction())))
    return failure();
  auto shape = getTupleShape(loc, op.getData(), op.getIndices(), 0);
  if (failed(shape))
    return failure();
  Type element = elementOf(op.getData());
  if (*shape && !areCompatible({makeTensor(**shape, element)},
                               {op.getUpdates().getType()}))
    return emitOptionalError(loc, "updates have type ",
                             op.getUpdates().getType(), ", expected ",
                             makeTensor(**shape, element));
  return success();
}

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, OptionalLoc loc,
                                       Adaptor op, Types &results) {
  Type elements[] = {elementOf(op.getInput()), IntegerType::get(context, 64)};
  RankedTensorType input = ranked(op.getInput());
  FailureOr<std::optional<int64_t>> k = getScalar(loc, op.getK(), "k");
  if (failed(k))
    return failure();
  if (!input) {
    for (Type element : elements)
      (void)giveUnranked(results, element);
    return success();
  }
  FailureOr<int64_t> axis = normalizeAxis(loc, op.getAxis(), input.getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  int64_t have = shape[*axis];
  if (*k && (**k < 0 || (!isDynamic(have) && **k > have)))
    return emitOptionalError(loc, "k is ", **k, " where dimension ", *axis,
                             " has ", have, " elements");
  shape[*axis] = *k ? **k : dynamic;
  for (Type element : elements)
    if (failed(give(loc, results, shape, element)))
      return failure();
  return success();
}

LogicalResult CompactOp::inferReturnTypes(MLIRContext *context, OptionalLoc loc,
                                          Adaptor op, Types &results) {
  results.push_back(op.getInput().getType());
  RankedTensorType input = ranked(op.getInput()), keep = ranked(op.getKeep());
  Type count = IntegerType::get(context, 64);
  if (input && input.getRank() == 0)
    return emitOptionalError(loc, "input is a scalar, expected rows");
  if (input && keep && failed(verifyCompatibleShape(input, keep)))
    return emitOptionalError(loc, "input has type ", input, " and keep type ",
                             keep, ", expected one shape");
  if (!input)
    return giveUnranked(results, count);
  return give(loc, results, input.getShape().drop_back(), count);
}

LogicalResult NonMaxSuppressionOp::inferReturnTypes(MLIRContext *context,
                                                    OptionalLoc loc, Adaptor op,
                                                    Types &results) {
  Type place = IntegerType::get(context, 64);
  RankedTensorType boxes = ranked(op.getBoxes()),
                   scores = ranked(op.getScores()),
                   classes = op.getClasses() ? ranked(op.getClasses()) : scores;
  if (elementOf(op.getBoxes()) != elementOf(op.getScores()))
    return emitOptionalError(loc, "boxes have elements of type ",
                             elementOf(op.getBoxes()), " and scores of type ",
                             elementOf(op.getScores()));
  if (!boxes || !scores) {
    (void)giveUnranked(results, place);
    return giveUnranked(results, place);
  }
  if (boxes.getRank() < 2 || !mayEqual(boxes.getShape().back(), 4))
    return emitOptionalError(loc, "boxes have type ", boxes,
                             ", expected four corners' coordinates each");
  ArrayRef<int64_t> places = boxes.getShape().drop_back();
  for (RankedTensorType each : {scores, classes})
    if (each && failed(verifyCompatibleShape(each.getShape(), places)))
      return emitOptionalError(loc, "boxes have type ", boxes,
                               " and their scores or classes type ", each);
  SmallVector<int64_t> shape(places.drop_back());
  shape.push_back(static_cast<int64_t>(op.getMax()));
  if (failed(give(loc, results, shape, place)))
    return failure();
  return give(loc, results, places.drop_back(), place);
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  Type element = elementOf(op.getValues());
  RankedTensorType values = ranked(op.getValues());
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
  RankedTensorType indices = ranked(op.getIndices());
  if (!indices)
    return giveUnranked(results, element);
  FailureOr<int64_t> axis =
      normalizeAxis(loc, op.getAxis(), indices.getRank() + 1);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(indices.getShape());
  shape.insert(shape.begin() + *axis, *depth ? **depth : dynamic);
  return give(loc, results, shape, element);
}

LogicalResult TriluOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor op, Types &results) {
  results.push_back(op.getInput().getType());
  if (auto input = ranked(op.getInput()); input && input.getRank() < 2)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected at least 2");
  return success(!op.getK() || succeeded(getScalar(loc, op.getK(), "k")));
}

LogicalResult ReverseSequenceOp::inferReturnTypes(MLIRContext *,
                                                  OptionalLoc loc, Adaptor op,
                                                  Types &results) {
  results.push_back(op.getInput().getType());
  RankedTensorType input = ranked(op.getInput()), lens = ranked(op.getLens());
  if (input && input.getRank() < 2)
    return emitOptionalError(loc, "input has ", input.getRank(),
                             " dimensions, expected at least 2");
  int64_t batch = input ? input.getDimSize(op.getBatchAxis()) : dynamic;
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
// GridSampleOp
//===----------------------------------------------------------------------===//

LogicalResult GridSampleOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                             Adaptor op, Types &results) {
  Type element = elementOf(op.getInput());
  if (op.getMode() != ResizeMode::Nearest && !isa<FloatType>(element))
    return emitOptionalError(loc, "elements of type ", element,
                             " are not interpolated, expected floats");
  RankedTensorType input = ranked(op.getInput()), grid = ranked(op.getGrid());
  if (!input || !grid)
    return giveUnranked(results, element);
  int64_t rank = input.getRank();
  if (rank < 3)
    return emitOptionalError(loc, "input has ", rank,
                             " dimensions, expected at least 3");
  if (grid.getRank() != rank || !mayEqual(grid.getShape().back(), rank - 2) ||
      !mayEqual(grid.getDimSize(0), input.getDimSize(0)))
    return emitOptionalError(loc, "grid has type ", grid, ", expected ", rank,
                             " dimensions, the first as the input's and ",
                             rank - 2, " coordinates in the last");
  SmallVector<int64_t> shape(grid.getShape());
  if (isDynamic(shape.front()))
    shape.front() = input.getDimSize(0);
  shape.back() = input.getShape().back();
  return give(loc, results, shape, element);
}
