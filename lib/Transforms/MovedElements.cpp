//===- MovedElements.cpp - Dequantized constants, moved -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovedElements.h"
#include "brisk/Dialect/Builders.h"

using namespace mlir;
using namespace brisk;

bool MovedElements::Dim::fill(MutableArrayRef<Part> &rest) {
  for (int64_t have = 1; have < size; have *= parts.back().size) {
    if (rest.empty() || size % have)
      return false;
    Part &next = rest.front();
    int64_t wanted = size / have;
    if (next.size <= wanted) {
      parts.push_back(next);
      rest = rest.drop_front();
      continue;
    }
    if (next.size % wanted)
      return false;
    int64_t left = next.size / wanted;
    parts.push_back({next.dim, wanted, next.stride * left});
    next.size = left;
  }
  return isWhole();
}

bool MovedElements::reshape(ArrayRef<int64_t> shape) {
  // Dimensions of one element come and go, whatever the others are.
  SmallVector<Dim, 4> longer;
  for (Dim &dim : dims)
    if (dim.size != 1)
      longer.push_back(dim);
  if (llvm::equal(
          llvm::make_filter_range(shape,
                                  [](int64_t size) { return size != 1; }),
          llvm::map_range(longer, [](const Dim &dim) { return dim.size; }))) {
    auto *next = longer.begin();
    dims.clear();
    for (int64_t size : shape)
      dims.push_back(size == 1 ? Dim{{}, 1} : std::move(*next++));
    return true;
  }
  // Those in front that stay may be cut.
  SmallVector<Dim, 4> kept;
  for (const Dim &dim : dims) {
    if (shape.empty() || dim.size != shape.front())
      break;
    kept.push_back(dim);
    shape = shape.drop_front();
  }
  SmallVector<Part, 4> parts;
  for (const Dim &dim : ArrayRef(dims).drop_front(kept.size())) {
    if (!dim.isWhole())
      return false;
    llvm::append_range(parts, dim.parts);
  }
  MutableArrayRef<Part> rest = parts;
  dims = std::move(kept);
  for (int64_t size : shape) {
    Dim dim{{}, size};
    if (!dim.fill(rest))
      return false;
    dims.push_back(std::move(dim));
  }
  return rest.empty();
}

bool MovedElements::cut(SliceOp op) {
  auto slices = op.getSlices();
  if (!slices)
    return false;
  for (auto [dim, slice] : llvm::zip_equal(dims, *slices)) {
    if (slice.start != 0 || (slice.step != 1 && slice.size > 1))
      return false;
    dim.size = slice.size;
  }
  return true;
}

std::optional<MovedElements::Dim> MovedElements::join(ArrayRef<Dim> dims) {
  Dim result{{}, 1};
  for (const Dim &dim : dims) {
    if (result.size != 1 && !dim.isWhole())
      return std::nullopt;
    llvm::append_range(result.parts, dim.parts);
    result.size *= dim.size;
  }
  return result;
}

std::optional<MovedElements> MovedElements::get(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto source = dyn_cast_or_null<DequantizeOp>(op)) {
    // A scale of more dimensions gives them to the result.
    if (getShape(source.getInput()) != getShape(source))
      return std::nullopt;
    MovedElements result{source, {}};
    for (auto [i, size] : llvm::enumerate(getShape(source))) {
      result.dims.push_back({{}, size});
      if (size != 1)
        result.dims.back().parts.push_back({static_cast<int64_t>(i), size});
    }
    return result;
  }
  if (!isa_and_nonnull<ReshapeOp, TransposeOp, SliceOp>(op))
    return std::nullopt;
  auto result = get(op->getOperand(0));
  if (!result)
    return std::nullopt;
  bool fits = true;
  if (isa<ReshapeOp>(op))
    fits = result->reshape(getShape(value));
  else if (auto slice = dyn_cast<SliceOp>(op))
    fits = result->cut(slice);
  else {
    SmallVector<Dim, 4> dims;
    for (int64_t from : cast<TransposeOp>(op).getPermutation())
      dims.push_back(result->dims[from]);
    result->dims = std::move(dims);
  }
  return fits ? result : std::nullopt;
}
