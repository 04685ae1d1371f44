//===- Compare.cpp - Comparing results with what is expected --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compare.h"

#include "brisk/host.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace brisk::conformance;

/// The element at `index` of a float tensor.
static double floatAt(const brisk::execution::TensorView &tensor,
                      size_t index) {
  const char *data =
      tensor.data.data() + index * brisk::execution::elementBytes(tensor.dtype);
  auto load = [&]<typename T>(T value) {
    std::memcpy(&value, data, sizeof(T));
    return value;
  };
  switch (tensor.dtype) {
  case BRISK_F32:
    return load(float());
  case BRISK_F64:
    return load(double());
  default:
    const llvm::fltSemantics &semantics = tensor.dtype == BRISK_F16
                                              ? llvm::APFloat::IEEEhalf()
                                              : llvm::APFloat::BFloat();
    return llvm::APFloat(semantics, llvm::APInt(16, load(uint16_t())))
        .convertToDouble();
  }
}

static bool isFloat(uint32_t dtype) {
  return dtype == BRISK_F32 || dtype == BRISK_F64 || dtype == BRISK_F16 ||
         dtype == BRISK_BF16;
}

static bool isClose(double actual, double expected, double rtol, double atol) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return true;
  return std::isfinite(actual) && std::isfinite(expected) &&
         std::fabs(actual - expected) <= atol + rtol * std::fabs(expected);
}

static std::string typeName(uint32_t dtype) {
  const char *name = brisk_dtype_name(dtype);
  return name ? name : llvm::formatv("type {0}", dtype).str();
}

static std::string hex(const char *data, size_t size) {
  return "0x" + llvm::toHex(llvm::StringRef(data, size));
}

std::optional<std::string>
brisk::conformance::findDifference(const brisk::execution::TensorView &actual,
                                   const brisk::execution::TensorView &expected,
                                   double rtol, double atol) {
  if (actual.dtype != expected.dtype)
    return llvm::formatv("element type is {0}, expected {1}",
                         typeName(actual.dtype), typeName(expected.dtype))
        .str();
  if (actual.dims != expected.dims)
    return "shape is " + formatShape(actual.dims) + ", expected " +
           formatShape(expected.dims);
  // As ONNX's own runner of these tests has it: two units in the last place.
  if (expected.dtype == BRISK_BF16)
    rtol = std::max(rtol, 0x1p-6);
  size_t elementSize = execution::elementBytes(expected.dtype);
  size_t count = expected.data.size() / elementSize;
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i != count; ++i) {
    const char *a = actual.data.data() + i * elementSize;
    const char *e = expected.data.data() + i * elementSize;
    if (isFloat(expected.dtype)
            ? isClose(floatAt(actual, i), floatAt(expected, i), rtol, atol)
            : std::memcmp(a, e, elementSize) == 0)
      continue;
    if (wrong++)
      continue;
    first = isFloat(expected.dtype)
                ? llvm::formatv("element {0} is {1}, expected {2}", i,
                                llvm::format("%.9g", floatAt(actual, i)),
                                llvm::format("%.9g", floatAt(expected, i)))
                      .str()
                : llvm::formatv("element {0} is {1}, expected {2} (bytes)", i,
                                hex(a, elementSize), hex(e, elementSize))
                      .str();
  }
  if (!wrong)
    return std::nullopt;
  return llvm::formatv("{0} of {1} elements differ: {2}", wrong, count, first)
      .str();
}

bool brisk::conformance::isNearDouble(
    const brisk::execution::TensorView &actual,
    const brisk::execution::TensorView &exact, double rtol, double atol) {
  if (!isFloat(actual.dtype) || exact.dtype != BRISK_F64 ||
      actual.dims != exact.dims)
    return false;
  size_t count = exact.data.size() / sizeof(double);
  for (size_t i = 0; i != count; ++i)
    if (!isClose(floatAt(actual, i), floatAt(exact, i), rtol, atol))
      return false;
  return true;
}
