//===- Target.h - Machines that code is made for ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target: its platform, its CPU and what kernels ask of that. Each has a
// folder in lib/Target and one line in the list of targets.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_TARGET_H
#define BRISK_TARGET_TARGET_H

#include "brisk/Target/Isa.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetOptions.h"

#include <string>
#include <vector>

namespace brisk {

/// What code meets beside the CPU: how functions are called, and what links and
/// loads them.
struct Platform {
  /// LLVM's name, which says the object format, too.
  std::string triple;
  llvm::FloatABI::ABIType floatAbi = llvm::FloatABI::Default;
  /// Bits of an address and of `index`.
  unsigned indexBits = 64;
  /// Position-independent code: needed for shared libraries.
  bool pic = true;
  /// Has an operating system: shared libraries and programs can be made.
  bool hosted = true;
  /// Has the C++ runtime that unwind tables ask for.
  bool unwindTables = true;
  /// The linker that joins objects, and the compiler driver that links programs
  /// with its flags.
  std::string linker = "ld.lld-22";
  std::vector<std::string> driver;
  /// What names of helper routines begin with that the target's compiler brings
  /// along; empty for none.
  std::string helperPrefix = "";
  /// Alignment of the arena and of weights, in bytes.
  unsigned alignment = 64;
};

struct Target {
  /// The name that `--target` takes.
  std::string name;
  /// One line for `--help`.
  std::string description;
  Platform platform;
  /// LLVM's name of the CPU.
  std::string cpu;
  /// Comma-separated `+feature` and `-feature`: how it differs from others of
  /// that name.
  std::string features = "";
  Isa isa = {};
  /// False if the machine that is meant depends on where it is asked.
  bool isNameEnough = true;
};

/// All targets; `host` first.
llvm::ArrayRef<const Target *> getTargets();

/// The target of that name; an error that lists the names if there is none.
llvm::Expected<const Target *> findTarget(llvm::StringRef name);

} // namespace brisk

#endif // BRISK_TARGET_TARGET_H
