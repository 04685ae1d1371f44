//===- X86.cpp - x86-64: the microarchitecture levels ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TargetList.h"
#include "brisk/Target/Target.h"

using namespace brisk;

namespace {
/// SSE4.2: the level x86-64-v2.
Isa getSse42() {
  Isa isa;
  isa.vectorBits = 128;
  isa.registers = 16;
  isa.fmaPerCycle = 1;
  isa.loadsPerCycle = 2;
  isa.l1Bytes = 32 << 10;
  isa.l2Bytes = 256 << 10;
  return isa;
}

/// AVX2, FMA and F16C: the level x86-64-v3.
Isa getAvx2() {
  Isa isa = getSse42();
  isa.vectorBits = 256;
  isa.fma = true;
  isa.maskedMemory = true;
  isa.halfConversions = true;
  isa.fmaPerCycle = 2;
  isa.l2Bytes = 512 << 10;
  return isa;
}

/// AVX-512 F, BW, CD, DQ, VL: the level x86-64-v4.
Isa getAvx512() {
  Isa isa = getAvx2();
  isa.vectorBits = 512;
  isa.registers = 32;
  isa.fmaPerCycle = 1;
  isa.l2Bytes = 1 << 20;
  return isa;
}

class X86Level : public Target {
public:
  X86Level(llvm::StringRef name, llvm::StringRef description, Isa isa)
      : name(name), description(description), isa(isa) {}

  llvm::StringRef getName() const override { return name; }
  llvm::StringRef getDescription() const override { return description; }
  Isa getIsa() const override { return isa; }
  CodegenInfo getCodegenInfo() const override {
    CodegenInfo info;
    info.triple = "x86_64-unknown-linux-gnu";
    info.cpu = name;
    // LLVM would keep to 256 bits on some AVX-512 CPUs.
    info.features = isa.vectorBits == 512 ? "-prefer-256-bit" : "";
    info.linker = {"cc"};
    return info;
  }

private:
  std::string name, description;
  Isa isa;
};
} // namespace

const Target &brisk::getX86V2Target() {
  static const X86Level target("x86-64-v2", "x86-64 with SSE4.2", getSse42());
  return target;
}

const Target &brisk::getX86V3Target() {
  static const X86Level target("x86-64-v3", "x86-64 with AVX2 and FMA",
                               getAvx2());
  return target;
}

const Target &brisk::getX86V4Target() {
  static const X86Level target("x86-64-v4", "x86-64 with AVX-512", getAvx512());
  return target;
}
