//===- Isa.h - What kernels ask of an instruction set --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of an instruction set that kernel families and the cost
// model ask. Families never name a CPU.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_ISA_H
#define BRISK_TARGET_ISA_H

#include "mlir/IR/Types.h"

#include <cstdint>

namespace brisk {

struct Isa {
  /// Width of a vector register in bits; 0: scalars only.
  unsigned vectorBits = 0;
  /// Registers that hold vectors (or, without vectors, floats).
  unsigned registers = 16;
  /// One instruction for a * b + c on f32.
  bool fma = false;
  /// Loads and stores under a mask cost about what plain ones do.
  bool maskedMemory = false;
  /// Instructions that round floats to integral values.
  bool rounding = true;
  /// Instructions for the smaller and the larger of two floats.
  bool floatMinMax = true;
  /// Instructions that convert f16 to and from f32.
  bool halfConversions = false;
  /// Instructions for f64.
  bool doubles = true;
  /// Starts one instruction at a time: cycles of loads and arithmetic add up.
  bool singleIssue = false;
  /// Largest offset from a register that a load of a float takes; 0: any.
  int64_t loadOffset = 0;
  /// f32 vector fused multiply-adds and loads started per cycle.
  double fmaPerCycle = 1;
  double loadsPerCycle = 1;
  /// Cycles from a fused multiply-add to the next that depends on it.
  unsigned fmaLatency = 4;
  /// Data caches; 0: none.
  uint64_t l1Bytes = 0;
  uint64_t l2Bytes = 0;
  /// Sustained bytes per cycle from beyond the second-level cache.
  double memoryBytesPerCycle = 8;

  /// Elements of `type` in a vector register, at least 1.
  int64_t getLanes(mlir::Type type) const {
    unsigned bits = type.getIntOrFloatBitWidth();
    return vectorBits > bits ? vectorBits / bits : 1;
  }
};

} // namespace brisk

#endif // BRISK_TARGET_ISA_H
