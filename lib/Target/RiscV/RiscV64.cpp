//===- RiscV64.cpp - 64-bit RISC-V ----------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"

#include <utility>

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

/// The V extension, for registers of 128 bits or more, of which vectors take
/// four: what is started once keeps an arithmetic unit of 128 bits busy for
/// four cycles, in which the loads of scalars beside it run.
static Isa getRv64V() {
  using enum Scalar;
  constexpr unsigned together = 4, bits = 128 * together;
  constexpr double perCycle = 1.0 / together;
  Isa isa = getRv64();
  isa.vectors = {.bits = bits,
                 .count = 32 / together,
                 .tails = Isa::Tails::Masked,
                 .takesScalars = true,
                 .mostScale = 16};
  isa.products = {{F32, F32, F32, 1, bits / 32, 1, perCycle, 8},
                  {F64, F64, F64, 1, bits / 64, 1, perCycle, 8}};
  // Of 16 bits, extended to which bytes are multiplied and added to 32.
  for (Scalar lhs : {U8, I8})
    isa.products.push_back(
        {lhs, I8, I32, 1, bits / 32, 1, perCycle, 8, /*fused=*/false});
  isa.operationsPerCycle = perCycle;
  isa.gathers = true;
  isa.caches = {{.bytes = 32 << 10, .bytesPerCycle = 16},
                {.bytes = 256 << 10, .bytesPerCycle = 8}};
  return isa;
}

static Target makeTarget(const char *name, const char *description,
                         const char *features, Isa isa) {
  return {.name = name,
          .description = description,
          .platform = {.triple = "riscv64-unknown-linux-gnu",
                       .driver = {"riscv64-linux-gnu-gcc"}},
          .cpu = "generic-rv64",
          .features = features,
          .isa = std::move(isa)};
}

const Target &brisk::getRiscV64Target() {
  static const Target target =
      makeTarget("riscv64", "64-bit RISC-V without vectors (RV64GC), on Linux",
                 "+m,+a,+f,+d,+c", getRv64());
  return target;
}

const Target &brisk::getRiscV64VTarget() {
  static const Target target =
      makeTarget("riscv64gcv",
                 "64-bit RISC-V with vectors (RV64GCV, in registers of 128 to "
                 "1024 bits), on Linux",
                 "+m,+a,+f,+d,+c,+v", getRv64V());
  return target;
}
