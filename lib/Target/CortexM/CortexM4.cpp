//===- CortexM4.cpp - Arm Cortex-M4F --------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"

#include <limits>

using namespace brisk;

/// Bytes by SXTB16, UXTB16 and SMLAD, two at a time: two of the latter for
/// four.
static Isa::Product makeWords(Scalar lhs) {
  return {
      .lhs = lhs,
      .rhs = Scalar::I8,
      .sum = Scalar::I32,
      .m = 1,
      .n = 1,
      .k = 4,
      .perCycle = 0.5,
      .latency = 2,
      .form = Isa::Form::Words,
      .intrinsics = {"llvm.arm.smlad", "llvm.arm.sxtb16", "llvm.arm.uxtb16"}};
}

/// FPv4-SP: f32 only, one instruction at a time, memory without a cache.
static Isa getFpv4() {
  using enum Scalar;
  using enum Isa::Operation;
  Isa isa;
  isa.vectors = {.bits = 0, .count = 32, .integers = 10};
  // m x n x k, started per cycle, latency.
  isa.products = {
      {F32, F32, F32, 1, 1, 1, 1.0 / 3, 3}, makeWords(U8), makeWords(I8)};
  isa.operations = {{Arithmetic, {F32}}, {Conversion, {F16}}};
  isa.roundToInteger = "llvm.arm.vcvtr.f32";
  isa.singleIssue = true;
  isa.loadOffset = 1020;
  isa.operationsPerCycle = 1.0 / 3;
  isa.loadsPerCycle = 0.5;
  isa.memoryBytesPerCycle = 4;
  // There is no other core: nothing is cut finer for one.
  isa.handOverCycles = std::numeric_limits<double>::infinity();
  return isa;
}

const Target &brisk::getCortexM4Target() {
  static const Target target = {
      .name = "cortex-m4",
      .description = "Arm Cortex-M4 with single-precision FPU, bare metal, "
                     "hard-float ABI",
      .platform = {.triple = "thumbv7em-unknown-none-eabihf",
                   .floatAbi = llvm::FloatABI::Hard,
                   .indexBits = 32,
                   .pic = false,
                   .hosted = false,
                   .unwindTables = false,
                   .driver = {"arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb",
                              "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"},
                   .helperPrefix = "__aeabi_",
                   .alignment = 16},
      .cpu = "cortex-m4",
      .isa = getFpv4()};
  return target;
}
