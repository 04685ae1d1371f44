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
/// to those of each place of the spectrum.
struct DftMatrix {
  int64_t length, places, parts, resultPlaces, resultParts;
  bool inverse, halved;

  /// The share of part `from` of place `n` in part `to` of place `k`.
  double at(int64_t n, int64_t from, int64_t k, int64_t to) const {
    // Products stay exact; whole turns are left out before the angle is made.
    double turns =
        static_cast<double>(n * k % length) / static_cast<double>(length);
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
  SmallVector<int64_t> shape(ranked(x).getShape());
  DftMatrix matrix{length,
                   shape[rank - 2],
                   shape[rank - 1],
                   result.getDimSize(axis),
                   result.getShape().back(),
                   inverse,
                   halved};
  std::vector<double> numbers = matrix.get();
  Value factors = c.make<ConstantOp>(
      makeElements(makeTensor({matrix.places * matrix.parts,
                               matrix.resultPlaces * matrix.resultParts},
                              builder.getF64Type()),
                   ArrayRef<double>(numbers)));
  SmallVector<int64_t> flat(shape);
  flat.pop_back();
  flat.back() = matrix.places * matrix.parts;
  Value y = c.make<MatmulOp>(makeReshape(builder, c.loc, x, flat),
                             c.cast(factors, elementOf(x)));
  shape[rank - 2] = matrix.resultPlaces;
  shape[rank - 1] = matrix.resultParts;
  y = makeReshape(builder, c.loc, y, shape);
  SmallVector<int64_t> back(rank);
  for (int64_t i = 0; i < rank; ++i)
    back[order[i]] = i;
  return {c.cast(makeTranspose(builder, c.loc, y, back), element)};
}
