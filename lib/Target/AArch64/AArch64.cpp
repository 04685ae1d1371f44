//===- AArch64.cpp - AArch64 with NEON ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace brisk;

static constexpr llvm::StringLiteral sdot =
                                         "llvm.aarch64.neon.sdot.v4i32.v16i8",
                                     udot =
                                         "llvm.aarch64.neon.udot.v4i32.v16i8",
                                     usdot =
                                         "llvm.aarch64.neon.usdot.v4i32.v16i8",
                                     smull = "llvm.aarch64.neon.smull.v4i32",
                                     smmla =
                                         "llvm.aarch64.neon.smmla.v4i32.v16i8",
                                     ummla =
                                         "llvm.aarch64.neon.ummla.v4i32.v16i8",
                                     usmmla =
                                         "llvm.aarch64.neon.usmmla.v4i32.v16i8";

/// NEON's products of bytes, all of four by four.
static Isa::Product makeProduct(Scalar lhs, Scalar rhs, double perCycle,
                                unsigned latency, Isa::Form form,
                                llvm::StringRef intrinsic) {
  return {lhs,      rhs,     Scalar::I32,     1,    4,          4,
          perCycle, latency, /*fused=*/false, form, {intrinsic}};
}

void brisk::addDotProducts(Isa &isa, bool i8mm) {
  using enum Scalar;
  llvm::erase_if(isa.products, [](const Isa::Product &product) {
    return product.form == Isa::Form::Singles;
  });
  constexpr double perCycle = 2;
  constexpr unsigned latency = 3;
  isa.products.push_back(
      makeProduct(I8, I8, perCycle, latency, Isa::Form::Dot, sdot));
  isa.products.push_back(
      makeProduct(U8, U8, perCycle, latency, Isa::Form::Dot, udot));
  if (!i8mm)
    return;
  isa.products.push_back(
      makeProduct(U8, I8, perCycle, latency, Isa::Form::Dot, usdot));
  auto addBlocks = [&](Scalar lhs, Scalar rhs, llvm::StringRef intrinsic) {
    isa.products.push_back({lhs,
                            rhs,
                            I32,
                            2,
                            2,
                            8,
                            perCycle,
                            latency,
                            /*fused=*/false,
                            Isa::Form::Blocks,
                            {intrinsic}});
  };
  addBlocks(I8, I8, smmla);
  addBlocks(U8, U8, ummla);
  addBlocks(U8, I8, usmmla);
}

void brisk::addBf16DotProducts(Isa &isa) {
  using enum Scalar;
  isa.products.push_back({BF16,
                          BF16,
                          F32,
                          1,
                          4,
                          2,
                          /*perCycle=*/2,
                          /*latency=*/4,
                          /*fused=*/false,
                          Isa::Form::Dot,
                          {"llvm.aarch64.neon.bfdot.v4f32.v8bf16"}});
}

void brisk::addScalableRegisters(Isa &isa) {
  // 2,048 bits, the most that SVE allows.
  isa.vectors.mostScale = 16;
}

static Isa getNeon() {
  using enum Scalar;
  using enum Isa::Operation;
  Isa isa;
  isa.vectors = {.bits = 128, .count = 32};
  // m x n x k, started per cycle, latency.
  isa.products = {{F32, F32, F32, 1, 4, 1, 2, 4},
                  {F64, F64, F64, 1, 2, 1, 2, 4}};
  // Four instructions, one a cycle.
  for (Scalar lhs : {U8, I8})
    isa.products.push_back(
        makeProduct(lhs, I8, 0.25, 4, Isa::Form::Singles, smull));
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

static Target makeTarget(const char *name, const char *description,
                         const char *cpu) {
  return {.name = name,
          .description = description,
          .platform = {.triple = "aarch64-unknown-linux-gnu",
                       .driver = {"aarch64-linux-gnu-gcc"}},
          .cpu = cpu,
          .isa = getNeon()};
}

const Target &brisk::getAArch64Target() {
  static const Target target =
      makeTarget("aarch64", "64-bit Arm with NEON, on Linux", "generic");
  return target;
}

const Target &brisk::getCortexA76Target() {
  static const Target target = [] {
    Target cpu = makeTarget("cortex-a76",
                            "64-bit Arm with products of signed bytes "
                            "(Armv8.2 with dotprod), on Linux",
                            "cortex-a76");
    addDotProducts(cpu.isa, /*i8mm=*/false);
    return cpu;
  }();
  return target;
}

const Target &brisk::getNeoverseV1Target() {
  static const Target target = [] {
    Target cpu = makeTarget("neoverse-v1",
                            "64-bit Arm with products of unsigned and signed "
                            "bytes and of bf16 (Armv8.4 with i8mm and bf16), "
                            "on Linux",
                            "neoverse-v1");
    addDotProducts(cpu.isa, /*i8mm=*/true);
    addBf16DotProducts(cpu.isa);
    addScalableRegisters(cpu.isa);
    return cpu;
  }();
  return target;
}
