//===- AArch64.cpp - AArch64 with NEON ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"

using namespace brisk;

static Isa getNeon() {
  using enum Scalar;
  using enum Isa::Operation;
  Isa isa;
  isa.vectors = {.bits = 128, .count = 32};
  // m x n x k, started per cycle, latency.
  isa.products = {{F32, F32, F32, 1, 4, 1, 2, 4},
                  {F64, F64, F64, 1, 2, 1, 2, 4}};
  isa.operations = {{Arithmetic, {F32, F64}},
                    {Rounding, {F32, F64}},
                    {Extremes, {F32, F64}},
                    {Conversion, {F16}}};
  isa.operationsPerCycle = 2;
  isa.loadsPerCycle = 2;
  isa.caches = {{.bytes = 32 << 10, .bytesPerCycle = 32},
                {.bytes = 256 << 10, .bytesPerCycle = 32}};
  return isa;
}

const Target &brisk::getAArch64Target() {
  static const Target target = {
      .name = "aarch64",
      .description = "64-bit Arm with NEON, on Linux",
      .platform = {.triple = "aarch64-unknown-linux-gnu",
                   .driver = {"aarch64-linux-gnu-gcc"}},
      .cpu = "generic",
      .isa = getNeon()};
  return target;
}
