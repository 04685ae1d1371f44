//===- AArch64.cpp - AArch64 with NEON --- -*- C++ -*-===//
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
class AArch64 : public Target {
public:
  llvm::StringRef getName() const override { return "aarch64"; }
  llvm::StringRef getDescription() const override {
    return "64-bit Arm with NEON, on Linux";
  }
  Isa getIsa() const override {
    Isa isa;
    isa.vectorBits = 128;
    isa.registers = 32;
    isa.fma = true;
    isa.halfConversions = true;
    isa.fmaPerCycle = 2;
    isa.loadsPerCycle = 2;
    isa.l1Bytes = 32 << 10;
    isa.l2Bytes = 256 << 10;
    return isa;
  }
  CodegenInfo getCodegenInfo() const override {
    CodegenInfo info;
    info.triple = "aarch64-unknown-linux-gnu";
    info.cpu = "generic";
    info.linker = {"aarch64-linux-gnu-gcc"};
    return info;
  }
};
} // namespace

const Target &brisk::getAArch64Target() {
  static const AArch64 target;
  return target;
}
