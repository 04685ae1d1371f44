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

using namespace mlir;
using namespace brisk;

static double roundTo(FloatType type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.convertToDouble();
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
        APFloat half(slot.floats[i]);
        bool losesInfo;
        half.convert(cast<FloatType>(slot.type).getFloatSemantics(),
                     APFloat::rmNearestTiesToEven, &losesInfo);
        storage.bits = half.bitcastToAPInt().getZExtValue();
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

std::optional<ElementEvaluator> ElementEvaluator::create(Block &block,
                                                         Value value) {
  ElementEvaluator program;
  llvm::DenseMap<Value, unsigned> places;
  for (Value argument : block.getArguments())
    places[argument] = program.addSlot(argument.getType());

  for (Operation &op : block) {
    Type type = op.getResult(0).getType();
    unsigned to = program.addSlot(type);
    places[op.getResult(0)] = to;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Slot &slot = program.slots[to];
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        llvm::fill(slot.floats, number.getValueAsDouble());
      else if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
        llvm::fill(slot.ints, number.getValue().getSExtValue());
      else
        return std::nullopt;
      continue;
    }
    StringRef name = op.getName().getStringRef();
    Type from = op.getOperand(0).getType();
    auto fromFloat = dyn_cast<FloatType>(from),
         toFloat = dyn_cast<FloatType>(type);
    unsigned have = from.getIntOrFloatBitWidth(),
             want = type.getIntOrFloatBitWidth();
    SmallVector<unsigned, 3> in;
    for (Value operand : op.getOperands())
      in.push_back(places.at(operand));
    unsigned x = in[0], y = in.size() > 1 ? in[1] : 0,
             z = in.size() > 2 ? in[2] : 0;

    std::function<void(std::vector<Slot> &, unsigned)> step;
    using Slots = const std::vector<Slot>;
    // Element by element: floats are rounded to the result's type, integers
    // wrapped.
    auto compute = [&](auto element) {
      step = [=](std::vector<Slot> &s, unsigned n) {
        for (unsigned i = 0; i < n; ++i)
          if constexpr (std::is_same_v<decltype(element(s, i)), double>)
            s[to].floats[i] = roundTo(toFloat, element(s, i));
          else
            s[to].ints[i] = wrapTo(want, element(s, i));
      };
    };
    if (isa<arith::SelectOp>(op) && toFloat) {
      compute([=](Slots &s, unsigned i) {
        return s[s[x].ints[i] ? y : z].floats[i];
      });
    } else if (isa<arith::SelectOp>(op)) {
      compute([=](Slots &s, unsigned i) {
        return s[s[x].ints[i] ? y : z].ints[i];
      });
    } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      auto predicate = compare.getPredicate();
      compute([=](Slots &s, unsigned i) {
        return -arith::applyCmpPredicate(predicate, APFloat(s[x].floats[i]),
                                         APFloat(s[y].floats[i]));
      });
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      auto predicate = compare.getPredicate();
      compute([=](Slots &s, unsigned i) {
        return -arith::applyCmpPredicate(predicate,
                                         APInt(have, s[x].ints[i], true, true),
                                         APInt(have, s[y].ints[i], true, true));
      });
    } else if (fromFloat && toFloat && in.size() == 1) {
      if (FloatUnary f = getFloatUnary(name))
        compute([=](Slots &s, unsigned i) { return f(s[x].floats[i]); });
    } else if (fromFloat && toFloat && in.size() == 2) {
      if (FloatBinary f = getFloatBinary(name))
        compute([=](Slots &s, unsigned i) {
          return f(s[x].floats[i], s[y].floats[i]);
        });
    } else if (toFloat) {
      if (FloatFromInt f = getFloatFromInt(name, type))
        compute([=](Slots &s, unsigned i) { return f(s[x].ints[i], have); });
    } else if (fromFloat) {
      if (IntFromFloat f = getIntFromFloat(name, from))
        compute([=](Slots &s, unsigned i) { return f(s[x].floats[i]); });
    } else if (in.size() == 1) {
      if (IntFromInt f = getIntFromInt(name))
        compute([=](Slots &s, unsigned i) { return f(s[x].ints[i], have); });
    } else if (IntBinary f = getIntBinary(name)) {
      compute([=](Slots &s, unsigned i) {
        return f(s[x].ints[i], s[y].ints[i], have);
      });
    }
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
