//===- RiscV64.cpp - 64-bit RISC-V ----------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"

using namespace brisk;

/// RV64GC: scalars only.
static Isa getRv64() {
  using enum Scalar;
  using enum Isa::Operation;
  Isa isa;
  isa.vectors = {.bits = 0, .count = 32, .integers = 20};
  // m x n x k, started per cycle, latency.
  isa.products = {{F32, F32, F32, 1, 1, 1, 1, 5},
                  {F64, F64, F64, 1, 1, 1, 1, 5}};
  // A multiplication and an addition.
  for (Scalar lhs : {U8, I8})
    isa.products.push_back({lhs, I8, I32, 1, 1, 1, 0.5, 3, /*fused=*/false});
  isa.operations = {{Arithmetic, {F32, F64}}, {Extremes, {F32, F64}}};
  return isa;
}

const Target &brisk::getRiscV64Target() {
  static const Target target = {
      .name = "riscv64",
      .description = "64-bit RISC-V without vectors (RV64GC), on Linux",
      .platform = {.triple = "riscv64-unknown-linux-gnu",
                   .driver = {"riscv64-linux-gnu-gcc"}},
      .cpu = "generic-rv64",
      .features = "+m,+a,+f,+d,+c",
      .isa = getRv64()};
  return target;
}
