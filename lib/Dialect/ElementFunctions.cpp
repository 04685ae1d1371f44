//===- ElementFunctions.cpp - What arith and math ops compute -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementFunctions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace brisk;

static uint64_t asUnsigned(unsigned width, int64_t value) {
  return static_cast<uint64_t>(value) << (64 - width) >> (64 - width);
}

FloatUnary brisk::getFloatUnary(StringRef name) {
  return llvm::StringSwitch<FloatUnary>(name)
      .Case("arith.negf", [](double x) { return -x; })
      .Case("math.absf", [](double x) { return std::fabs(x); })
      .Case("math.exp", [](double x) { return std::exp(x); })
      .Case("math.log", [](double x) { return std::log(x); })
      .Case("math.sin", [](double x) { return std::sin(x); })
      .Case("math.cos", [](double x) { return std::cos(x); })
      .Case("math.tan", [](double x) { return std::tan(x); })
      .Case("math.asin", [](double x) { return std::asin(x); })
      .Case("math.acos", [](double x) { return std::acos(x); })
      .Case("math.atan", [](double x) { return std::atan(x); })
      .Case("math.tanh", [](double x) { return std::tanh(x); })
      .Case("math.erf", [](double x) { return std::erf(x); })
      .Case("math.sqrt", [](double x) { return std::sqrt(x); })
      .Case("math.floor", [](double x) { return std::floor(x); })
      .Case("math.ceil", [](double x) { return std::ceil(x); })
      .Case("math.trunc", [](double x) { return std::trunc(x); })
      .Case("math.roundeven", [](double x) { return std::nearbyint(x); })
      // Between float types: the step rounds.
      .Case("arith.extf", [](double x) { return x; })
      .Case("arith.truncf", [](double x) { return x; })
      .Default(nullptr);
}

FloatBinary brisk::getFloatBinary(StringRef name) {
  return llvm::StringSwitch<FloatBinary>(name)
      .Case("arith.addf", [](double x, double y) { return x + y; })
      .Case("arith.subf", [](double x, double y) { return x - y; })
      .Case("arith.mulf", [](double x, double y) { return x * y; })
      .Case("arith.divf", [](double x, double y) { return x / y; })
      .Case("arith.remf", [](double x, double y) { return std::fmod(x, y); })
      .Case("arith.maximumf",
            [](double x, double y) {
              return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
            })
      .Case("arith.minimumf",
            [](double x, double y) {
              return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
            })
      .Case("math.copysign",
            [](double x, double y) { return std::copysign(x, y); })
      .Case("math.powf", [](double x, double y) { return std::pow(x, y); })
      .Default(nullptr);
}

/// A function of two integers as they are, and of unsigned ones.
template <auto function>
static int64_t onSigned(int64_t x, int64_t y, unsigned) {
  return function(x, y);
}
template <auto function>
static int64_t onUnsigned(int64_t x, int64_t y, unsigned width) {
  return static_cast<int64_t>(
      function(asUnsigned(width, x), asUnsigned(width, y)));
}

IntBinary brisk::getIntBinary(StringRef name) {
  constexpr auto most = [](auto x, auto y) { return std::max(x, y); };
  constexpr auto least = [](auto x, auto y) { return std::min(x, y); };
  constexpr auto left = [](uint64_t x, uint64_t y) { return x << y; };
  constexpr auto right = [](auto x, auto y) { return x >> y; };
  return llvm::StringSwitch<IntBinary>(name)
      .Case("arith.addi", onUnsigned<std::plus<>{}>)
      .Case("arith.subi", onUnsigned<std::minus<>{}>)
      .Case("arith.muli", onUnsigned<std::multiplies<>{}>)
      .Case("arith.andi", onSigned<std::bit_and<>{}>)
      .Case("arith.ori", onSigned<std::bit_or<>{}>)
      .Case("arith.xori", onSigned<std::bit_xor<>{}>)
      .Case("arith.divsi", onSigned<std::divides<>{}>)
      .Case("arith.remsi", onSigned<std::modulus<>{}>)
      .Case("arith.divui", onUnsigned<std::divides<>{}>)
      .Case("arith.remui", onUnsigned<std::modulus<>{}>)
      .Case("arith.shli", onUnsigned<left>)
      .Case("arith.shrsi", onSigned<right>)
      .Case("arith.shrui", onUnsigned<right>)
      .Case("arith.maxsi", onSigned<most>)
      .Case("arith.minsi", onSigned<least>)
      .Case("arith.maxui", onUnsigned<most>)
      .Case("arith.minui", onUnsigned<least>)
      .Default(nullptr);
}

FloatFromInt brisk::getFloatFromInt(StringRef name, Type to) {
  if (name == "arith.bitcast")
    return to.isF64()
               ? [](int64_t x, unsigned) { return llvm::bit_cast<double>(x); }
               : FloatFromInt(nullptr);
  if (name == "arith.sitofp")
    return to.isF32()
           ? [](int64_t x, unsigned) -> double { return float(x); }
           : FloatFromInt([](int64_t x, unsigned) { return double(x); });
  if (name == "arith.uitofp")
    return to.isF32()
           ? [](int64_t x,
                unsigned w) -> double { return float(asUnsigned(w, x)); }
           : FloatFromInt([](int64_t x, unsigned w) {
               return double(asUnsigned(w, x));
             });
  return nullptr;
}

IntFromFloat brisk::getIntFromFloat(StringRef name, Type from) {
  if (name == "arith.bitcast")
    return from.isF64() ? [](double x) { return llvm::bit_cast<int64_t>(x); }
           : from.isF32()
               ? [](double
                        x) { return int64_t(llvm::bit_cast<int32_t>(float(x))); }
               : IntFromFloat(nullptr);
  return llvm::StringSwitch<IntFromFloat>(name)
      .Case("arith.fptosi", [](double x) { return int64_t(x); })
      .Case("arith.fptoui", [](double x) { return int64_t(uint64_t(x)); })
      .Default(nullptr);
}

IntFromInt brisk::getIntFromInt(StringRef name) {
  return llvm::StringSwitch<IntFromInt>(name)
      .Case("arith.extsi", [](int64_t x, unsigned) { return x; })
      .Case("arith.trunci", [](int64_t x, unsigned) { return x; })
      .Case("arith.extui",
            [](int64_t x, unsigned w) { return int64_t(asUnsigned(w, x)); })
      .Default(nullptr);
}
