//===- CortexM4.cpp - Arm Cortex-M4F --- -*- C++ -*-===//
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
class CortexM4 : public Target {
public:
  llvm::StringRef getName() const override { return "cortex-m4"; }
  llvm::StringRef getDescription() const override {
    return "Arm Cortex-M4 with single-precision FPU, bare metal, hard-float "
           "ABI";
  }
  Isa getIsa() const override {
    Isa isa;
    isa.vectorBits = 0;
    isa.registers = 32;
    isa.fma = true;
    isa.rounding = false;
    isa.floatMinMax = false;
    isa.halfConversions = true;
    isa.doubles = false;
    isa.singleIssue = true;
    isa.loadOffset = 1020;
    isa.fmaPerCycle = 1.0 / 3;
    isa.loadsPerCycle = 0.5;
    isa.fmaLatency = 3;
    isa.memoryBytesPerCycle = 4;
    return isa;
  }
  CodegenInfo getCodegenInfo() const override {
    CodegenInfo info;
    info.triple = "thumbv7em-unknown-none-eabihf";
    info.cpu = "cortex-m4";
    info.indexBits = 32;
    info.pic = false;
    info.hosted = false;
    info.linker = {"arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb",
                   "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"};
    info.helperPrefix = "__aeabi_";
    info.alignment = 16;
    return info;
  }
};
} // namespace

const Target &brisk::getCortexM4Target() {
  static const CortexM4 target;
  return target;
}
