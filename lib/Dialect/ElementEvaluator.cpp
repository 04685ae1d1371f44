//===- ElementEvaluator.cpp - Runs element expressions --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementEvaluator.h"
#include "ElementFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

static double roundTo(FloatType type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  if (value == 0 || !std::isfinite(value))
    return value;
  // Whole weights are rounded to 16 bits, so not by APFloat.
  const llvm::fltSemantics &format = type.getFloatSemantics();
  int least = APFloat::semanticsMinExponent(format),
      digits = APFloat::semanticsPrecision(format);
  int exponent = std::max(std::ilogb(value), least);
  // Of the size of which doubles are multiples of a unit in the last place.
  double large = std::ldexp(1.5, exponent - digits + 1 + 52);
  double rounded = std::copysign((value + large) - large, value);
  return std::abs(rounded) > APFloat::getLargest(format).convertToDouble()
             ? std::copysign(INFINITY, value)
             : rounded;
}

/// The bits of a number that `type`, which has 16, holds.
static uint16_t getBits(FloatType type, double value) {
  auto single = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  if (type.isBF16() && !std::isnan(value))
    return single >> 16;
  int exponent = static_cast<int>(single >> 23 & 0xff) - 127;
  if (type.isF16() && exponent >= -14 && exponent <= 15)
    return (single >> 16 & 0x8000) | (exponent + 15) << 10 |
           (single >> 13 & 0x3ff);
  APFloat half(value);
  bool losesInfo;
  half.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
               &losesInfo);
  return half.bitcastToAPInt().getZExtValue();
}

static int64_t wrapTo(unsigned width, uint64_t value) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

namespace {
/// A 16-bit float's bits.
struct Half {
  uint16_t bits;
};
} // namespace

// Calls `use` with a value of the C++ type that elements of `type` have in
// memory (booleans are bytes).
template <typename Use> static void withStorage(Type type, Use use) {
  if (isa<FloatType>(type)) {
    if (type.isF32())
      return use(float());
    return type.isF64() ? use(double()) : use(Half());
  }
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return use(bool());
  case 8:
    return use(int8_t());
  case 16:
    return use(int16_t());
  case 32:
    return use(int32_t());
  default:
    return use(int64_t());
  }
}

void ElementEvaluator::load(unsigned argument, unsigned first, unsigned count,
                            const char *bytes, int64_t stride) {
  Slot &slot = slots[argument];
  withStorage(slot.type, [&](auto storage) {
    using T = decltype(storage);
    for (unsigned i = 0; i < count; ++i, bytes += stride) {
      std::memcpy(&storage, bytes, sizeof(T));
      if constexpr (std::is_same_v<T, Half>) {
        const auto &semantics = cast<FloatType>(slot.type).getFloatSemantics();
        slot.floats[first + i] =
            APFloat(semantics, APInt(16, storage.bits)).convertToDouble();
      } else if constexpr (std::is_floating_point_v<T>) {
        slot.floats[first + i] = storage;
      } else {
        slot.ints[first + i] =
            std::is_same_v<T, bool> ? -int(storage) : storage;
      }
    }
  });
}

void ElementEvaluator::store(unsigned count, char *bytes) const {
  const Slot &slot = slots[result];
  withStorage(slot.type, [&](auto storage) {
    using T = decltype(storage);
    for (unsigned i = 0; i < count; ++i, bytes += sizeof(T)) {
      if constexpr (std::is_same_v<T, Half>) {
        storage.bits = getBits(cast<FloatType>(slot.type), slot.floats[i]);
      } else if constexpr (std::is_floating_point_v<T>) {
        storage = slot.floats[i];
      } else {
        storage = slot.ints[i];
      }
      std::memcpy(bytes, &storage, sizeof(T));
    }
  });
}

unsigned ElementEvaluator::addSlot(Type type) {
  Slot slot{type, {}, {}};
  if (isa<FloatType>(type))
    slot.floats.resize(chunk);
  else
    slot.ints.resize(chunk);
  slots.push_back(std::move(slot));
  return slots.size() - 1;
}

/// Builds the step of an op, from its operands' slots to its result's.
class ElementEvaluator::StepBuilder {
public:
  StepBuilder(Operation &op, SmallVector<unsigned, 3> in, unsigned to)
      : op(op), in(std::move(in)), to(to), fromType(op.getOperand(0).getType()),
        toType(op.getResult(0).getType()) {}

  /// Null for an op that is not known.
  Step build() const;

private:
  /// Element by element: floats are rounded to the result's type, integers
  /// wrapped.
  template <typename ElementT> Step compute(ElementT element) const {
    return [element, to = to, type = dyn_cast<FloatType>(toType),
            width = toType.getIntOrFloatBitWidth()](Slots &s, unsigned n) {
      for (unsigned i = 0; i < n; ++i)
        if constexpr (std::is_same_v<decltype(element(s, i)), double>)
          s[to].floats[i] = roundTo(type, element(s, i));
        else
          s[to].ints[i] = wrapTo(width, element(s, i));
    };
  }

  // A function of the operands' elements; null for none.
  template <typename ResultT> Step apply(ResultT (*function)(double)) const {
    return !function ? Step()
                     : compute([=, x = in[0]](const Slots &s, unsigned i) {
                         return function(s[x].floats[i]);
                       });
  }
  template <typename ResultT>
  Step apply(ResultT (*function)(int64_t, unsigned)) const {
    return !function ? Step()
                     : compute([=, x = in[0], width = getWidth()](
                                   const Slots &s, unsigned i) {
                         return function(s[x].ints[i], width);
                       });
  }
  Step apply(FloatBinary function) const {
    return !function
               ? Step()
               : compute([=, x = in[0], y = in[1]](const Slots &s, unsigned i) {
                   return function(s[x].floats[i], s[y].floats[i]);
                 });
  }
  Step apply(IntBinary function) const {
    return !function ? Step()
                     : compute([=, x = in[0], y = in[1], width = getWidth()](
                                   const Slots &s, unsigned i) {
                         return function(s[x].ints[i], s[y].ints[i], width);
                       });
  }

  Step select() const {
    unsigned x = in[0], y = in[1], z = in[2];
    if (isa<FloatType>(toType))
      return compute([=](const Slots &s, unsigned i) {
        return s[s[x].ints[i] ? y : z].floats[i];
      });
    return compute([=](const Slots &s, unsigned i) {
      return s[s[x].ints[i] ? y : z].ints[i];
    });
  }
  Step compare(arith::CmpFPredicate predicate) const {
    return compute([=, x = in[0], y = in[1]](const Slots &s, unsigned i) {
      return -arith::applyCmpPredicate(predicate, APFloat(s[x].floats[i]),
                                       APFloat(s[y].floats[i]));
    });
  }
  Step compare(arith::CmpIPredicate predicate) const {
    return compute([=, x = in[0], y = in[1], width = getWidth()](const Slots &s,
                                                                 unsigned i) {
      return -arith::applyCmpPredicate(predicate,
                                       APInt(width, s[x].ints[i], true, true),
                                       APInt(width, s[y].ints[i], true, true));
    });
  }

  unsigned getWidth() const { return fromType.getIntOrFloatBitWidth(); }

  Operation &op;
  SmallVector<unsigned, 3> in;
  unsigned to;
  Type fromType, toType;
};

ElementEvaluator::Step ElementEvaluator::StepBuilder::build() const {
  if (isa<arith::SelectOp>(op))
    return select();
  if (auto comparison = dyn_cast<arith::CmpFOp>(op))
    return compare(comparison.getPredicate());
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison.getPredicate());
  StringRef name = op.getName().getStringRef();
  bool isUnary = in.size() == 1, fromFloat = isa<FloatType>(fromType),
       toFloat = isa<FloatType>(toType);
  if (fromFloat && toFloat)
    return isUnary ? apply(getFloatUnary(name)) : apply(getFloatBinary(name));
  if (toFloat)
    return apply(getFloatFromInt(name, toType));
  if (fromFloat)
    return apply(getIntFromFloat(name, fromType));
  return isUnary ? apply(getIntFromInt(name)) : apply(getIntBinary(name));
}

/// Gives every element of a slot a constant's value.
LogicalResult ElementEvaluator::fill(Slot &slot, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    llvm::fill(slot.floats, number.getValueAsDouble());
  else if (auto number = dyn_cast<IntegerAttr>(value))
    llvm::fill(slot.ints, number.getValue().getSExtValue());
  else
    return failure();
  return success();
}

std::optional<ElementEvaluator> ElementEvaluator::create(Block &block,
                                                         Value value) {
  ElementEvaluator program;
  llvm::DenseMap<Value, unsigned> places;
  for (Value argument : block.getArguments())
    places[argument] = program.addSlot(argument.getType());

  for (Operation &op : block) {
    Value made = op.getResult(0);
    unsigned to = places[made] = program.addSlot(made.getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (failed(fill(program.slots[to], constant.getValue())))
        return std::nullopt;
      continue;
    }
    auto in = llvm::map_to_vector<3>(
        op.getOperands(), [&](Value operand) { return places.at(operand); });
    Step step = StepBuilder(op, std::move(in), to).build();
    if (!step)
      return std::nullopt;
    program.steps.push_back(std::move(step));
  }
  program.result = places.at(value);
  return program;
}

void ElementEvaluator::run(unsigned count) {
  for (auto &step : steps)
    step(slots, count);
}
