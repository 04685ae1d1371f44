//===- Comparison.cpp - A tensor beside what it should be -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Comparison.h"

#include "llvm/ADT/bit.h"

#include <cassert>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

using namespace llvm;

namespace brisk::execution {

static char kindOf(uint32_t dtype) {
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return kind;
#include "brisk/elements.def"
  }
  return ' ';
}

bool isFloat(uint32_t dtype) {
  char kind = kindOf(dtype);
  return kind == 'f' || kind == 'V';
}

/// What the bits of a 16-bit float of IEEE 754 stand for.
static double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023, size;
  if (exponent == 31)
    size = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else
    size = exponent ? std::ldexp(1024 + fraction, exponent - 25)
                    : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

/// An element as a number that holds it exactly.
template <typename T, char kind>
static long double loadAs(const char *data, uint64_t index) {
  T element;
  std::memcpy(&element, data + index * sizeof element, sizeof element);
  if constexpr (kind == 'V')
    return bit_cast<float>(static_cast<uint32_t>(element) << 16);
  else if constexpr (kind == 'f' && sizeof(T) == 2)
    return halfToDouble(element);
  else
    return element;
}

using Load = long double (*)(const char *, uint64_t);

static Load getLoad(uint32_t dtype) {
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return loadAs<type, kind>;
#include "brisk/elements.def"
  }
  llvm_unreachable("tensors are of these types");
}

static uint64_t countElements(ArrayRef<int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<>());
}

static Comparison::Top1 compareClasses(const TensorView &value,
                                       const TensorView &reference,
                                       ArrayRef<int64_t> dims, unsigned axis) {
  Comparison::Top1 top1;
  uint64_t classes = dims[axis];
  uint64_t inner = countElements(dims.drop_front(axis + 1));
  uint64_t outer = countElements(dims.take_front(axis));
  if (classes == 0)
    return top1;
  SmallVector<long double> row(classes);
  auto findIn = [&](const TensorView &view, uint64_t start) {
    Load load = getLoad(view.dtype);
    for (uint64_t i = 0; i < classes; ++i)
      row[i] = load(view.data.data(), start + i * inner);
    return findLargest<long double>(row);
  };
  for (uint64_t i = 0; i < outer * inner; ++i) {
    uint64_t start = i / inner * inner * classes + i % inner;
    top1.agreeing += findIn(value, start) == findIn(reference, start);
    ++top1.rows;
  }
  return top1;
}

Comparison compareTensors(const TensorView &value, const TensorView &reference,
                          ArrayRef<int64_t> dims,
                          std::optional<unsigned> classes) {
  assert(value.dtype == reference.dtype ||
         (isFloat(value.dtype) && isFloat(reference.dtype)));
  Comparison comparison;
  Load load = getLoad(value.dtype), loadReference = getLoad(reference.dtype);
  uint64_t count = countElements(dims);
  for (uint64_t i = 0; i < count; ++i)
    comparison.deviation.add(load(value.data.data(), i),
                             loadReference(reference.data.data(), i));
  if (comparison.deviation.getMaxError() > 0) {
    uint64_t at = comparison.deviation.getMaxErrorAt();
    comparison.found = static_cast<double>(load(value.data.data(), at));
    comparison.expected =
        static_cast<double>(loadReference(reference.data.data(), at));
  }
  if (classes)
    comparison.top1 = compareClasses(value, reference, dims, *classes);
  return comparison;
}

std::optional<unsigned> findClasses(uint32_t dtype, ArrayRef<int64_t> dims) {
  if (!isFloat(dtype) || dims.empty() || dims.size() > 2 || dims.back() < 2)
    return std::nullopt;
  return dims.size() - 1;
}

} // namespace brisk::execution
