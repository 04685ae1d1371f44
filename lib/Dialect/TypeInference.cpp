//===- TypeInference.cpp - Result types of ops ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/TypeInference.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

bool brisk::areCompatible(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [a, b] : llvm::zip_equal(inferred, actual))
    if (getElementTypeOrSelf(a) != getElementTypeOrSelf(b) ||
        failed(verifyCompatibleShape(a, b)))
      return false;
  return true;
}

bool brisk::areCompatibleSums(TypeRange inferred, TypeRange actual) {
  SmallVector<Type> sums;
  for (auto [from, to] : llvm::zip(inferred, actual)) {
    Type wide = getSumType(getElementTypeOrSelf(from));
    sums.push_back(getElementTypeOrSelf(to) == wide
                       ? Type(cast<TensorType>(from).clone(wide))
                       : from);
  }
  return inferred.size() == actual.size() && areCompatible(sums, actual);
}

TensorType brisk::joinTypes(TensorType a, TensorType b) {
  if (!a.hasRank() || !b.hasRank() || a.getRank() != b.getRank())
    return UnrankedTensorType::get(a.getElementType());
  SmallVector<int64_t> shape(a.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, b.getShape()))
    if (dim != other)
      dim = ShapedType::kDynamic;
  return makeTensor(shape, a.getElementType());
}

RankedTensorType brisk::makeTensor(ArrayRef<int64_t> shape, Type elementType) {
  return RankedTensorType::get(shape, elementType);
}

uint64_t brisk::countElements(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getNumElements();
}

bool brisk::isAddressable(ArrayRef<int64_t> shape) {
  constexpr int64_t maxElements = int64_t(1) << 47;
  int64_t count = 1;
  return llvm::none_of(shape, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      return false;
    return dim < 0 ||
           llvm::MulOverflow(count, std::max<int64_t>(dim, 1), count) ||
           count > maxElements;
  });
}

FailureOr<Type> brisk::inferBroadcast(std::optional<Location> loc,
                                      TypeRange operands, Type elementType) {
  SmallVector<int64_t> shape;
  for (Type type : operands) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked)
      return Type(UnrankedTensorType::get(elementType));
    if (ranked.getRank() > static_cast<int64_t>(shape.size()))
      shape.insert(shape.begin(), ranked.getRank() - shape.size(), 1);
  }
  // Right-aligned; a dynamic dimension gives way to a static one above 1.
  for (Type type : operands) {
    ArrayRef<int64_t> dims = cast<RankedTensorType>(type).getShape();
    size_t lead = shape.size() - dims.size();
    for (auto [i, dim] : llvm::enumerate(dims)) {
      int64_t &have = shape[lead + i];
      if (dim == have || dim == 1)
        continue;
      if (have == 1 ||
          (ShapedType::isDynamic(have) && !ShapedType::isDynamic(dim)))
        have = dim;
      else if (!ShapedType::isDynamic(dim))
        return emitOptionalError(loc, "operands do not broadcast: dimension ",
                                 lead + i, " is ", have, " and ", dim);
    }
  }
  if (!isAddressable(shape))
    return emitOptionalError(loc, "the result has too many elements");
  return Type(makeTensor(shape, elementType));
}

/// A constant that may say what an op does: no list of axes or sizes has more
/// elements than this, but a splat of any size may be an operand.
template <typename ElementT> static ElementsAttr getParameter(Value value) {
  constexpr int64_t maxElements = int64_t(1) << 24;
  ElementsAttr attr;
  if (!value || !matchPattern(value, m_Constant(&attr)) ||
      !isa<ElementT>(attr.getElementType()) || !brisk::isReadable(attr) ||
      attr.getNumElements() > maxElements)
    return nullptr;
  return attr;
}

std::optional<SmallVector<int64_t>> brisk::getConstantInts(Value value) {
  ElementsAttr attr = getParameter<IntegerType>(value);
  if (!attr)
    return std::nullopt;
  std::vector<int64_t> ints = getAsInts(attr);
  return SmallVector<int64_t>(ints.begin(), ints.end());
}

std::optional<SmallVector<double>> brisk::getConstantFloats(Value value) {
  ElementsAttr attr = getParameter<FloatType>(value);
  if (!attr)
    return std::nullopt;
  std::vector<double> floats = getAsDoubles(attr);
  return SmallVector<double>(floats.begin(), floats.end());
}

FailureOr<int64_t> brisk::normalizeAxis(std::optional<Location> loc,
                                        int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return emitOptionalError(loc, "axis ", axis, " is out of range for ", rank,
                             " dimensions");
  return axis < 0 ? axis + rank : axis;
}

int64_t brisk::countFromFront(int64_t axis, Value tensor) {
  return axis < 0 ? axis + cast<RankedTensorType>(tensor.getType()).getRank()
                  : axis;
}

FailureOr<SmallVector<int64_t>>
brisk::normalizeAxes(std::optional<Location> loc, ArrayRef<int64_t> axes,
                     int64_t rank) {
  SmallVector<int64_t> normalized;
  for (int64_t axis : axes) {
    FailureOr<int64_t> value = normalizeAxis(loc, axis, rank);
    if (failed(value))
      return failure();
    if (llvm::is_contained(normalized, *value))
      return emitOptionalError(loc, "axis ", *value, " comes twice");
    normalized.push_back(*value);
  }
  return normalized;
}
