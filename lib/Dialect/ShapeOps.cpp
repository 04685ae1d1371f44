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

#include "brisk/Dialect/ShapeOps.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/ShapeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

LogicalResult ShapeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                  Types &results) {
  Type i64 = IntegerType::get(adaptor.getInput().getContext(), 64);
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return give(loc, results, {dynamic}, i64);
  SliceRange range =
      makeSliceRange(input.getRank(), adaptor.getStart(),
                     adaptor.getEnd().value_or(input.getRank()), 1);
  return give(loc, results, {range.size}, i64);
}

LogicalResult SizeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                 Types &results) {
  return give(loc, results, {},
              IntegerType::get(adaptor.getInput().getContext(), 64));
}

LogicalResult RangeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                  Types &results) {
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
    count = std::ceil((double(limit) - double(start)) / double(delta));
  }
  if (!(count < 0x1p40))
    return emitOptionalError(loc, "range has too many elements");
  return give(loc, results, {static_cast<int64_t>(std::max(count, 0.0))},
              element);
}

LogicalResult FillOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                 Types &results) {
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

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                    Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  auto constant = getConstantInts(adaptor.getShape());
  if (!constant)
    return giveOfRank(results, lengthOf(adaptor.getShape()), element);
  SmallVector<int64_t> shape = *constant;
  int64_t open = -1, known = 1;
  // Zeros that stand for a dynamic dimension cancel against it.
  int64_t inputKnown = 1;
  bool exact = input != nullptr;
  if (input)
    for (int64_t dim : input.getShape())
      isDynamic(dim) ? void(exact = false) : void(inputKnown *= dim);
  int64_t openInputs = input ? llvm::count_if(input.getShape(), isDynamic) : 0;
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (dim == 0 && !adaptor.getAllowzero()) {
      if (!input) {
        dim = dynamic;
        continue;
      }
      if (static_cast<int64_t>(i) >= input.getRank())
        return emitOptionalError(loc, "dimension ", i,
                                 " is to be the input's, which has only ",
                                 input.getRank(), " dimensions");
      dim = input.getDimSize(i);
      if (isDynamic(dim)) {
        --openInputs;
        continue;
      }
    } else if (dim == -1) {
      if (open >= 0)
        return emitOptionalError(loc, "shape has -1 more than once");
      open = i;
      continue;
    } else if (dim < 0) {
      return emitOptionalError(loc, "dimension ", dim, " is negative");
    }
    known = multiply(known, dim);
  }
  bool comparable = exact || (input && openInputs == 0);
  if (open >= 0) {
    shape[open] = dynamic;
    if (comparable) {
      if (known == 0 ? inputKnown != 0 : inputKnown % known != 0)
        return emitOptionalError(loc, inputKnown,
                                 " elements do not divide into ", known);
      shape[open] = known == 0 ? 0 : inputKnown / known;
    }
  } else if (comparable && known != inputKnown) {
    return emitOptionalError(loc, "cannot reshape ", inputKnown,
                             " elements into ", known);
  }
  return give(loc, results, shape, element);
}

LogicalResult SqueezeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                    Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return giveUnranked(results, element);
  llvm::BitVector removed(input.getRank());
  if (Value list = adaptor.getAxes()) {
    auto axes = getConstantInts(list);
    if (!axes) {
      int64_t count = lengthOf(list);
      if (isDynamic(count))
        return giveUnranked(results, element);
      return giveOfRank(results, std::max<int64_t>(input.getRank() - count, 0),
                        element);
    }
    auto normalized = normalizeAxes(loc, *axes, input.getRank());
    if (failed(normalized))
      return failure();
    for (int64_t axis : *normalized) {
      int64_t dim = input.getDimSize(axis);
      if (dim != 1 && !isDynamic(dim))
        return emitOptionalError(loc, "cannot squeeze dimension ", axis,
                                 ", which is ", dim);
      removed.set(axis);
    }
  } else {
    if (!input.hasStaticShape())
      return giveUnranked(results, element);
    for (auto [i, dim] : llvm::enumerate(input.getShape()))
      if (dim == 1)
        removed.set(i);
  }
  SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(input.getShape()))
    if (!removed[i])
      shape.push_back(dim);
  return give(loc, results, shape, element);
}

LogicalResult UnsqueezeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                      Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return giveUnranked(results, element);
  auto axes = getConstantInts(adaptor.getAxes());
  int64_t count = axes ? axes->size() : lengthOf(adaptor.getAxes());
  if (isDynamic(count))
    return giveUnranked(results, element);
  int64_t rank = input.getRank() + count;
  if (!axes)
    return giveOfRank(results, rank, element);
  auto normalized = normalizeAxes(loc, *axes, rank);
  if (failed(normalized))
    return failure();
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> dims = input.getShape();
  for (int64_t i = 0; i < rank; ++i) {
    if (llvm::is_contained(*normalized, i)) {
      shape.push_back(1);
      continue;
    }
    shape.push_back(dims.front());
    dims = dims.drop_front();
  }
  return give(loc, results, shape, element);
}

LogicalResult FlattenOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                    Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return give(loc, results, {dynamic, dynamic}, element);
  int64_t axis = adaptor.getAxis(), rank = input.getRank();
  if (axis < -rank || axis > rank)
    return emitOptionalError(loc, "axis ", axis, " is out of range for ", rank,
                             " dimensions");
  axis = axis < 0 ? axis + rank : axis;
  auto product = [](ArrayRef<int64_t> dims) {
    int64_t size = 1;
    for (int64_t dim : dims)
      size = isDynamic(dim) || isDynamic(size) ? dynamic : size * dim;
    return size;
  };
  return give(loc, results,
              {product(input.getShape().take_front(axis)),
               product(input.getShape().drop_front(axis))},
              element);
}

//===----------------------------------------------------------------------===//
// Elements moved and repeated
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                   Types &results) {
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

LogicalResult TransposeOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                      Types &results) {
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

LogicalResult ConcatOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                   Types &results) {
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
        total = isDynamic(dim) || isDynamic(total) ? dynamic : total + dim;
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

LogicalResult SplitOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                  Types &results) {
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
      if (static_cast<int64_t>(constant->size()) != count)
        return emitOptionalError(loc, "split has ", constant->size(),
                                 " sizes for ", count, " results");
      sizes = *constant;
      int64_t total = 0;
      for (int64_t size : sizes) {
        if (size < 0)
          return emitOptionalError(loc, "size ", size, " is negative");
        if (llvm::AddOverflow(total, size, total))
          return emitOptionalError(loc, "sizes are too large");
      }
      if (!isDynamic(dim) && total != dim)
        return emitOptionalError(loc, "sizes add up to ", total,
                                 " where dimension ", *axis, " is ", dim);
    }
  } else if (!isDynamic(dim)) {
    int64_t chunk = llvm::divideCeil(dim, count), left = dim;
    for (int64_t &size : sizes) {
      size = std::min(chunk, left);
      left -= size;
    }
  }
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t size : sizes) {
    shape[*axis] = size;
    results.push_back(makeTensor(shape, element));
  }
  return success();
}

LogicalResult TileOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                 Types &results) {
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

// Multiplies (or divides) the spatial dimensions by the block's size.
static LogicalResult inferBlocks(OptionalLoc loc, Value value, int64_t block,
                                 bool intoSpace, Types &results) {
  RankedTensorType input = ranked(value);
  if (!input)
    return giveOfRank(results, 4, elementOf(value));
  if (input.getRank() != 4)
    return emitOptionalError(
        loc, "expected 4 dimensions, N x H x W x C, found ", input.getRank());
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t i = 1; i < 4; ++i) {
    int64_t factor = i == 3 ? multiply(block, block) : block;
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

LogicalResult DepthToSpaceOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                         Types &results) {
  return inferBlocks(loc, adaptor.getInput(), adaptor.getBlocksize(),
                     /*intoSpace=*/true, results);
}

LogicalResult SpaceToDepthOp::inferTypes(OptionalLoc loc, Adaptor adaptor,
                                         Types &results) {
  return inferBlocks(loc, adaptor.getInput(), adaptor.getBlocksize(),
                     /*intoSpace=*/false, results);
}
