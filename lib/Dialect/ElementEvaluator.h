//===- ElementEvaluator.h - Runs element expressions ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter for what buildElement builds, over arrays.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_ELEMENTEVALUATOR_H
#define BRISK_LIB_DIALECT_ELEMENTEVALUATOR_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/LogicalResult.h"

#include <functional>
#include <optional>
#include <vector>

namespace brisk {

/// A block of arith and math ops on scalars, made ready to run over arrays.
/// Every op is computed in double (integers in 64 bits) and rounded to its own
/// type, which for f32 arithmetic is exact rounding.
class ElementEvaluator {
public:
  /// Elements that one run takes.
  static constexpr unsigned chunk = 256;

  /// The evaluator of `result`; nullopt if the block has an op it does not
  /// know.
  static std::optional<ElementEvaluator> create(mlir::Block &block,
                                                mlir::Value result);

  /// Sets `count` elements of an argument, from the one at `first` on, from
  /// memory, where they lie `stride` bytes apart.
  void load(unsigned argument, unsigned first, unsigned count,
            const char *bytes, int64_t stride);
  /// Computes the first `count` elements.
  void run(unsigned count);
  /// Writes the first `count` elements of the result.
  void store(unsigned count, char *bytes) const;

private:
  // The values of one SSA value: those of its kind are in use.
  struct Slot {
    mlir::Type type;
    std::vector<double> floats;
    std::vector<int64_t> ints; // sign-extended
  };
  using Slots = std::vector<Slot>;
  /// Computes the first so many elements of one op's result.
  using Step = std::function<void(Slots &, unsigned)>;
  class StepBuilder;
  unsigned addSlot(mlir::Type type);
  static llvm::LogicalResult fill(Slot &slot, mlir::Attribute value);

  Slots slots;
  std::vector<Step> steps;
  unsigned result = 0;
};

} // namespace brisk

#endif // BRISK_LIB_DIALECT_ELEMENTEVALUATOR_H
