//===- Emission.h - LLVM IR to objects --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimises LLVM IR for a target and writes objects, data objects, archives,
// shared libraries and programs.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_EMISSION_H
#define BRISK_TARGET_EMISSION_H

#include "brisk/Target/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace brisk {

/// Makes LLVM's code generators known; call before the functions below.
void initializeCodegen();

/// LLVM's machine for a target.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Target &target);

/// What code made for a target may use beyond what every CPU of its kind has:
/// names of brisk/cpu_features.def, separated by commas.
llvm::Expected<std::string> listCpuFeatures(const Target &target);

/// Runs the optimisation pipeline of `level` on `module`.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::OptimizationLevel level);

/// Writes `module` as an object or as assembly.
llvm::Error emitModule(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os, bool assembly);

/// True if so many bytes of read-only data belong into the sections of large
/// data, which code reaches by 64-bit distances: more would take the place that
/// 32-bit ones reach from code and data of the same program.
bool isLargeData(const Target &target, uint64_t bytes);

/// The most bytes of read-only data that code reaches.
uint64_t getDataLimit(const Target &target);

/// Writes an object whose one read-only section holds `symbol`, the
/// concatenation of `pieces`, each beginning at a multiple of the alignment;
/// its section .comment says `ident`.
llvm::Error emitData(const Target &target, llvm::StringRef symbol,
                     llvm::ArrayRef<llvm::ArrayRef<char>> pieces,
                     llvm::StringRef ident, llvm::raw_pwrite_stream &os);

} // namespace brisk

#endif // BRISK_TARGET_EMISSION_H
