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

IntBinary brisk::getIntBinary(StringRef name) {
  using U = uint64_t;
  return llvm::StringSwitch<IntBinary>(name)
      .Case("arith.addi",
            [](int64_t x, int64_t y, unsigned) { return int64_t(U(x) + U(y)); })
      .Case("arith.subi",
            [](int64_t x, int64_t y, unsigned) { return int64_t(U(x) - U(y)); })
      .Case("arith.muli",
            [](int64_t x, int64_t y, unsigned) { return int64_t(U(x) * U(y)); })
      .Case("arith.andi", [](int64_t x, int64_t y, unsigned) { return x & y; })
      .Case("arith.ori", [](int64_t x, int64_t y, unsigned) { return x | y; })
      .Case("arith.xori", [](int64_t x, int64_t y, unsigned) { return x ^ y; })
      .Case("arith.divsi", [](int64_t x, int64_t y, unsigned) { return x / y; })
      .Case("arith.remsi", [](int64_t x, int64_t y, unsigned) { return x % y; })
      .Case("arith.divui",
            [](int64_t x, int64_t y, unsigned w) {
              return int64_t(asUnsigned(w, x) / asUnsigned(w, y));
            })
      .Case("arith.remui",
            [](int64_t x, int64_t y, unsigned w) {
              return int64_t(asUnsigned(w, x) % asUnsigned(w, y));
            })
      .Case("arith.shli",
            [](int64_t x, int64_t y, unsigned w) {
              return int64_t(U(x) << asUnsigned(w, y));
            })
      .Case("arith.shrsi", [](int64_t x, int64_t y,
                              unsigned w) { return x >> asUnsigned(w, y); })
      .Case("arith.shrui",
            [](int64_t x, int64_t y, unsigned w) {
              return int64_t(asUnsigned(w, x) >> asUnsigned(w, y));
            })
      .Case("arith.maxsi",
            [](int64_t x, int64_t y, unsigned) { return std::max(x, y); })
      .Case("arith.minsi",
            [](int64_t x, int64_t y, unsigned) { return std::min(x, y); })
      .Case("arith.maxui",
            [](int64_t x, int64_t y, unsigned w) {
              return asUnsigned(w, x) < asUnsigned(w, y) ? y : x;
            })
      .Case("arith.minui",
            [](int64_t x, int64_t y, unsigned w) {
              return asUnsigned(w, x) < asUnsigned(w, y) ? x : y;
            })
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

bool brisk::compareFloats(arith::CmpFPredicate predicate, double x, double y) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(x) || std::isnan(y);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return !unordered && x != y;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return unordered || x > y;
  case P::UGE:
    return unordered || x >= y;
  case P::ULT:
    return unordered || x < y;
  case P::ULE:
    return unordered || x <= y;
  case P::UNE:
    return x != y;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates handled");
}
