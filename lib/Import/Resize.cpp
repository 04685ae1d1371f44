//===- Resize.cpp - Resizing ----------------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Elements.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

namespace {
struct ResizeParameters {
  Value roi, scales, sizes;
  ResizeMode mode = ResizeMode::Nearest;
  CoordinateMode coordinates = CoordinateMode::Asymmetric;
  NearestMode nearest = NearestMode::Floor;
  double cubic = -0.75, extrapolation = 0;
  bool excludeOutside = false, antialias = false;
  AspectRatioPolicy policy = AspectRatioPolicy::Stretch;
  DenseI64ArrayAttr axes;
};
} // namespace

static Value make(Node &n, Value x, const ResizeParameters &p) {
  return n.make<ResizeOp>(x, p.roi, p.scales, p.sizes, p.mode, p.coordinates,
                          p.nearest, APFloat(float(p.cubic)), p.excludeOutside,
                          APFloat(float(p.extrapolation)), p.antialias,
                          p.policy, p.axes);
}

/// Before opset 11 the mode is all that can be chosen.
static ResizeMode readOldMode(Node &n) {
  std::string mode = n.getString("mode", "nearest");
  if (mode == "nearest")
    return ResizeMode::Nearest;
  if (mode != "linear" && mode != "bilinear")
    n.error() << "mode '" << mode << "' is not supported";
  return ResizeMode::Linear;
}

static Value floats(Node &n, ArrayRef<float> values) {
  auto type = RankedTensorType::get(values.size(), n.builder.getF32Type());
  return n.constant(makeElements(type, values));
}

static Results upsample(Node &n) {
  Value x = n.in(0);
  ResizeParameters p;
  p.mode = readOldMode(n);
  if (n.opset >= 9) {
    p.scales = n.in(1);
  } else if (n.opset >= 7) {
    auto scales = n.getFloats("scales");
    if (!scales)
      return n.error() << "attribute 'scales' is missing";
    p.scales = floats(n, *scales);
  } else {
    for (StringRef name : {"width_scale", "height_scale"})
      if (!n.has(name))
        return n.error() << "attribute '" << name << "' is missing";
    float width = n.getFloat("width_scale", 1);
    float height = n.getFloat("height_scale", 1);
    p.scales = floats(n, {1, 1, height, width});
  }
  return make(n, x, p);
}

/// Opset 10: the nearest element is the one below along axes that grow, and the
/// one above along those that shrink, so that they are resized one after the
/// other.
static Results resizeByScales(Node &n) {
  Value x = n.in(0), scales = n.in(1);
  ResizeParameters p;
  p.scales = scales;
  p.mode = readOldMode(n);
  auto known = getConstantFloats(scales);
  bool grows = !known || llvm::any_of(*known, [](double s) { return s > 1; });
  bool shrinks = !known || llvm::any_of(*known, [](double s) { return s < 1; });
  if (p.mode == ResizeMode::Nearest && shrinks) {
    p.nearest = NearestMode::Ceil;
    if (!grows)
      return make(n, x, p);
    Value one = n.scalarLike(1, scales);
    p.scales = n.min(scales, one);
    x = make(n, x, p);
    p.scales = n.max(scales, one);
    p.nearest = NearestMode::Floor;
  }
  return make(n, x, p);
}

static bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

static Results resize(Node &n) {
  Value x = n.in(0);
  ResizeParameters p;
  p.roi = n.maybe(1);
  p.scales = n.maybe(2);
  p.sizes = n.maybe(3);
  // Opset 11 spells an absent input as an empty tensor.
  for (Value *value : {&p.roi, &p.scales, &p.sizes})
    if (*value && isEmpty(*value))
      *value = Value();
  p.mode = n.getEnum<ResizeMode>("mode", "nearest", symbolizeResizeMode);
  p.coordinates = n.getEnum<CoordinateMode>(
      "coordinate_transformation_mode", "half_pixel", symbolizeCoordinateMode);
  p.nearest = n.getEnum<NearestMode>("nearest_mode", "round_prefer_floor",
                                     symbolizeNearestMode);
  p.cubic = n.getFloat("cubic_coeff_a", -0.75f);
  p.extrapolation = n.getFloat("extrapolation_value", 0);
  p.excludeOutside = n.getFlag("exclude_outside");
  p.antialias = n.getFlag("antialias");
  p.policy = n.getEnum<AspectRatioPolicy>("keep_aspect_ratio_policy", "stretch",
                                          symbolizeAspectRatioPolicy);
  if (auto axes = n.getInts("axes"))
    p.axes = n.builder.getDenseI64ArrayAttr(*axes);
  if (p.coordinates != CoordinateMode::TfCropAndResize)
    p.roi = Value();
  if (!p.scales == !p.sizes)
    return n.error() << "it has " << (p.scales ? "both" : "neither")
                     << " scales and sizes, expected one of them";
  return make(n, x, p);
}

/// Before opset 20 modes have the names of two dimensions: bilinear, bicubic.
static std::optional<ResizeMode> symbolizeGridMode(StringRef name) {
  name.consume_front("bi");
  return symbolizeResizeMode(name);
}

static Results gridSample(Node &n) {
  Value x = n.in(0), grid = n.in(1);
  n.needRank(x, 3);
  auto mode = n.getEnum<ResizeMode>("mode", "linear", symbolizeGridMode);
  auto padding =
      n.getEnum<GridPadding>("padding_mode", "zeros", symbolizeGridPadding);
  bool alignCorners = n.getInt("align_corners", 0) != 0;
  if (n.isBroken())
    return {n.poison()};
  return n.toChannelsFirst(n.make<GridSampleOp>(n.toChannelsLast(x), grid, mode,
                                                padding, alignCorners));
}

void onnximport::addResizeRows(OpTable &table) {
  table.on("GridSample", 16, gridSample);
  table.on("Resize", 10, resizeByScales);
  table.on("Resize", 11, resize);
  table.on("Upsample", 1, upsample);
}
