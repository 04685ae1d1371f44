//===- IndexingFolders.cpp - Gather on constants --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;

/// From the front and within [0, size).
static int64_t clampIndex(int64_t index, int64_t size) {
  return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size - 1);
}

/// What gathering gives whatever the indices, which may not be known; null if
/// that depends on them.
static ElementsAttr gatherSplat(ElementsAttr data, Value result) {
  RankedTensorType type = getStaticType(result);
  ElementsAttr one = data ? getSplatElement(data) : nullptr;
  return one && type ? makeSplat(type, ElementBytes(one).bytes()) : nullptr;
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  auto data = dyn_cast_if_present<ElementsAttr>(adaptor.getData());
  if (ElementsAttr splat = gatherSplat(data, getResult()))
    return splat;
  auto indices = dyn_cast_if_present<ElementsAttr>(adaptor.getIndices());
  RankedTensorType type = getFoldable(getResult());
  if (!data || !indices || !type)
    return {};
  SmallVector<int64_t> shape(data.getShapedType().getShape());
  int64_t axis = getNormalizedAxis();
  if (shape[axis] == 0)
    return {};
  // The indices in a row, in place of the axis.
  std::vector<int64_t> places = getAsInts(indices);
  shape[axis] = places.size();
  ElementsAttr moved = moveElements(
      data, type.clone(shape), [&](int64_t dim, int64_t i, int64_t size) {
        return dim == axis ? clampIndex(places[i], size) : i;
      });
  return reshapeElements(moved, type);
}

OpFoldResult GatherElementsOp::fold(FoldAdaptor adaptor) {
  auto data = dyn_cast_if_present<ElementsAttr>(adaptor.getData());
  if (ElementsAttr splat = gatherSplat(data, getResult()))
    return splat;
  auto indices = dyn_cast_if_present<ElementsAttr>(adaptor.getIndices());
  RankedTensorType type = getFoldable(getResult());
  if (!data || !indices || !type)
    return {};
  ArrayRef<int64_t> from = data.getShapedType().getShape();
  ArrayRef<int64_t> to = type.getShape();
  int64_t axis = getNormalizedAxis();
  if (from[axis] == 0)
    return {};
  size_t bytes = getElementBytes(type.getElementType());
  ElementBytes source(data);
  std::vector<char> result;
  result.reserve(type.getNumElements() * bytes);
  for (auto [linear, index] : llvm::enumerate(getAsInts(indices))) {
    // The place in the data: the result's, but for the axis.
    int64_t rest = linear, stride = 1, place = 0;
    for (int64_t i = type.getRank() - 1; i >= 0; --i) {
      int64_t at = i == axis ? clampIndex(index, from[i]) : rest % to[i];
      place += at * stride;
      rest /= to[i];
      stride *= from[i];
    }
    const char *element = source.bytes().data() + place * bytes;
    result.insert(result.end(), element, element + bytes);
  }
  return makeElements(type, ArrayRef<char>(result));
}
