//===- CompileFlags.h - Flags of briskc -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISKC_COMPILEFLAGS_H
#define BRISK_TOOLS_BRISKC_COMPILEFLAGS_H

#include "Tool.h"
#include "brisk/Driver/Compile.h"

namespace brisk::tools {

/// What --quantize makes of a model of floats.
enum class Quantize { Off, Int8, Dynamic, BF16, F16, Weights8, Weights4 };

struct CompileFlags {
  explicit CompileFlags(llvm::cl::OptionCategory &category);

  /// Fills `options`; an error if a flag is malformed.
  llvm::Error resolve(CompileOptions &options) const;

  llvm::cl::opt<std::string> model;
  TextFlag output, header, target, name, stopAfter, report, depfile;
  TextFlag prune;
  ChoiceFlag<Quantize> quantize;
  TextFlag calibration;
  ChoiceFlag<Calibrator> calibrator;
  ChoiceFlag<MixedPrecision> mixedPrecision;
  TextFlag minSqnr, maxDrop, labels;
  ChoiceFlag<Emit> emit;
  llvm::cl::list<std::string> shapes, dims;
  TextFlag pre, post;
  llvm::cl::opt<bool> profile, quiet;
  TextFlag ramBudget, flashBudget;
  llvm::cl::extrahelp help;

private:
  llvm::Error check() const;
  llvm::Error checkStages() const;
  llvm::Error resolvePruning(CompileOptions &options) const;
  llvm::Error resolveQuantization(CompileOptions &options) const;
  llvm::Error resolvePostTraining(PostTrainingOptions &result) const;
  llvm::Error resolveGoal(std::optional<double> &leastSqnr,
                          std::optional<double> &mostDrop) const;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISKC_COMPILEFLAGS_H
