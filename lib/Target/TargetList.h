//===- TargetList.h - The list of targets -----------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TARGET_TARGETLIST_H
#define BRISK_LIB_TARGET_TARGETLIST_H

namespace brisk {

struct Isa;
struct Target;

// One function a target, defined in the target's folder.
const Target &getHostTarget();
const Target &getX86V2Target();
const Target &getX86V3Target();
const Target &getX86V4Target();
const Target &getCascadeLakeTarget();
const Target &getCooperLakeTarget();
const Target &getAlderLakeTarget();
const Target &getSapphireRapidsTarget();
const Target &getGraniteRapidsTarget();
const Target &getAArch64Target();
const Target &getCortexA76Target();
const Target &getNeoverseV1Target();
const Target &getRiscV64Target();
const Target &getRiscV64VTarget();
const Target &getCortexM4Target();

/// Gives the products of bytes that AVX-512 VNNI and AVX-VNNI have.
void addVnni(Isa &isa);
/// Adds the products of pairs of bf16 that AVX512-BF16 has.
void addBf16(Isa &isa);
/// Has bytes looked up in registers, as AVX512-VBMI does.
void addByteLookup(Isa &isa);
/// Gives vectors of 512 bits a second unit.
void addSecondUnit(Isa &isa);
/// Adds the registers that AMX-TILE has, and the products of AMX-INT8, AMX-BF16
/// and AMX-FP16.
void addTiles(Isa &isa, bool bytes, bool bf16, bool f16);
/// Gives those that FEAT_DotProd has on Arm, and FEAT_I8MM on top of them.
void addDotProducts(Isa &isa, bool i8mm);
/// Adds the products of pairs of bf16 that FEAT_BF16 has on Arm.
void addBf16DotProducts(Isa &isa);
/// Registers are SVE's, of whatever width a CPU has: LLVM uses some of its
/// instructions on their first 128 bits.
void addScalableRegisters(Isa &isa);

} // namespace brisk

#endif // BRISK_LIB_TARGET_TARGETLIST_H
