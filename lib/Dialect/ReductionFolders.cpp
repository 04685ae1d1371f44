//===- ReductionFolders.cpp - Reductions of constants ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace brisk;

/// The operand as a constant small enough, or null; the result is, too.
static ElementsAttr getInput(Attribute operand, Value result) {
  auto attr = dyn_cast_if_present<ElementsAttr>(operand);
  bool isSmall = attr && attr.getNumElements() <= maxFoldedElements;
  return isSmall && getFoldable(result) ? attr : nullptr;
}

/// Integers wrap around: they are added and multiplied as unsigned ones.
/// Floats are summed in double precision.
template <typename T>
using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;

template <typename T> static bool isNan(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  return false;
}

/// What an extreme starts from: the last value that anything replaces.
template <typename T> static T getWorst(bool isMax) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return isMax ? -Limits::infinity() : Limits::infinity();
  return isMax ? Limits::lowest() : Limits::max();
}

/// The largest or smallest of the elements that go to each place; NaN if one of
/// them is.
template <typename T>
static std::vector<T> findExtremes(ArrayRef<T> input, ArrayRef<int64_t> places,
                                   size_t results, bool isMax) {
  std::vector<T> extremes(results, getWorst<T>(isMax));
  for (auto [value, place] : llvm::zip_equal(input, places)) {
    T &extreme = extremes[place];
    bool isBetter = isMax ? value > extreme : value < extreme;
    if (isNan(value) || (!isNan(extreme) && isBetter))
      extreme = value;
  }
  return extremes;
}

/// The mean of `count` elements; 0 for that of no integers.
template <typename T> static T getMean(Sum<T> sum, size_t count) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(sum / static_cast<double>(count));
  if (count == 0)
    return 0;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<int64_t>(sum) /
                          static_cast<int64_t>(count));
  return static_cast<T>(sum / count);
}

template <typename T>
static std::vector<T> reduce(ArrayRef<T> input, ArrayRef<int64_t> places,
                             size_t results, ReduceKind kind) {
  if (kind == ReduceKind::Max || kind == ReduceKind::Min)
    return findExtremes(input, places, results, kind == ReduceKind::Max);
  bool isProduct = kind == ReduceKind::Prod;
  std::vector<Sum<T>> sums(results, isProduct ? 1 : 0);
  std::vector<size_t> counts(results);
  for (auto [value, place] : llvm::zip_equal(input, places)) {
    Sum<T> &sum = sums[place], wide = static_cast<Sum<T>>(value);
    sum = isProduct ? sum * wide : sum + wide;
    ++counts[place];
  }
  std::vector<T> values;
  for (auto [sum, count] : llvm::zip_equal(sums, counts))
    values.push_back(kind == ReduceKind::Mean ? getMean<T>(sum, count)
                                              : static_cast<T>(sum));
  return values;
}

/// The operand if it is a splat, of any size, as its one element; null if not,
/// or if the result's shape is not known.
static ElementsAttr getSplatInput(Attribute operand, Value result) {
  auto attr = dyn_cast_if_present<ElementsAttr>(operand);
  return attr && getStaticType(result) ? getSplatElement(attr) : nullptr;
}

/// `value` to the power of `count`.
template <typename T> static T power(T value, uint64_t count) {
  T result = 1;
  for (; count; count /= 2, value *= value)
    if (count % 2)
      result *= value;
  return result;
}

/// The reduction of `count` elements that are all `one`, as an element.
static ElementsAttr reduceSplat(ElementsAttr one, uint64_t count,
                                ReduceKind kind) {
  if (kind != ReduceKind::Sum && kind != ReduceKind::Prod)
    return one;
  if (one.getElementType().isInteger(1))
    return nullptr;
  return dispatch(one.getElementType(), [&](auto zero) -> ElementsAttr {
    using T = decltype(zero);
    auto value = static_cast<Sum<T>>(ElementBytes(one).as<T>().front());
    T result = static_cast<T>(kind == ReduceKind::Sum
                                  ? value * static_cast<Sum<T>>(count)
                                  : power(value, count));
    return makeElements<T>(cast<RankedTensorType>(one.getShapedType()), result);
  });
}

/// Where in the result each element of an input of this shape goes.
static std::vector<int64_t> findPlaces(ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> reducedAxes) {
  SmallVector<int64_t> strides(shape.size(), 0);
  int64_t results = 1;
  for (int64_t i = shape.size() - 1; i >= 0; --i)
    if (!llvm::is_contained(reducedAxes, i)) {
      strides[i] = results;
      results *= shape[i];
    }
  std::vector<int64_t> places(ShapedType::getNumElements(shape));
  for (auto [linear, place] : llvm::enumerate(places)) {
    int64_t rest = linear;
    for (int64_t i = shape.size() - 1; i >= 0; rest /= shape[i], --i)
      place += rest % shape[i] * strides[i];
  }
  return places;
}

OpFoldResult ReduceOp::fold(FoldAdaptor adaptor) {
  auto axes = getReducedAxes();
  if (axes && axes->empty() && getType() == getInput().getType())
    return getInput();
  if (ElementsAttr one = getSplatInput(adaptor.getInput(), getResult());
      one && axes) {
    auto type = cast<RankedTensorType>(getType());
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(getInput().getType()).getShape();
    uint64_t count = 1;
    for (int64_t axis : *axes)
      count *= shape[axis];
    if (ElementsAttr reduced = reduceSplat(one, count, getKind()))
      return makeSplat(type, ElementBytes(reduced).bytes());
  }
  ElementsAttr input = ::getInput(adaptor.getInput(), getResult());
  if (!input || !axes)
    return {};
  auto type = cast<RankedTensorType>(getType());
  std::vector<int64_t> places =
      findPlaces(input.getShapedType().getShape(), *axes);
  return dispatch(input.getElementType(), [&](auto zero) -> ElementsAttr {
    using T = decltype(zero);
    ElementBytes bytes(input);
    std::vector<T> values =
        reduce<T>(bytes.as<T>(), places, type.getNumElements(), getKind());
    // Booleans have no infinities: nothing reduced is false for max, true for
    // min.
    if (input.getElementType().isInteger(1))
      for (T &value : values)
        value = value != 0;
    return makeElements<T>(type, values);
  });
}

/// The first or last place of the largest or smallest of `size` elements.
template <typename T>
static int64_t findExtreme(const T *line, int64_t size, int64_t stride,
                           bool isMax, bool last) {
  int64_t best = 0;
  for (int64_t k = 1; k < size; ++k) {
    T value = line[k * stride], extreme = line[best * stride];
    if ((isMax ? value > extreme : value < extreme) ||
        (last && value == extreme))
      best = k;
  }
  return best;
}

OpFoldResult ArgReduceOp::fold(FoldAdaptor adaptor) {
  if (ElementsAttr one = getSplatInput(adaptor.getInput(), getResult());
      one && isa<RankedTensorType>(getInput().getType())) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(getInput().getType()).getShape();
    // No NaN is equal to another.
    bool last = getSelectLastIndex() && !std::isnan(getAsDoubles(one).front());
    int64_t place = last ? shape[getNormalizedAxis()] - 1 : 0;
    return makeSplat(
        cast<RankedTensorType>(getType()),
        ArrayRef(reinterpret_cast<const char *>(&place), sizeof(place)));
  }
  ElementsAttr input = ::getInput(adaptor.getInput(), getResult());
  if (!input)
    return {};
  ArrayRef<int64_t> shape = input.getShapedType().getShape();
  int64_t axis = getNormalizedAxis(), size = shape[axis];
  int64_t outer = ShapedType::getNumElements(shape.take_front(axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1));
  bool isMax = getKind() == ArgReduceKind::Max, last = getSelectLastIndex();
  return dispatch(input.getElementType(), [&](auto zero) -> ElementsAttr {
    using T = decltype(zero);
    ElementBytes bytes(input);
    ArrayRef<T> values = bytes.as<T>();
    std::vector<int64_t> places;
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < inner; ++j)
        places.push_back(findExtreme(values.data() + i * size * inner + j, size,
                                     inner, isMax, last));
    return makeElements<int64_t>(cast<RankedTensorType>(getType()), places);
  });
}

OpFoldResult CumsumOp::fold(FoldAdaptor adaptor) {
  // Sums of zeros, but for those that are negative.
  if (ElementsAttr one = getSplatInput(adaptor.getInput(), getResult());
      one && llvm::all_of(ElementBytes(one).bytes(),
                          [](char byte) { return byte == 0; }))
    return makeSplat(cast<RankedTensorType>(getType()),
                     ElementBytes(one).bytes());
  ElementsAttr input = ::getInput(adaptor.getInput(), getResult());
  auto axis = getNormalizedAxis();
  if (!input || !axis || getType() != input.getShapedType())
    return {};
  ArrayRef<int64_t> shape = input.getShapedType().getShape();
  int64_t size = shape[*axis];
  int64_t outer = ShapedType::getNumElements(shape.take_front(*axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(*axis + 1));
  return dispatch(input.getElementType(), [&](auto zero) -> ElementsAttr {
    using T = decltype(zero);
    ElementBytes bytes(input);
    ArrayRef<T> values = bytes.as<T>();
    std::vector<T> sums(values.size());
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < inner; ++j) {
        Sum<T> sum = 0;
        for (int64_t step = 0; step < size; ++step) {
          int64_t k = getReverse() ? size - 1 - step : step;
          int64_t place = (i * size + k) * inner + j;
          Sum<T> before = sum;
          sum += static_cast<Sum<T>>(values[place]);
          sums[place] = static_cast<T>(getExclusive() ? before : sum);
        }
      }
    return makeElements<T>(cast<RankedTensorType>(getType()), sums);
  });
}
