//===- ShapeFolding.cpp - Folds ops that move elements --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/ShapeOps.h"

using namespace mlir;
using namespace brisk;

// What repeats a constant folds up to this many elements: beyond, it would only
// grow the model.
static constexpr int64_t maxRepeated = 1 << 16;

// The result's type if it is static, and so can be a constant's.
static RankedTensorType staticType(Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

static ElementsAttr makeInts(RankedTensorType type, ArrayRef<int64_t> values) {
  return makeElements(type, values);
}

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

OpFoldResult ShapeOp::fold(FoldAdaptor) {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  RankedTensorType type = staticType(getResult());
  if (!input || !type)
    return {};
  SliceRange range = makeSliceRange(input.getRank(), getStart(),
                                    getEnd().value_or(input.getRank()), 1);
  ArrayRef<int64_t> dims = input.getShape().slice(range.start, range.size);
  if (ShapedType::isDynamicShape(dims))
    return {};
  return makeInts(type, dims);
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  auto input = staticType(getInput());
  RankedTensorType type = staticType(getResult());
  if (!input || !type)
    return {};
  return makeInts(type, input.getNumElements());
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
  RankedTensorType type = staticType(getResult());
  auto start = dyn_cast_if_present<ElementsAttr>(adaptor.getStart());
  auto delta = dyn_cast_if_present<ElementsAttr>(adaptor.getDelta());
  if (!type || !start || !delta || !adaptor.getLimit() ||
      type.getNumElements() > maxRepeated)
    return {};
  Type element = type.getElementType();
  if (element.isF32())
    return makeRange<float>(type, start, delta);
  if (element.isF64())
    return makeRange<double>(type, start, delta);
  if (isa<FloatType>(element))
    return {};
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return makeRange<uint8_t>(type, start, delta);
  case 16:
    return makeRange<uint16_t>(type, start, delta);
  case 32:
    return makeRange<uint32_t>(type, start, delta);
  default:
    return makeRange<uint64_t>(type, start, delta);
  }
}

OpFoldResult FillOp::fold(FoldAdaptor) {
  RankedTensorType type = staticType(getResult());
  if (!type)
    return {};
  return makeSplat(type, ElementBytes(getValue()).bytes());
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

// The input itself where that has the result's type, a constant's elements in
// another shape.
static OpFoldResult foldReshape(Value input, Attribute constant, Value result) {
  // One dynamic dimension is the same on both sides if the others are.
  auto have = dyn_cast<RankedTensorType>(input.getType());
  if (have && have == result.getType() && have.getNumDynamicDims() <= 1 &&
      !llvm::is_contained(have.getShape(), 0))
    return input;
  RankedTensorType type = staticType(result);
  auto attr = dyn_cast_if_present<ElementsAttr>(constant);
  if (!type || !attr || attr.getNumElements() != type.getNumElements())
    return {};
  return reshapeElements(attr, type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  return foldReshape(getInput(), adaptor.getInput(), getResult());
}
OpFoldResult SqueezeOp::fold(FoldAdaptor adaptor) {
  return foldReshape(getInput(), adaptor.getInput(), getResult());
}
OpFoldResult UnsqueezeOp::fold(FoldAdaptor adaptor) {
  return foldReshape(getInput(), adaptor.getInput(), getResult());
}
OpFoldResult FlattenOp::fold(FoldAdaptor adaptor) {
  return foldReshape(getInput(), adaptor.getInput(), getResult());
}

//===----------------------------------------------------------------------===//
// Elements moved and repeated
//===----------------------------------------------------------------------===//

// For a place in one of the result's dimensions, the elements to go on in the
// source; -1 where the result has the fill value.
using Offsets = std::vector<int64_t>;

namespace {
/// Copies elements of a constant to where the tables of offsets, one for each
/// dimension of the result, have them.
struct Mover {
  const char *source;
  size_t width;
  ArrayRef<Offsets> tables;
  ArrayRef<char> fill;
  char *out;

  void run(size_t dim, int64_t offset, bool outside) {
    if (dim + 1 < tables.size()) {
      for (int64_t step : tables[dim])
        run(dim + 1, offset + step, outside || step < 0);
      return;
    }
    auto copy = [&](const char *from, size_t bytes) {
      std::memcpy(out, from, bytes);
      out += bytes;
    };
    // Runs of neighbours in one go.
    const Offsets &last = tables.back();
    for (size_t i = 0, end; i < last.size(); i = end) {
      end = i + 1;
      if (outside || last[i] < 0) {
        copy(fill.data(), width);
        continue;
      }
      while (end < last.size() && last[end] == last[end - 1] + 1)
        ++end;
      copy(source + (offset + last[i]) * width, (end - i) * width);
    }
  }
};
} // namespace

// The source's strides, right-aligned with a result of `rank` dimensions.
static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape, int64_t rank) {
  SmallVector<int64_t> strides(rank, 0);
  int64_t stride = 1;
  for (size_t i = 1; i <= shape.size(); ++i) {
    strides[rank - i] = stride;
    stride *= shape[shape.size() - i];
  }
  return strides;
}

// The result of moving a constant's elements: place `i` of dimension `dim` has
// the source's place `place(dim, i)`, or the fill value where that is negative.
static ElementsAttr moveElements(ElementsAttr attr, RankedTensorType type,
                                 function_ref<int64_t(int64_t, int64_t)> place,
                                 ArrayRef<char> fill = {}) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> strides =
      getStrides(attr.getShapedType().getShape(), rank);
  SmallVector<Offsets> tables(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    for (int64_t i = 0; i < type.getDimSize(dim); ++i) {
      int64_t at = place(dim, i);
      tables[dim].push_back(at < 0 ? -1 : at * strides[dim]);
    }
  if (rank == 0)
    tables.push_back({0});
  ElementBytes source(attr);
  size_t width = getElementBytes(type.getElementType());
  return makeElements(type, [&](MutableArrayRef<char> out) {
    if (!out.empty())
      Mover{source.bytes().data(), width, tables, fill, out.data()}.run(0, 0,
                                                                        false);
  });
}

// A splat of `type` if the constant is one.
static ElementsAttr moveSplat(ElementsAttr attr, RankedTensorType type) {
  ElementsAttr one = getSplatElement(attr);
  return one ? makeSplat(type, ElementBytes(one).bytes()) : nullptr;
}

// Whether a constant may grow from `attr` to `type`.
static bool mayRepeat(ElementsAttr attr, RankedTensorType type) {
  return type.getNumElements() <= std::max(maxRepeated, attr.getNumElements());
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = staticType(getResult());
  if (!type)
    return {};
  if (getInput().getType() == type)
    return getInput();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr)
    return {};
  if (ElementsAttr splat = moveSplat(attr, type))
    return splat;
  if (!mayRepeat(attr, type))
    return {};
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  int64_t lead = type.getRank() - shape.size();
  return moveElements(attr, type, [&](int64_t dim, int64_t i) -> int64_t {
    return dim < lead || shape[dim - lead] == 1 ? 0 : i;
  });
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (getInput().getType() == getType() && llvm::is_sorted(permutation))
    return getInput();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr || !staticType(getResult()))
    return {};
  return transposeElements(attr, permutation);
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  RankedTensorType type = staticType(getResult());
  if (!type)
    return {};
  SmallVector<ElementsAttr> attrs;
  bool uniform = true;
  for (Attribute input : adaptor.getInputs()) {
    auto attr = dyn_cast_if_present<ElementsAttr>(input);
    if (!attr)
      return {};
    attrs.push_back(attr);
    ElementsAttr one = getSplatElement(attr);
    uniform &= one && one == getSplatElement(attrs.front());
  }
  if (uniform)
    return moveSplat(attrs.front(), type);
  int64_t axis = getAxis();
  if (axis < 0)
    axis += type.getRank();
  size_t width = getElementBytes(type.getElementType());
  int64_t outer = 1;
  for (int64_t dim : type.getShape().take_front(axis))
    outer *= dim;
  std::vector<ElementBytes> sources(attrs.begin(), attrs.end());
  return makeElements(type, [&](MutableArrayRef<char> out) {
    char *to = out.data();
    for (int64_t i = 0; i < outer; ++i)
      for (auto [attr, source] : llvm::zip_equal(attrs, sources)) {
        size_t bytes = attr.getNumElements() / outer * width;
        if (bytes == 0)
          continue;
        std::memcpy(to, source.bytes().data() + i * bytes, bytes);
        to += bytes;
      }
  });
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = staticType(getResult());
  if (!type)
    return {};
  auto slices = getSlices();
  if (!slices)
    return {};
  if (getInput().getType() == type &&
      llvm::all_of(*slices, [](const SliceRange &slice) {
        return slice.step == 1 || slice.size <= 1;
      }))
    return getInput();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr)
    return {};
  if (ElementsAttr splat = moveSplat(attr, type))
    return splat;
  return moveElements(attr, type, [&](int64_t dim, int64_t i) {
    return (*slices)[dim].start + i * (*slices)[dim].step;
  });
}

OpFoldResult TileOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = staticType(getResult());
  if (!type)
    return {};
  if (getInput().getType() == type)
    return getInput();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr)
    return {};
  if (ElementsAttr splat = moveSplat(attr, type))
    return splat;
  if (!mayRepeat(attr, type))
    return {};
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  return moveElements(attr, type,
                      [&](int64_t dim, int64_t i) { return i % shape[dim]; });
}

// The source's place for `i`, which counts from the source's first and may be
// outside of its `size` places; -1 for the fill value.
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
  RankedTensorType type = staticType(getResult());
  auto padding = getPadding();
  if (!type || !padding)
    return {};
  if (llvm::all_of(*padding,
                   [](auto pad) { return pad.first == 0 && pad.second == 0; }))
    return getInput().getType() == type ? OpFoldResult(getInput())
                                        : OpFoldResult();
  auto attr = dyn_cast_if_present<ElementsAttr>(adaptor.getInput());
  if (!attr || !mayRepeat(attr, type))
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
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  return moveElements(
      attr, type,
      [&](int64_t dim, int64_t i) {
        return getPaddedPlace(getMode(), i - (*padding)[dim].first, shape[dim]);
      },
      fill);
}
