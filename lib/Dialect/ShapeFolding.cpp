//===- ShapeFolding.cpp - Folds ops that move elements --------------------===//
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

OpFoldResult ShapeOp::fold(FoldAdaptor) {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  RankedTensorType type = getStaticType(getResult());
  if (!input || !type)
    return {};
  SliceRange range = makeSliceRange(input.getRank(), getStart(),
                                    getEnd().value_or(input.getRank()), 1);
  ArrayRef<int64_t> dims = input.getShape().slice(range.start, range.size);
  if (ShapedType::isDynamicShape(dims))
    return {};
  return makeElements(type, dims);
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  auto input = getStaticType(getInput());
  RankedTensorType type = getStaticType(getResult());
  if (!input || !type)
    return {};
  return makeElements<int64_t>(type, input.getNumElements());
}

// Element `i` of a range of T, computed in double for floats.
template <typename T>
static ElementsAttr makeRange(RankedTensorType type, ElementsAttr start,
                              ElementsAttr delta) {
  using Wide =
      std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
  Wide first, step;
  if constexpr (std::is_floating_point_v<T>)
    first = getAsDoubles(start)[0], step = getAsDoubles(delta)[0];
  else
    first = getAsInts(start)[0], step = getAsInts(delta)[0];
  std::vector<T> values(type.getNumElements());
  for (auto [i, value] : llvm::enumerate(values))
    value = static_cast<T>(first + static_cast<Wide>(i) * step);
  return makeElements(type, ArrayRef<T>(values));
}

OpFoldResult RangeOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getStaticType(getResult());
  auto start = dyn_cast_if_present<ElementsAttr>(adaptor.getStart());
  auto delta = dyn_cast_if_present<ElementsAttr>(adaptor.getDelta());
  if (!type || !start || !delta || !adaptor.getLimit() ||
      type.getNumElements() > maxFoldedElements)
    return {};
  return dispatch(type.getElementType(), [&](auto zero) {
    return makeRange<decltype(zero)>(type, start, delta);
  });
}

OpFoldResult FillOp::fold(FoldAdaptor) {
  RankedTensorType type = getStaticType(getResult());
  if (!type)
    return {};
  return makeSplat(type, ElementBytes(getValue()).bytes());
}

OpFoldResult brisk::foldReshape(Operation *op, Attribute constant) {
  Value input = op->getOperand(0), result = op->getResult(0);
  // One dynamic dimension is the same on both sides if the others are.
  auto have = dyn_cast<RankedTensorType>(input.getType());
  if (have && have == result.getType() && have.getNumDynamicDims() <= 1 &&
      !llvm::is_contained(have.getShape(), 0))
    return input;
  RankedTensorType type = getStaticType(result);
  auto attr = dyn_cast_if_present<ElementsAttr>(constant);
  if (!type || !attr || attr.getNumElements() != type.getNumElements())
    return {};
  return reshapeElements(attr, type);
}

// A splat of `type` if the constant is one.
static ElementsAttr moveSplat(ElementsAttr attr, RankedTensorType type) {
  ElementsAttr one = getSplatElement(attr);
  return one ? makeSplat(type, ElementBytes(one).bytes()) : nullptr;
}

// The elements that a constant takes memory for.
static int64_t countStored(ElementsAttr attr) {
  return getSplatElement(attr) ? 1 : attr.getNumElements();
}

// Whether a constant may grow from `attr` to `type`.
static bool mayRepeat(ElementsAttr attr, RankedTensorType type) {
  return type.getNumElements() <=
         std::max(maxFoldedElements, countStored(attr));
}

// A constant with its elements moved as `moveElements` says; none if that is
// not known or not worth it.
static OpFoldResult
foldMoved(Attribute constant, RankedTensorType type,
          function_ref<int64_t(int64_t, int64_t, int64_t)> place) {
  auto attr = dyn_cast_if_present<ElementsAttr>(constant);
  if (!attr || !type)
    return {};
  if (ElementsAttr splat = moveSplat(attr, type))
    return splat;
  if (!mayRepeat(attr, type))
    return {};
  return moveElements(attr, type, place);
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getStaticType(getResult());
  if (type && getInput().getType() == type)
    return getInput();
  return foldMoved(adaptor.getInput(), type,
                   [](int64_t, int64_t i, int64_t size) -> int64_t {
                     return size == 1 ? 0 : i;
                   });
}

OpFoldResult TileOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getStaticType(getResult());
  if (type && getInput().getType() == type)
    return getInput();
  return foldMoved(adaptor.getInput(), type,
                   [](int64_t, int64_t i, int64_t size) { return i % size; });
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getStaticType(getResult());
  auto slices = getSlices();
  if (!type || !slices)
    return {};
  if (getInput().getType() == type &&
      llvm::all_of(*slices, [](const SliceRange &slice) {
        return slice.step == 1 || slice.size <= 1;
      }))
    return getInput();
  return foldMoved(adaptor.getInput(), type,
                   [&](int64_t dim, int64_t i, int64_t) {
                     return (*slices)[dim].start + i * (*slices)[dim].step;
                   });
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (getInput().getType() == getType() && llvm::is_sorted(permutation))
    return getInput();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr || !getStaticType(getResult()))
    return {};
  return transposeElements(attr, permutation);
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  RankedTensorType type = getStaticType(getResult());
  if (!type)
    return {};
  SmallVector<ElementsAttr> attrs;
  bool uniform = true;
  int64_t stored = 0;
  for (Attribute input : adaptor.getInputs()) {
    auto attr = dyn_cast_if_present<ElementsAttr>(input);
    if (!attr)
      return {};
    if (attr.getNumElements() == 0)
      continue;
    attrs.push_back(attr);
    stored += countStored(attr);
    ElementsAttr one = getSplatElement(attr);
    uniform &= one && one == getSplatElement(attrs.front());
  }
  if (attrs.empty())
    return makeElements(type, ArrayRef<char>());
  if (uniform)
    return moveSplat(attrs.front(), type);
  // Weights side by side are one; splats among them may be of any size.
  constexpr int64_t maxGrowth = 4, maxElements = 1 << 22;
  if (type.getNumElements() > std::max(maxElements, maxGrowth * stored))
    return {};
  int64_t axis = countFromFront(getAxis(), getResult());
  size_t width = getElementBytes(type.getElementType());
  int64_t outer = ShapedType::getNumElements(type.getShape().take_front(axis));
  std::vector<ElementBytes> sources(attrs.begin(), attrs.end());
  return makeElements(type, [&](MutableArrayRef<char> out) {
    char *to = out.data();
    for (int64_t i = 0; i < outer; ++i)
      for (auto [attr, source] : llvm::zip_equal(attrs, sources)) {
        size_t bytes = attr.getNumElements() / outer * width;
        std::memcpy(to, source.bytes().data() + i * bytes, bytes);
        to += bytes;
      }
  });
}

// The place for `i`, which counts from the first of the `size` places that
// negative pads leave of the source and may be outside of them; -1 for the fill
// value.
static int64_t getPaddedPlace(PadMode mode, int64_t i, int64_t size) {
  if (i >= 0 && i < size)
    return i;
  switch (mode) {
  case PadMode::Constant:
    return -1;
  case PadMode::Edge:
    return std::clamp<int64_t>(i, 0, size - 1);
  case PadMode::Wrap:
    return (i % size + size) % size;
  case PadMode::Reflect:
    return i < 0 ? -i : 2 * (size - 1) - i;
  }
  llvm_unreachable("all modes handled");
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getStaticType(getResult());
  auto padding = getPadding();
  if (!type || !padding)
    return {};
  if (llvm::all_of(*padding,
                   [](auto pad) { return pad.first == 0 && pad.second == 0; }))
    return getInput().getType() == type ? OpFoldResult(getInput())
                                        : OpFoldResult();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr)
    return {};
  size_t width = getElementBytes(type.getElementType());
  SmallVector<char> fill(width, 0);
  if (getValue()) {
    auto value = dyn_cast_if_present<ElementsAttr>(adaptor.getValue());
    if (!value)
      return {};
    ElementBytes bytes(value);
    llvm::copy(bytes.bytes().take_front(width), fill.begin());
  }
  ElementsAttr one = getSplatElement(attr);
  if (one && (getMode() != PadMode::Constant ||
              ElementBytes(one).bytes() == ArrayRef<char>(fill)))
    return moveSplat(attr, type);
  if (!mayRepeat(attr, type))
    return {};
  return moveElements(
      attr, type,
      [&](int64_t dim, int64_t i, int64_t size) {
        auto [before, after] = (*padding)[dim];
        SliceRange kept = makeCropRange(size, before, after);
        int64_t place = getPaddedPlace(
            getMode(), i - std::max<int64_t>(before, 0), kept.size);
        return place < 0 ? place : place + kept.start;
      },
      fill);
}
