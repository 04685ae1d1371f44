//===- SignalOps.cpp - Spectra of signals ---------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/SignalOps.cpp.inc"

/// What a transform's last dimension holds, and what its result's does.
static FailureOr<int64_t> getParts(OptionalLoc loc, int64_t parts, bool inverse,
                                   bool onesided) {
  if (!isDynamic(parts) && parts != 1 && parts != 2)
    return emitOptionalError(loc, "the last dimension is ", parts,
                             ", expected 1 for real numbers or 2 for complex "
                             "ones");
  if (onesided && !inverse && parts == 2)
    return emitOptionalError(loc, "a onesided transform of complex numbers");
  if (onesided && inverse && parts == 1)
    return emitOptionalError(loc, "a onesided inverse transform of real "
                                  "numbers, expected complex ones");
  return onesided && inverse ? 1 : 2;
}

LogicalResult DftOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                      Adaptor op, Types &results) {
  Type element = elementOf(op.getInput());
  RankedTensorType input = ranked(op.getInput());
  if (!input)
    return giveUnranked(results, element);
  int64_t rank = input.getRank();
  if (rank < 2)
    return emitOptionalError(loc, "input has ", rank,
                             " dimensions, expected at least 2");
  FailureOr<int64_t> axis = normalizeAxis(loc, op.getAxis(), rank);
  if (failed(axis))
    return failure();
  if (*axis == rank - 1)
    return emitOptionalError(loc, "axis is the last dimension, which holds the "
                                  "parts of complex numbers");
  bool inverse = op.getInverse(), onesided = op.getOnesided();
  SmallVector<int64_t> shape(input.getShape());
  FailureOr<int64_t> parts = getParts(loc, shape.back(), inverse, onesided);
  if (failed(parts))
    return failure();
  shape.back() = *parts;
  int64_t &size = shape[*axis];
  if (std::optional<uint64_t> length = op.getLength())
    size = static_cast<int64_t>(*length);
  else if (onesided && inverse && !isDynamic(size))
    size = 2 * (size - 1);
  if (!isDynamic(size) && size < 1)
    return emitOptionalError(loc, "a transform of ", size,
                             " elements, expected at least 1");
  if (onesided && !inverse && !isDynamic(size))
    size = size / 2 + 1;
  return give(loc, results, shape, element);
}

namespace {
/// The matrix of a transform: from `parts` numbers of each place of the signal
/// to those of places of the spectrum, `step` apart from `first` on.
struct DftMatrix {
  int64_t length, places, parts, resultPlaces, resultParts;
  bool inverse = false, halved = false;
  int64_t first = 0, step = 1;

  /// The share of part `from` of place `n` in part `to` of place `k`.
  double at(int64_t n, int64_t from, int64_t k, int64_t to) const {
    // Products stay exact; whole turns are left out before the angle is made.
    double turns = static_cast<double>(n * (first + step * k) % length) /
                   static_cast<double>(length);
    double angle = 2 * std::numbers::pi * turns * (inverse ? 1 : -1);
    double factor = inverse ? 1.0 / static_cast<double>(length) : 1.0;
    // The other half of the spectrum holds the conjugates.
    if (halved && n != 0 && 2 * n != length)
      factor *= 2;
    if (from == to)
      return factor * std::cos(angle);
    return factor * (to == 1 ? std::sin(angle) : -std::sin(angle));
  }

  std::vector<double> get() const {
    std::vector<double> matrix;
    matrix.reserve(places * parts * resultPlaces * resultParts);
    for (int64_t n = 0; n < places; ++n)
      for (int64_t from = 0; from < parts; ++from)
        for (int64_t k = 0; k < resultPlaces; ++k)
          for (int64_t to = 0; to < resultParts; ++to)
            matrix.push_back(at(n, from, k, to));
    return matrix;
  }
};
} // namespace

/// What a transform reads of its axis: no more than its length, or the half
/// that a onesided inverse takes.
static Value cutSignal(const Composer &c, Value x, int64_t axis, int64_t most) {
  if (ranked(x).getDimSize(axis) <= most)
    return x;
  return c.make<SliceOp>(x, c.ints({0}), c.ints({most}), c.ints({axis}),
                         Value());
}

static Value makeMatrix(const Composer &c, const DftMatrix &matrix,
                        Type element) {
  std::vector<double> numbers = matrix.get();
  auto type = makeTensor(
      {matrix.places * matrix.parts, matrix.resultPlaces * matrix.resultParts},
      c.b.getF64Type());
  return c.cast(
      c.make<ConstantOp>(makeElements(type, ArrayRef<double>(numbers))),
      element);
}

/// The spectrum of rows of `size` real numbers, rows x size / 2 + 1 x 2. That
/// of even places is the spectrum of the sum of both halves, and that of odd
/// ones comes from their difference (Cooley and Tukey, 1965, with a matrix for
/// what is not halved further): it takes half as many operations, or fewer.
static Value transformReal(const Composer &c, Value x) {
  // Smaller matrices are not worth the additions.
  constexpr int64_t least = 64;
  int64_t rows = ranked(x).getDimSize(0), size = ranked(x).getDimSize(1);
  Type element = elementOf(x);
  auto multiply = [&](Value signal, const DftMatrix &matrix) {
    Value y = c.make<MatmulOp>(signal, makeMatrix(c, matrix, element));
    return makeReshape(c.b, c.loc, y, {rows, matrix.resultPlaces, 2});
  };
  if (size < least || size % 2)
    return multiply(x, {size, size, 1, size / 2 + 1, 2});
  int64_t half = size / 2;
  auto slice = [&](Value from, int64_t start, int64_t end) -> Value {
    return c.make<SliceOp>(from, c.ints({start}), c.ints({end}), c.ints({1}),
                           Value());
  };
  Value low = slice(x, 0, half), high = slice(x, half, size);
  Value even = transformReal(c, c.make<AddOp>(low, high));
  DftMatrix odd{size, half, 1, (half + 1) / 2, 2};
  odd.first = 1;
  odd.step = 2;
  Value others = multiply(c.make<SubOp>(low, high), odd);
  // Place by place, one of each.
  int64_t pairs = odd.resultPlaces;
  auto concat = [&](ArrayRef<Value> parts, int64_t axis) -> Value {
    return c.make<ConcatOp>(ValueRange(parts), c.b.getI64IntegerAttr(axis));
  };
  Value y = concat(
      {makeReshape(c.b, c.loc, slice(even, 0, pairs), {rows, pairs, 1, 2}),
       makeReshape(c.b, c.loc, others, {rows, pairs, 1, 2})},
      2);
  y = makeReshape(c.b, c.loc, y, {rows, 2 * pairs, 2});
  if (half % 2 == 0)
    y = concat({y, slice(even, pairs, pairs + 1)}, 1);
  return y;
}

/// `x` with zeros behind it along the last dimension, `size` elements in all.
static Value fillUp(const Composer &c, Value x, int64_t size) {
  int64_t rank = ranked(x).getRank(), have = ranked(x).getShape().back();
  if (have == size)
    return x;
  SmallVector<int64_t> pads(2 * rank, 0);
  pads.back() = size - have;
  return c.make<PadOp>(x, c.ints(pads), Value(), Value(), PadMode::Constant);
}

SmallVector<Value> DftOp::decompose(OpBuilder &builder) {
  Composer c(builder, getLoc());
  Type element = elementOf(getInput());
  auto axis = getNormalizedAxis();
  auto result = cast<RankedTensorType>(getResult().getType());
  int64_t rank = result.getRank();
  bool inverse = getInverse(), halved = getInverse() && getOnesided();
  int64_t given = ranked(getInput()).getDimSize(axis);
  int64_t length = getLength() ? static_cast<int64_t>(*getLength())
                   : halved    ? 2 * (given - 1)
                               : given;
  Value x = cutSignal(c, c.cast(getInput(), getSumType(element)), axis,
                      halved ? length / 2 + 1 : length);
  // The axis to the place before the parts.
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      order.push_back(i);
  order.insert(order.end() - 1, axis);
  x = makeTranspose(builder, c.loc, x, order);
  SmallVector<int64_t> shape(ranked(x).getShape()), back(rank);
  for (int64_t i = 0; i < rank; ++i)
    back[order[i]] = i;
  auto finish = [&](Value y) -> SmallVector<Value> {
    shape[rank - 2] = result.getDimSize(axis);
    shape[rank - 1] = result.getShape().back();
    y = makeReshape(builder, c.loc, y, shape);
    return {c.cast(makeTranspose(builder, c.loc, y, back), element)};
  };
  if (getOnesided() && !inverse) {
    int64_t rows = 1;
    for (int64_t size : ArrayRef(shape).drop_back(2))
      rows *= size;
    x = makeReshape(builder, c.loc, x, {rows, shape[rank - 2]});
    return finish(transformReal(c, fillUp(c, x, length)));
  }
  DftMatrix matrix{length,
                   shape[rank - 2],
                   shape[rank - 1],
                   result.getDimSize(axis),
                   result.getShape().back(),
                   inverse,
                   halved};
  SmallVector<int64_t> flat(shape);
  flat.pop_back();
  flat.back() = matrix.places * matrix.parts;
  return finish(c.make<MatmulOp>(makeReshape(builder, c.loc, x, flat),
                                 makeMatrix(c, matrix, elementOf(x))));
}
