//===- Resize.cpp - How resize samples ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Resize.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Ops.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

/// Sets the size that a scale leads to.
static LogicalResult setOutput(OptionalLoc loc, ResizeAxis &dim, int64_t axis,
                               double size) {
  if (!(size >= 0 && size < 1e15))
    return emitOptionalError(loc, "dimension ", axis, " would have size ",
                             size);
  dim.output = static_cast<int64_t>(size);
  return success();
}

/// Resizes a dimension by a scale.
static LogicalResult applyScale(OptionalLoc loc, ResizeAxis &dim, int64_t axis,
                                double scale) {
  // The taps of one result are numbered, and there are more the smaller the
  // scale.
  constexpr double least = 0x1p-24;
  if (!(scale >= least) || !std::isfinite(scale))
    return emitOptionalError(loc, "scales has the entry ", scale,
                             ", expected a positive number of at least ",
                             least);
  dim.scale = scale;
  // In single precision and whatever the roi, against the words of the spec: as
  // ONNX's own shape inference and reference implementation do.
  float size =
      std::floor(static_cast<float>(dim.input) * static_cast<float>(scale));
  return setOutput(loc, dim, axis, size);
}

/// Resizes a dimension to a size.
static LogicalResult applySize(OptionalLoc loc, ResizeAxis &dim, int64_t size) {
  if (size < 0)
    return emitOptionalError(loc, "sizes has the entry ", size);
  dim.output = size;
  dim.scale = dim.input
                  ? static_cast<double>(size) / static_cast<double>(dim.input)
                  : 1.0;
  return success();
}

/// Gives all axes the smallest or the largest of their scales.
static LogicalResult keepAspectRatio(OptionalLoc loc,
                                     MutableArrayRef<ResizeAxis> resized,
                                     ArrayRef<int64_t> axes,
                                     AspectRatioPolicy policy) {
  double scale = resized[axes[0]].scale;
  for (int64_t axis : axes)
    scale = policy == AspectRatioPolicy::NotLarger
                ? std::min(scale, resized[axis].scale)
                : std::max(scale, resized[axis].scale);
  for (int64_t axis : axes) {
    ResizeAxis &dim = resized[axis];
    dim.scale = scale;
    if (failed(setOutput(
            loc, dim, axis,
            std::floor(scale * static_cast<double>(dim.input) + 0.5))))
      return failure();
  }
  return success();
}

static LogicalResult checkRoi(OptionalLoc loc, ArrayRef<double> roi,
                              size_t numAxes) {
  if (!roi.empty() && roi.size() != 2 * numAxes)
    return emitOptionalError(loc, "roi has ", roi.size(), " entries for ",
                             numAxes, " axes, expected twice as many");
  // Places that single precision can count.
  constexpr double most = 0x1p31;
  for (double place : roi)
    if (!(std::abs(place) <= most))
      return emitOptionalError(loc, "roi has the entry ", place,
                               ", expected a number of at most ", most);
  return success();
}

/// Each dimension of an input of this shape, resized to sizes or by scales
/// (exactly one is given) along `axes`. `roi` lists all starts, then all ends,
/// of `axes`.
static FailureOr<SmallVector<ResizeAxis>>
resolve(OptionalLoc loc, ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
        std::optional<ArrayRef<double>> scales,
        std::optional<ArrayRef<int64_t>> sizes, ArrayRef<double> roi,
        AspectRatioPolicy policy) {
  size_t given = scales ? scales->size() : sizes->size();
  StringRef name = scales ? "scales" : "sizes";
  if (given != axes.size())
    return emitOptionalError(loc, name, " has ", given, " entries for ",
                             axes.size(), " axes");
  if (failed(checkRoi(loc, roi, axes.size())))
    return failure();
  SmallVector<ResizeAxis> resized;
  for (int64_t dim : shape)
    resized.push_back({dim, dim, 1.0});
  for (auto [i, axis] : llvm::enumerate(axes)) {
    ResizeAxis &dim = resized[axis];
    if (!roi.empty()) {
      dim.roiStart = roi[i];
      dim.roiEnd = roi[i + axes.size()];
    }
    if (failed(scales ? applyScale(loc, dim, axis, (*scales)[i])
                      : applySize(loc, dim, (*sizes)[i])))
      return failure();
  }
  if (sizes && policy != AspectRatioPolicy::Stretch && !axes.empty() &&
      failed(keepAspectRatio(loc, resized, axes, policy)))
    return failure();
  return resized;
}

/// Refuses what is too large to be resized: kernels have tables of what each
/// place of the result is made of.
template <typename Op>
static LogicalResult checkTable(Op op, OptionalLoc loc, const ResizeAxis &dim,
                                int64_t axis) {
  if (dim.input > INT32_MAX)
    return emitOptionalError(loc, "dimension ", axis, " of ", dim.input,
                             " elements is too large to be resized");
  constexpr double maxEntries = 1 << 24;
  double taps = 1;
  if (op.getMode() != ResizeMode::Nearest) {
    double shrink = op.getAntialias() ? std::min(dim.scale, 1.0) : 1.0;
    taps = std::ceil((op.getMode() == ResizeMode::Linear ? 2 : 4) / shrink);
  }
  if (static_cast<double>(dim.output) * taps > maxEntries)
    return emitOptionalError(
        loc, "dimension ", axis, " is resized to ", dim.output,
        " places, each made of ", static_cast<int64_t>(taps),
        " elements; the product may be at most ",
        static_cast<int64_t>(maxEntries), ", so resize a part at a time");
  return success();
}

/// Every dimension's resizing; nullopt while something is unknown. `input` has
/// a rank, and a dynamic dimension counts as unknown only where it is resized.
template <typename Op>
static FailureOr<std::optional<SmallVector<ResizeAxis>>>
getResized(Op op, OptionalLoc loc, RankedTensorType input) {
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
  FailureOr<SmallVector<ResizeAxis>> resized =
      resolve(loc, input.getShape(), axes,
              scales ? std::optional<ArrayRef<double>>(*scales) : std::nullopt,
              sizes ? std::optional<ArrayRef<int64_t>>(*sizes) : std::nullopt,
              roi, op.getKeepAspectRatioPolicy());
  if (failed(resized))
    return failure();
  for (auto [i, dim] : llvm::enumerate(*resized)) {
    if (dim.isResized() && failed(checkTable(op, loc, dim, i)))
      return failure();
  }
  return std::optional(std::move(*resized));
}

std::optional<SmallVector<ResizeAxis>> ResizeOp::getResizedAxes() {
  RankedTensorType input = ranked(getInput());
  if (!input || !input.hasStaticShape())
    return std::nullopt;
  auto resized = getResized(*this, std::nullopt, input);
  return succeeded(resized) ? *resized : std::nullopt;
}

SmallVector<int64_t> ResizeOp::getKeptDims(unsigned number) {
  auto resized = getResizedAxes();
  return keepDims(*this, number, [&](int64_t dim) {
    return !resized || (*resized)[dim].isResized();
  });
}

/// Sizes and scales keep their order; the axes say where they belong.
Value ResizeOp::permute(OpBuilder &b, RankedTensorType type,
                        ValueRange operands, ArrayRef<int64_t> permutation) {
  int64_t rank = permutation.size();
  SmallVector<int64_t> axes =
      llvm::to_vector(getAxes().value_or(ArrayRef<int64_t>()));
  if (!getAxes())
    llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  for (int64_t &axis : axes)
    axis = findDim(permutation, axis < 0 ? axis + rank : axis);
  Value result = permuteClone(b, *this, type, operands, permutation);
  result.getDefiningOp<ResizeOp>().setAxes(axes);
  return result;
}

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor op, Types &results) {
  Type element = elementOf(op.getInput());
  RankedTensorType input = ranked(op.getInput());
  if (!input)
    return giveUnranked(results, element);
  // Unknown dimensions do not matter to the rest: 1 stands for them.
  SmallVector<int64_t> shape(input.getShape());
  llvm::replace(shape, dynamic, int64_t(1));
  auto resized = getResized(op, loc, makeTensor(shape, element));
  if (failed(resized))
    return failure();
  bool stretches = op.getKeepAspectRatioPolicy() == AspectRatioPolicy::Stretch;
  bool bySize = op.getSizes() && stretches;
  // One scale for all axes is unknown while one of them is.
  if (op.getSizes() && !stretches && !input.hasStaticShape())
    return giveOfRank(results, input.getRank(), element);
  for (auto [i, dim] : llvm::enumerate(shape)) {
    bool known = !input.isDynamicDim(i);
    if (!*resized)
      dim = dynamic;
    else if (known || (bySize && (**resized)[i].output != 1))
      dim = (**resized)[i].output;
    else
      dim = dynamic;
  }
  return give(loc, results, shape, element);
}
