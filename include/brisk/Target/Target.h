//===- Target.h - Machines that code is made for --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target: its instruction set, the code generator's names for it, and what
// its platform can take. Each has a folder in lib/Target and one line in the
// list of targets.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_TARGET_H
#define BRISK_TARGET_TARGET_H

#include "brisk/Target/Isa.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace brisk {

/// How code for a target is made and packaged.
struct CodegenInfo {
  std::string triple;
  std::string cpu;
  /// Comma-separated `+feature` and `-feature`.
  std::string features;
  /// Bits of an address and of `index`.
  unsigned indexBits = 64;
  /// Position-independent code: needed for shared libraries.
  bool pic = true;
  /// Has an operating system: shared libraries and programs can be made.
  bool hosted = true;
  /// The compiler driver that links a program, and its flags.
  std::vector<std::string> linker;
  /// What names of helper routines begin with that the target's compiler brings
  /// along; empty for none.
  std::string helperPrefix;
  /// Alignment of the arena and of weights, in bytes.
  unsigned alignment = 64;
};

class Target {
public:
  virtual ~Target() = default;
  /// The name that `--target` takes.
  virtual llvm::StringRef getName() const = 0;
  /// One line for `--help`.
  virtual llvm::StringRef getDescription() const = 0;
  /// False if the machine that is meant depends on where it is asked.
  virtual bool isNameEnough() const { return true; }
  virtual Isa getIsa() const = 0;
  virtual CodegenInfo getCodegenInfo() const = 0;
};

/// All targets; `host` first.
llvm::ArrayRef<const Target *> getTargets();

/// The target of that name; an error that lists the names if there is none.
llvm::Expected<const Target *> findTarget(llvm::StringRef name);

} // namespace brisk

#endif // BRISK_TARGET_TARGET_H
