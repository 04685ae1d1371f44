//===- ReshapeOps.cpp - The same elements in another shape ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type inference of the shape ops that move no element, and dimensions that
// they keep together.
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

namespace {
/// The shape that a reshape asks for, as far as it is known.
struct AskedShape {
  SmallVector<int64_t> dims;
  /// The dimension that is to hold all that is left.
  std::optional<size_t> open;
  /// The product of those that are known.
  int64_t known = 1;
  /// How many of the input's dynamic dimensions it copies.
  int64_t copied = 0;
};
} // namespace

static FailureOr<AskedShape> readShape(OptionalLoc loc, ArrayRef<int64_t> shape,
                                       RankedTensorType input, bool allowZero) {
  AskedShape asked;
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (dim < -1)
      return emitOptionalError(loc, "dimension ", dim, " is negative");
    asked.dims.push_back(dim == -1 ? dynamic : dim);
    if (dim == -1) {
      if (asked.open)
        return emitOptionalError(loc, "shape has -1 more than once");
      asked.open = i;
    } else if (dim == 0 && !allowZero) {
      if (input && static_cast<int64_t>(i) >= input.getRank())
        return emitOptionalError(loc, "dimension ", i,
                                 " is to be the input's, which has only ",
                                 input.getRank(), " dimensions");
      asked.dims[i] = input ? input.getDimSize(i) : dynamic;
      asked.copied += isDynamic(asked.dims[i]);
    }
    if (!isDynamic(asked.dims[i]))
      asked.known = multiply(asked.known, asked.dims[i]);
  }
  return asked;
}

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  auto constant = getConstantInts(adaptor.getShape());
  if (!constant)
    return giveOfRank(results, lengthOf(adaptor.getShape()), element);
  auto asked = readShape(loc, *constant, input, adaptor.getAllowzero());
  if (failed(asked))
    return failure();
  // A dynamic dimension that is copied cancels against itself.
  if (!input || llvm::count_if(input.getShape(), isDynamic) != asked->copied)
    return give(loc, results, asked->dims, element);
  int64_t have = 1;
  for (int64_t dim : llvm::make_filter_range(
           input.getShape(), [](int64_t dim) { return !isDynamic(dim); }))
    have = multiply(have, dim);
  int64_t known = asked->known;
  if (asked->open) {
    if (known == 0 ? have != 0 : have % known != 0)
      return emitOptionalError(loc, have, " elements do not divide into ",
                               known);
    asked->dims[*asked->open] = known == 0 ? 0 : have / known;
  } else if (known != have) {
    return emitOptionalError(loc, "cannot reshape ", have, " elements into ",
                             known);
  }
  return give(loc, results, asked->dims, element);
}

std::optional<SmallVector<DimGroup>> ReshapeOp::getDimGroups() {
  ArrayRef<int64_t> from = getInput().getType().getShape();
  ArrayRef<int64_t> to = getType().getShape();
  if (llvm::is_contained(from, 0))
    return std::nullopt;
  SmallVector<DimGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    DimGroup group{i, i, j, j};
    int64_t a = i < from.size() ? from[i++] : 1;
    int64_t b = j < to.size() ? to[j++] : 1;
    while (a != b) {
      if (a < b && i < from.size())
        a *= from[i++];
      else if (b < a && j < to.size())
        b *= to[j++];
      else
        return std::nullopt;
    }
    group.fromEnd = i;
    group.toEnd = j;
    groups.push_back(group);
  }
  return groups;
}

std::optional<DimSpace> ReshapeOp::getDimSpace() {
  auto groups = getDimGroups();
  if (!groups)
    return std::nullopt;
  DimSpace space;
  space.rank = groups->size();
  space.operands.resize(getOperation()->getNumOperands());
  for (const DimGroup &group : *groups) {
    auto from = llvm::seq<int64_t>(group.fromBegin, group.fromEnd);
    auto to = llvm::seq<int64_t>(group.toBegin, group.toEnd);
    space.operands[0].emplace_back(from.begin(), from.end());
    space.result.emplace_back(to.begin(), to.end());
  }
  return space;
}

Value ReshapeOp::permute(OpBuilder &b, RankedTensorType type,
                         ValueRange operands, ArrayRef<int64_t>) {
  return makeReshape(b, getLoc(), operands[0], type.getShape());
}

/// The columns must not run on into the rows.
bool ReshapeOp::readsColumns() {
  auto groups = getDimGroups();
  return groups && !groups->empty() &&
         groups->back().fromBegin + 1 == groups->back().fromEnd;
}

/// Marks the axes that a squeeze lists, which must be ones.
static FailureOr<llvm::BitVector>
markAxes(OptionalLoc loc, RankedTensorType input, ArrayRef<int64_t> axes) {
  auto normalized = normalizeAxes(loc, axes, input.getRank());
  if (failed(normalized))
    return failure();
  llvm::BitVector marked(input.getRank());
  for (int64_t axis : *normalized) {
    int64_t dim = input.getDimSize(axis);
    if (dim != 1 && !isDynamic(dim))
      return emitOptionalError(loc, "cannot squeeze dimension ", axis,
                               ", which is ", dim);
    marked.set(axis);
  }
  return marked;
}

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return giveUnranked(results, element);
  FailureOr<llvm::BitVector> removed(llvm::BitVector(input.getRank()));
  if (Value list = adaptor.getAxes()) {
    auto axes = getConstantInts(list);
    if (!axes) {
      int64_t count = lengthOf(list);
      if (isDynamic(count))
        return giveUnranked(results, element);
      return giveOfRank(results, std::max<int64_t>(input.getRank() - count, 0),
                        element);
    }
    removed = markAxes(loc, input, *axes);
    if (failed(removed))
      return failure();
  } else {
    if (!input.hasStaticShape())
      return giveUnranked(results, element);
    for (auto [i, dim] : llvm::enumerate(input.getShape()))
      if (dim == 1)
        removed->set(i);
  }
  SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(input.getShape()))
    if (!(*removed)[i])
      shape.push_back(dim);
  return give(loc, results, shape, element);
}

LogicalResult UnsqueezeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor adaptor, Types &results) {
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

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Types &results) {
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
      size = isDynamic(dim) || isDynamic(size) ? dynamic : multiply(size, dim);
    return size;
  };
  return give(loc, results,
              {product(input.getShape().take_front(axis)),
               product(input.getShape().drop_front(axis))},
              element);
}
