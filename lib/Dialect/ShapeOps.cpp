//===- ShapeOps.cpp - Ops that move elements ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type inference and verification.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/ShapeOps.cpp.inc"

LogicalResult ShapeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Types &results) {
  Type i64 = IntegerType::get(adaptor.getInput().getContext(), 64);
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return give(loc, results, {dynamic}, i64);
  SliceRange range =
      makeSliceRange(input.getRank(), adaptor.getStart(),
                     adaptor.getEnd().value_or(input.getRank()), 1);
  return give(loc, results, {range.size}, i64);
}

LogicalResult SizeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                       Adaptor adaptor, Types &results) {
  return give(loc, results, {},
              IntegerType::get(adaptor.getInput().getContext(), 64));
}

LogicalResult RangeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Types &results) {
  for (Value operand : adaptor.getOperands()) {
    RankedTensorType type = ranked(operand);
    if (type && type.hasStaticShape() && type.getNumElements() != 1)
      return emitOptionalError(loc, "range takes scalars, found ", type);
  }
  Type element = elementOf(adaptor.getStart());
  auto attrs = llvm::map_to_vector(adaptor.getOperands(), [](Value operand) {
    ElementsAttr attr;
    matchPattern(operand, m_Constant(&attr));
    return attr;
  });
  if (llvm::is_contained(attrs, nullptr) ||
      llvm::any_of(
          attrs, [](ElementsAttr attr) { return attr.getNumElements() != 1; }))
    return give(loc, results, {dynamic}, element);
  double count;
  if (isa<FloatType>(element)) {
    double start = getAsDoubles(attrs[0])[0], limit = getAsDoubles(attrs[1])[0],
           delta = getAsDoubles(attrs[2])[0];
    if (!(delta != 0))
      return emitOptionalError(loc, "range needs a step that is not 0");
    count = std::ceil((limit - start) / delta);
  } else {
    int64_t start = getAsInts(attrs[0])[0], limit = getAsInts(attrs[1])[0],
            delta = getAsInts(attrs[2])[0];
    if (delta == 0)
      return emitOptionalError(loc, "range needs a step that is not 0");
    // Differences of 64-bit integers fit unsigned ones; so do all magnitudes.
    bool ends = delta > 0 ? limit <= start : limit >= start;
    uint64_t length = delta > 0 ? uint64_t(limit) - uint64_t(start)
                                : uint64_t(start) - uint64_t(limit);
    uint64_t stride = delta > 0 ? uint64_t(delta) : 0 - uint64_t(delta);
    count = ends ? 0.0 : double((length - 1) / stride + 1);
  }
  if (!(count < 0x1p40))
    return emitOptionalError(loc, "range has too many elements");
  return give(loc, results, {static_cast<int64_t>(std::max(count, 0.0))},
              element);
}

LogicalResult FillOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                       Adaptor adaptor, Types &results) {
  Type element = adaptor.getValue().getElementType();
  auto shape = getConstantInts(adaptor.getShape());
  if (!shape)
    return giveOfRank(results, lengthOf(adaptor.getShape()), element);
  for (int64_t dim : *shape)
    if (dim < 0)
      return emitOptionalError(loc, "dimension ", dim, " is negative");
  return give(loc, results, *shape, element);
}

LogicalResult FillOp::verify() {
  if (getValue().getNumElements() != 1)
    return emitOpError("fills with one value, found ")
           << getValue().getNumElements();
  return success();
}

LogicalResult ExpandOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  int64_t length = lengthOf(adaptor.getShape());
  auto shape = getConstantInts(adaptor.getShape());
  if (!input || (!shape && isDynamic(length)))
    return giveUnranked(results, element);
  if (!shape)
    return giveOfRank(results, std::max(input.getRank(), length), element);
  for (int64_t dim : *shape)
    if (dim < 0)
      return emitOptionalError(loc, "dimension ", dim, " is negative");
  auto type =
      inferBroadcast(loc, {input, makeTensor(*shape, element)}, element);
  if (failed(type))
    return failure();
  results.push_back(*type);
  return success();
}

Value ExpandOp::permute(OpBuilder &b, RankedTensorType type,
                        ValueRange operands, ArrayRef<int64_t>) {
  return ExpandOp::create(b, getLoc(), type, operands[0],
                          makeInts(b, getLoc(), type.getShape()));
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  int64_t rank = permutation.size();
  if (input && input.getRank() != rank)
    return emitOptionalError(loc, "permutation has ", rank,
                             " entries for an input of ", input.getRank(),
                             " dimensions");
  llvm::BitVector seen(rank);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation) {
    if (from < 0 || from >= rank || seen[from])
      return emitOptionalError(loc, "permutation is not one of 0 to ",
                               rank - 1);
    seen.set(from);
    shape.push_back(input ? input.getDimSize(from) : dynamic);
  }
  return give(loc, results, shape, element);
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor adaptor, Types &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "concat needs at least one input");
  Type element = elementOf(adaptor.getInputs().front());
  std::optional<SmallVector<int64_t>> shape;
  int64_t axis = 0, total = 0;
  for (Value value : adaptor.getInputs()) {
    RankedTensorType input = ranked(value);
    if (!input) {
      total = dynamic;
      continue;
    }
    if (!shape) {
      shape = SmallVector<int64_t>(input.getRank(), dynamic);
      auto normalized = normalizeAxis(loc, adaptor.getAxis(), input.getRank());
      if (failed(normalized))
        return failure();
      axis = *normalized;
    }
    if (input.getRank() != static_cast<int64_t>(shape->size()))
      return emitOptionalError(loc, "cannot concatenate tensors of ",
                               shape->size(), " and ", input.getRank(),
                               " dimensions");
    for (auto [i, dim] : llvm::enumerate(input.getShape())) {
      int64_t &have = (*shape)[i];
      if (static_cast<int64_t>(i) == axis)
        total = isDynamic(dim) || isDynamic(total) ? dynamic : add(total, dim);
      else if (isDynamic(have))
        have = dim;
      else if (!isDynamic(dim) && dim != have)
        return emitOptionalError(loc, "cannot concatenate along dimension ",
                                 axis, ": dimension ", i, " is ", have, " and ",
                                 dim);
    }
  }
  if (!shape)
    return giveUnranked(results, element);
  (*shape)[axis] = total;
  return give(loc, results, *shape, element);
}

/// Operands may have no rank where the result does.
int64_t ConcatOp::getNormalizedAxis() {
  return countFromFront(getAxis(), getResult());
}

SmallVector<int64_t> TransposeOp::getKeptDims(unsigned /*number*/) {
  return invertPermutationVector(getPermutation());
}

std::optional<View> ConcatOp::getView() {
  // A concat becomes a chain of insertions into one place, for which
  // bufferization takes time by the fourth power of its length: longer ones are
  // kernels.
  constexpr size_t maxInsertions = 32;
  if (getInputs().size() > maxInsertions ||
      !llvm::all_of(getInputs(), getStaticType))
    return std::nullopt;
  View view{View::Whole, {}, {}};
  int64_t axis = getNormalizedAxis();
  SmallVector<int64_t> offsets(getShape(getResult()).size(), 0);
  for (Value input : getInputs()) {
    view.offsets.push_back(offsets);
    offsets[axis] += getShape(input)[axis];
  }
  return view;
}

/// Checks the sizes that a split lists.
static LogicalResult checkSizes(OptionalLoc loc, ArrayRef<int64_t> sizes,
                                int64_t count, int64_t dim, int64_t axis) {
  if (static_cast<int64_t>(sizes.size()) != count)
    return emitOptionalError(loc, "split has ", sizes.size(), " sizes for ",
                             count, " results");
  int64_t total = 0;
  for (int64_t size : sizes) {
    if (size < 0)
      return emitOptionalError(loc, "size ", size, " is negative");
    if (llvm::AddOverflow(total, size, total))
      return emitOptionalError(loc, "sizes are too large");
  }
  if (!isDynamic(dim) && total != dim)
    return emitOptionalError(loc, "sizes add up to ", total,
                             " where dimension ", axis, " is ", dim);
  return success();
}

/// Splits a dimension into parts of the same size, but for the last.
static LogicalResult splitEvenly(OptionalLoc loc, int64_t dim, int64_t axis,
                                 MutableArrayRef<int64_t> sizes) {
  int64_t count = sizes.size();
  int64_t chunk = llvm::divideCeil(dim, count), left = dim;
  if (multiply(chunk, count - 1) > dim)
    return emitOptionalError(loc, "dimension ", axis, " of ", dim,
                             " does not split into ", count, " parts of ",
                             chunk, ", of which the last may be smaller");
  for (int64_t &size : sizes) {
    size = std::min(chunk, left);
    left -= size;
  }
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  // More results than any op has are not to be listed first.
  constexpr int64_t maxResults = int64_t(1) << 20;
  int64_t count = adaptor.getNumOutputs();
  if (count > maxResults)
    return emitOptionalError(loc, "split has ", count,
                             " results, expected at most ", maxResults);
  if (!input) {
    results.append(count, UnrankedTensorType::get(element));
    return success();
  }
  auto axis = normalizeAxis(loc, adaptor.getAxis(), input.getRank());
  if (failed(axis))
    return failure();
  int64_t dim = input.getDimSize(*axis);
  SmallVector<int64_t> sizes(count, dynamic);
  if (Value list = adaptor.getSizes()) {
    if (auto constant = getConstantInts(list)) {
      sizes = *constant;
      if (failed(checkSizes(loc, sizes, count, dim, *axis)))
        return failure();
    }
  } else if (!isDynamic(dim) && failed(splitEvenly(loc, dim, *axis, sizes))) {
    return failure();
  }
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t size : sizes) {
    shape[*axis] = size;
    if (failed(give(loc, results, shape, element)))
      return failure();
  }
  return success();
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                       Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  auto repeats = getConstantInts(adaptor.getRepeats());
  if (!input)
    return giveOfRank(results, lengthOf(adaptor.getRepeats()), element);
  if (!repeats)
    return giveOfRank(results, input.getRank(), element);
  if (static_cast<int64_t>(repeats->size()) != input.getRank())
    return emitOptionalError(loc, "tile has ", repeats->size(), " repeats for ",
                             input.getRank(), " dimensions");
  SmallVector<int64_t> shape;
  for (auto [dim, count] : llvm::zip_equal(input.getShape(), *repeats)) {
    if (count < 0)
      return emitOptionalError(loc, "repeat ", count, " is negative");
    shape.push_back(isDynamic(dim) ? dynamic : multiply(dim, count));
  }
  return give(loc, results, shape, element);
}

Value TileOp::permute(OpBuilder &b, RankedTensorType type, ValueRange operands,
                      ArrayRef<int64_t>) {
  SmallVector<int64_t> repeats;
  for (auto [dim, size] :
       llvm::zip_equal(getShape(operands[0]), type.getShape()))
    repeats.push_back(dim == 0 ? 1 : size / dim);
  return TileOp::create(b, getLoc(), type, operands[0],
                        makeInts(b, getLoc(), repeats));
}

// Multiplies (or divides) the spatial dimensions by the block's size.
static LogicalResult inferBlocks(OptionalLoc loc, Value value, int64_t block,
                                 bool intoSpace, Types &results) {
  RankedTensorType input = ranked(value);
  if (!input)
    return giveOfRank(results, 4, elementOf(value));
  if (input.getRank() != 4)
    return emitOptionalError(
        loc, "expected 4 dimensions, N x H x W x C, found ", input.getRank());
  if (!isAddressable({block, block}))
    return emitOptionalError(loc, "blocksize ", block, " is too large");
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t i = 1; i < 4; ++i) {
    int64_t factor = i == 3 ? block * block : block;
    if (isDynamic(shape[i]))
      continue;
    if ((i == 3) != intoSpace) {
      shape[i] = multiply(shape[i], factor);
      continue;
    }
    if (shape[i] % factor != 0)
      return emitOptionalError(loc, "dimension ", i, " of ", shape[i],
                               " does not divide by ", factor);
    shape[i] /= factor;
  }
  return give(loc, results, shape, input.getElementType());
}

LogicalResult DepthToSpaceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor,
                                               Types &results) {
  return inferBlocks(loc, adaptor.getInput(), adaptor.getBlocksize(),
                     /*intoSpace=*/true, results);
}

LogicalResult SpaceToDepthOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor,
                                               Types &results) {
  return inferBlocks(loc, adaptor.getInput(), adaptor.getBlocksize(),
                     /*intoSpace=*/false, results);
}
