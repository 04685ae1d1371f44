//===- SliceOps.cpp - Slice and pad ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type inference and verification of the shape ops that take parts and add
// margins.
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

SliceRange brisk::makeSliceRange(int64_t dim, int64_t start, int64_t end,
                                 int64_t step) {
  // INT64_MIN and the like stand for the far end.
  auto clamp = [&](int64_t at, int64_t low, int64_t high) {
    if (at < 0)
      at = at < -dim ? low : at + dim;
    return std::clamp(at, low, high);
  };
  if (step > 0) {
    start = clamp(start, 0, dim), end = clamp(end, 0, dim);
    int64_t length = end - start;
    return {start, length <= 0 ? 0 : (length - 1) / step + 1, step};
  }
  if (dim == 0)
    return {0, 0, step};
  // Only an end may lie before the beginning.
  start = clamp(start, 0, dim - 1), end = clamp(end, -1, dim - 1);
  int64_t length = start - end;
  // Of -INT64_MIN there is no positive.
  uint64_t stride = 0 - static_cast<uint64_t>(step);
  int64_t size = length <= 0 ? 0 : (uint64_t(length) - 1) / stride + 1;
  return {start, size, step};
}

// The slices of an input of `shape`, kDynamic sizes where dimensions are not
// known; nullopt if the parameters are not.
static FailureOr<std::optional<SmallVector<SliceRange>>>
inferSlices(OptionalLoc loc, SliceOp::Adaptor adaptor,
            ArrayRef<int64_t> shape) {
  std::optional<SmallVector<SliceRange>> unknown;
  auto starts = getConstantInts(adaptor.getStarts());
  auto ends = getConstantInts(adaptor.getEnds());
  if (!starts || !ends)
    return unknown;
  if (starts->size() != ends->size())
    return emitOptionalError(loc, "slice has ", starts->size(), " starts and ",
                             ends->size(), " ends");
  SmallVector<int64_t> axes, steps(starts->size(), 1);
  for (size_t i = 0; i < starts->size(); ++i)
    axes.push_back(i);
  for (auto [list, values] :
       {std::pair{adaptor.getAxes(), &axes}, {adaptor.getSteps(), &steps}}) {
    if (!list)
      continue;
    auto constant = getConstantInts(list);
    if (!constant)
      return unknown;
    if (constant->size() != starts->size())
      return emitOptionalError(loc, "slice has ", starts->size(),
                               " starts and ", constant->size(),
                               " axes or steps");
    *values = *constant;
  }
  auto normalized = normalizeAxes(loc, axes, shape.size());
  if (failed(normalized))
    return failure();
  SmallVector<SliceRange> slices;
  for (int64_t dim : shape)
    slices.push_back({0, dim, 1});
  for (auto [i, axis] : llvm::enumerate(*normalized)) {
    if (steps[i] == 0)
      return emitOptionalError(loc, "slice steps must not be 0");
    if (!isDynamic(shape[axis]))
      slices[axis] =
          makeSliceRange(shape[axis], (*starts)[i], (*ends)[i], steps[i]);
    else
      slices[axis] = {0, dynamic, steps[i]};
  }
  return std::optional(slices);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return giveUnranked(results, element);
  auto slices = inferSlices(loc, adaptor, input.getShape());
  if (failed(slices))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  if (*slices) {
    for (auto [dim, slice] : llvm::zip_equal(shape, **slices))
      dim = slice.size;
    return give(loc, results, shape, element);
  }
  // Where the axes are known, the other dimensions stay.
  SmallVector<int64_t> axes;
  if (Value list = adaptor.getAxes()) {
    auto constant = getConstantInts(list);
    if (!constant)
      return giveOfRank(results, input.getRank(), element);
    axes = *constant;
  } else {
    int64_t count = lengthOf(adaptor.getStarts());
    for (int64_t i = 0; i < (isDynamic(count) ? input.getRank() : count); ++i)
      axes.push_back(i);
  }
  auto normalized = normalizeAxes(loc, axes, input.getRank());
  if (failed(normalized))
    return failure();
  for (int64_t axis : *normalized)
    shape[axis] = dynamic;
  return give(loc, results, shape, element);
}

std::optional<SmallVector<SliceRange>> SliceOp::getSlices() {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  if (!input)
    return std::nullopt;
  auto slices = inferSlices(std::nullopt, Adaptor(*this), input.getShape());
  if (failed(slices) || !*slices ||
      llvm::any_of(**slices, [](const SliceRange &slice) {
        return isDynamic(slice.size);
      }))
    return std::nullopt;
  return *slices;
}

std::optional<View> SliceOp::getView() {
  auto slices = getSlices();
  if (!slices || llvm::any_of(*slices, [](const SliceRange &range) {
        return range.step != 1;
      }))
    return std::nullopt;
  View view{View::Part, {{}}, {}};
  for (const SliceRange &range : *slices)
    view.offsets.front().push_back(range.start);
  return view;
}

Value SliceOp::permute(OpBuilder &b, RankedTensorType type, ValueRange operands,
                       ArrayRef<int64_t> permutation) {
  Location loc = getLoc();
  SmallVector<SliceRange> ranges = *getSlices();
  SmallVector<int64_t> starts, ends, axes, steps;
  for (auto [i, d] : llvm::enumerate(permutation)) {
    SliceRange range = ranges[d];
    if (range.step == 1 && range.size == getShape(getInput())[d])
      continue;
    int64_t end = range.start + range.size * range.step;
    starts.push_back(range.start);
    // Running backwards, the place before the first is named by a far one.
    ends.push_back(end < 0 ? std::numeric_limits<int64_t>::min() : end);
    axes.push_back(i);
    steps.push_back(range.step);
  }
  bool isDense = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return SliceOp::create(b, loc, type, operands[0], makeInts(b, loc, starts),
                         makeInts(b, loc, ends), makeInts(b, loc, axes),
                         isDense ? Value() : makeInts(b, loc, steps));
}

using Padding = SmallVector<std::pair<int64_t, int64_t>>;

static FailureOr<std::optional<Padding>>
inferPadding(OptionalLoc loc, PadOp::Adaptor adaptor, int64_t rank) {
  std::optional<Padding> unknown;
  auto pads = getConstantInts(adaptor.getPads());
  if (!pads)
    return unknown;
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (Value list = adaptor.getAxes()) {
    auto constant = getConstantInts(list);
    if (!constant)
      return unknown;
    axes = *constant;
  }
  auto normalized = normalizeAxes(loc, axes, rank);
  if (failed(normalized))
    return failure();
  if (pads->size() != 2 * axes.size())
    return emitOptionalError(loc, "pad needs ", 2 * axes.size(), " pads for ",
                             axes.size(), " axes, found ", pads->size());
  // What is absurd either way must not overflow.
  constexpr int64_t most = int64_t(1) << 60;
  for (int64_t pad : *pads)
    if (pad < -most || pad > most)
      return emitOptionalError(loc, "pad of ", pad, " elements is too large");
  Padding padding(rank, {0, 0});
  for (auto [i, axis] : llvm::enumerate(*normalized))
    padding[axis] = {(*pads)[i], (*pads)[axes.size() + i]};
  return std::optional(padding);
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                      Adaptor adaptor, Types &results) {
  Type element = elementOf(adaptor.getInput());
  RankedTensorType input = ranked(adaptor.getInput());
  if (!input)
    return giveUnranked(results, element);
  auto padding = inferPadding(loc, adaptor, input.getRank());
  if (failed(padding))
    return failure();
  if (!*padding)
    return giveOfRank(results, input.getRank(), element);
  SmallVector<int64_t> shape(input.getShape());
  for (auto [i, dim] : llvm::enumerate(shape)) {
    auto [before, after] = (**padding)[i];
    if (isDynamic(dim))
      continue;
    bool grows = before > 0 || after > 0;
    PadMode mode = adaptor.getMode();
    int64_t kept = makeCropRange(dim, before, after).size;
    if (grows && kept == 0 && mode != PadMode::Constant)
      return emitOptionalError(loc, "dimension ", i, " of ", dim,
                               " elements has none left to pad with");
    if (mode == PadMode::Reflect &&
        std::max(before, after) >= std::max<int64_t>(kept, 1))
      return emitOptionalError(loc, "dimension ", i, " of ", kept,
                               " elements cannot be reflected over ",
                               std::max(before, after));
    dim += before + after;
    if (dim < 0)
      return emitOptionalError(loc, "pads leave dimension ", i, " at ", dim);
  }
  return give(loc, results, shape, element);
}

SliceRange brisk::makeCropRange(int64_t dim, int64_t before, int64_t after) {
  int64_t start = std::min(dim, std::max<int64_t>(-before, 0));
  int64_t end = dim - std::max<int64_t>(-after, 0);
  return {start, std::max<int64_t>(end - start, 0), 1};
}

LogicalResult PadOp::verify() {
  Value value = getValue();
  if (!value)
    return success();
  auto type = cast<TensorType>(value.getType());
  if (type.getElementType() != getInput().getType().getElementType())
    return emitOpError("pads with ") << type.getElementType() << " a tensor of "
                                     << getInput().getType().getElementType();
  if (type.hasStaticShape() && type.getNumElements() != 1)
    return emitOpError("pads with one value, found ") << type.getNumElements();
  return success();
}

std::optional<Padding> PadOp::getPadding() {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  if (!input)
    return std::nullopt;
  auto padding = inferPadding(std::nullopt, Adaptor(*this), input.getRank());
  return failed(padding) ? std::nullopt : *padding;
}

/// Its producer writes to the middle of the result, and the plan stage the
/// margin.
/// A margin of zeros stays one.
Scaling PadOp::getScaling(unsigned number) {
  if (number != 0)
    return Scaling::None;
  ElementsAttr value = getConstant(getValue());
  bool isZero =
      !getValue() || (value && llvm::all_of(getAsDoubles(value),
                                            [](double v) { return v == 0; }));
  return isZero || getMode() != PadMode::Constant ? Scaling::Together
                                                  : Scaling::None;
}

std::optional<View> PadOp::getView() {
  auto padding = getPadding();
  ElementsAttr margin = getConstant(getValue());
  if (!padding || getMode() != PadMode::Constant || (getValue() && !margin))
    return std::nullopt;
  if (!margin)
    margin = cast<ElementsAttr>(
        Builder(getContext())
            .getZeroAttr(makeTensor({}, elementOf(getResult()))));
  View view{View::Whole, {{}}, margin};
  for (auto [before, after] : *padding) {
    if (before < 0 || after < 0)
      return std::nullopt;
    view.offsets.front().push_back(before);
  }
  return view;
}

Value PadOp::permute(OpBuilder &b, RankedTensorType type, ValueRange operands,
                     ArrayRef<int64_t> permutation) {
  Padding padding = *getPadding();
  SmallVector<int64_t> pads;
  for (int64_t d : permutation)
    pads.push_back(padding[d].first);
  for (int64_t d : permutation)
    pads.push_back(padding[d].second);
  return PadOp::create(b, getLoc(), type, operands[0],
                       makeInts(b, getLoc(), pads), getValue(), Value(),
                       getMode());
}
