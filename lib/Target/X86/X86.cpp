//===- X86.cpp - x86-64: the microarchitecture levels ---------------------===//
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

/// What the levels have in common: products of f32 and f64, those of bytes by
/// instructions for pairs of 16 bits, two loads a cycle, and a first-level
/// cache that gives as many.
static Isa makeIsa(Isa::Registers vectors, bool fused, double perCycle,
                   int64_t l2Bytes) {
  using enum Scalar;
  using enum Isa::Operation;
  Isa isa;
  isa.vectors = vectors;
  // m x n x k, started per cycle, latency.
  isa.products = {{F32, F32, F32, 1, vectors.bits / 32, 1, perCycle, 4, fused},
                  {F64, F64, F64, 1, vectors.bits / 64, 1, perCycle, 4, fused}};
  // Two products and two additions. Integers have three ports, of which vectors
  // of 512 bits take two together.
  constexpr unsigned widest = 512;
  double integersPerCycle = vectors.bits == widest ? 2 : 3;
  for (Scalar lhs : {U8, I8})
    isa.products.push_back({lhs,
                            I8,
                            I32,
                            1,
                            vectors.bits / 32,
                            4,
                            integersPerCycle / 4,
                            2,
                            /*fused=*/false,
                            Isa::Form::Pairs,
                            {"llvm.x86.sse2.pmadd.wd", "llvm.x86.avx2.pmadd.wd",
                             "llvm.x86.avx512.pmaddw.d.512"}});
  isa.operations = {
      {Arithmetic, {F32, F64}}, {Rounding, {F32, F64}}, {Extremes, {F32, F64}}};
  // Where a product is two instructions, as many start a cycle.
  isa.operationsPerCycle = fused ? perCycle : 2 * perCycle;
  isa.loadsPerCycle = 2;
  isa.caches = {{.bytes = 32 << 10, .bytesPerCycle = vectors.bits / 8 * 2.0},
                {.bytes = l2Bytes, .bytesPerCycle = 32}};
  return isa;
}

/// Adds what sums up `k` products at a time, as fast as others of a vector.
static void addDot(Isa &isa, Scalar lhs, Scalar rhs, Scalar sum, int64_t k,
                   unsigned latency,
                   std::array<llvm::StringRef, 3> intrinsics) {
  isa.products.push_back({lhs, rhs, sum, 1, isa.vectors.bits / 32, k,
                          isa.products.front().perCycle, latency,
                          /*fused=*/false, Isa::Form::Dot, intrinsics});
}

void brisk::addVnni(Isa &isa) {
  using enum Scalar;
  // Instead of those by pairs.
  llvm::erase_if(isa.products, [](const Isa::Product &product) {
    return product.form == Isa::Form::Pairs;
  });
  addDot(isa, U8, I8, I32, /*k=*/4, /*latency=*/5,
         {"llvm.x86.avx512.vpdpbusd.128", "llvm.x86.avx512.vpdpbusd.256",
          "llvm.x86.avx512.vpdpbusd.512"});
}

void brisk::addBf16(Isa &isa) {
  using enum Scalar;
  addDot(isa, BF16, BF16, F32, /*k=*/2, /*latency=*/6,
         {"llvm.x86.avx512bf16.dpbf16ps.128",
          "llvm.x86.avx512bf16.dpbf16ps.256",
          "llvm.x86.avx512bf16.dpbf16ps.512"});
}

void brisk::addByteLookup(Isa &isa) {
  isa.byteLookup = "llvm.x86.avx512.vpermi2var.qi.512";
}

void brisk::addSecondUnit(Isa &isa) {
  isa.operationsPerCycle *= 2;
  for (Isa::Product &product : isa.products)
    product.perCycle *= 2;
}

void brisk::addTiles(Isa &isa, bool bytes, bool bf16, bool f16) {
  using enum Scalar;
  isa.tiles = {.count = 8,
               .configure = "llvm.x86.ldtilecfg",
               .release = "llvm.x86.tilerelease",
               .zero = "llvm.x86.tilezero",
               .load = "llvm.x86.tileloadd64",
               .store = "llvm.x86.tilestored64",
               // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
               .request = "movl $$158, %eax; movl $$0x1023, %edi; "
                          "movl $$18, %esi; syscall",
               .requestClobbers = "~{rax},~{rdi},~{rsi},~{rcx},~{r11},"
                                  "~{memory},~{dirflag},~{fpsr},~{flags}"};
  // A row of sums a cycle. Source: Intel 64 and IA-32 Architectures
  // Optimization Reference Manual, 20.5.
  auto add = [&](Scalar lhs, Scalar rhs, Scalar sum, int64_t k,
                 llvm::StringRef intrinsic) {
    constexpr int64_t rows = 16, columns = 16;
    isa.products.push_back({lhs,
                            rhs,
                            sum,
                            rows,
                            columns,
                            k,
                            /*perCycle=*/1.0 / rows,
                            /*latency=*/52,
                            /*fused=*/false,
                            Isa::Form::Tiles,
                            {intrinsic}});
  };
  if (bytes) {
    add(U8, I8, I32, /*k=*/64, "llvm.x86.tdpbusd");
    add(I8, I8, I32, /*k=*/64, "llvm.x86.tdpbssd");
  }
  if (bf16)
    add(BF16, BF16, F32, /*k=*/32, "llvm.x86.tdpbf16ps");
  if (f16)
    add(F16, F16, F32, /*k=*/32, "llvm.x86.tdpfp16ps");
}

static Target makeLevel(const char *name, const char *description, Isa isa) {
  return {.name = name,
          .description = description,
          .platform = {.triple = "x86_64-unknown-linux-gnu", .driver = {"cc"}},
          .cpu = name,
          .isa = std::move(isa)};
}

const Target &brisk::getX86V2Target() {
  static const Target target =
      makeLevel("x86-64-v2", "x86-64 with SSE4.2",
                makeIsa({.bits = 128, .count = 16}, /*fused=*/false,
                        /*perCycle=*/1, /*l2Bytes=*/256 << 10));
  return target;
}

/// AVX2, FMA and F16C.
const Target &brisk::getX86V3Target() {
  static const Target target = [] {
    Isa isa = makeIsa({.bits = 256, .count = 16, .tails = Isa::Tails::Masked},
                      /*fused=*/true, /*perCycle=*/2, /*l2Bytes=*/512 << 10);
    isa.operations.push_back({Isa::Operation::Conversion, {Scalar::F16}});
    return makeLevel("x86-64-v3", "x86-64 with AVX2 and FMA", std::move(isa));
  }();
  return target;
}

/// AVX-512 F, BW, CD, DQ, VL.
const Target &brisk::getX86V4Target() {
  static const Target target = [] {
    Isa isa = makeIsa({.bits = 512, .count = 32, .tails = Isa::Tails::Masked},
                      /*fused=*/true, /*perCycle=*/1, /*l2Bytes=*/1 << 20);
    isa.operations.push_back({Isa::Operation::Conversion, {Scalar::F16}});
    Target level =
        makeLevel("x86-64-v4", "x86-64 with AVX-512", std::move(isa));
    // LLVM would keep to 256 bits on some AVX-512 CPUs.
    level.features = "-prefer-256-bit";
    return level;
  }();
  return target;
}

const Target &brisk::getCascadeLakeTarget() {
  static const Target target = [] {
    Target level = getX86V4Target();
    level.name = level.cpu = "cascadelake";
    level.description = "x86-64 with AVX-512 and products of bytes (VNNI)";
    addVnni(level.isa);
    return level;
  }();
  return target;
}

const Target &brisk::getAlderLakeTarget() {
  static const Target target = [] {
    Target level = getX86V3Target();
    level.name = level.cpu = "alderlake";
    level.description = "x86-64 with AVX2 and products of bytes (AVX-VNNI)";
    addVnni(level.isa);
    return level;
  }();
  return target;
}

const Target &brisk::getCooperLakeTarget() {
  static const Target target = [] {
    Target level = getCascadeLakeTarget();
    level.name = level.cpu = "cooperlake";
    level.description =
        "x86-64 with AVX-512 and its products of bytes and of bf16";
    addBf16(level.isa);
    return level;
  }();
  return target;
}

/// With AVX512-VBMI, -BF16 and AMX. Without its FP16 and AVX-VNNI, which no
/// kernel gains by: a model needs no more of a CPU than it uses.
const Target &brisk::getSapphireRapidsTarget() {
  static const Target target = [] {
    Target level = getCooperLakeTarget();
    level.name = level.cpu = "sapphirerapids";
    level.description =
        "x86-64 with AVX-512 and products of bytes and of bf16 in tiles (AMX)";
    level.features += ",-avx512fp16,-avxvnni";
    addByteLookup(level.isa);
    addSecondUnit(level.isa);
    addTiles(level.isa, /*bytes=*/true, /*bf16=*/true, /*f16=*/false);
    level.isa.caches[0].bytes = 48 << 10;
    level.isa.caches[0].ways = 12;
    level.isa.caches[1].bytes = 2 << 20;
    return level;
  }();
  return target;
}

const Target &brisk::getGraniteRapidsTarget() {
  static const Target target = [] {
    Target level = getSapphireRapidsTarget();
    level.name = level.cpu = "graniterapids";
    level.description = "x86-64 with AVX-512 and products of bytes, of bf16 "
                        "and of f16 in tiles (AMX)";
    addTiles(level.isa, /*bytes=*/false, /*bf16=*/false, /*f16=*/true);
    return level;
  }();
  return target;
}
