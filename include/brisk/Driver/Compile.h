//===- Compile.h - The compiler as a function -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a model file to artifacts on disk: what briskc does once its flags are
// parsed, and what brisk-run and brisk-bench call when given a model's source.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DRIVER_COMPILE_H
#define BRISK_DRIVER_COMPILE_H

#include "brisk/Quantization/PostTraining.h"
#include "brisk/Quantization/Pruning.h"
#include "brisk/Quantization/WeightQuantization.h"
#include "brisk/Transforms/ProductType.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brisk {

struct Target;

/// What to write. Import, Graph, Plan, Kernels and Llvm are textual IR.
enum class Emit {
  Import,
  Graph,
  Plan,
  Kernels,
  Llvm,
  Asm,
  Obj,
  Lib,
  Shared,
  Exe,
  Onnx
};

struct CompileOptions {
  /// An `.onnx`, `.onnxtxt` or `.mlir` file.
  std::string input;
  /// Where to write; "-" is standard output, for text only. `Lib`: the
  /// archive, whose header lies beside it with the extension `.h`, or a folder.
  std::string output;
  /// Where the C header goes; empty: beside the archive, or nowhere.
  std::string header;
  Emit emit = Emit::Lib;
  /// A name from the list of targets; empty: that of an `.mlir` file's module,
  /// or `host`.
  std::string target;
  /// C identifier that prefixes every exported symbol; empty: from the output
  /// that is a library, else from the model's file.
  std::string name;
  /// Shapes given to model inputs by name; an empty vector is a scalar.
  llvm::StringMap<std::vector<int64_t>> shapes;
  /// Values given to symbolic dimensions by name.
  llvm::StringMap<int64_t> dims;
  /// YAML files of the stages before and after the model, if any.
  std::string pre, post;
  /// Makes weights zero, by samples of the inputs, if given. A goal that
  /// postTraining has as well holds for both together.
  std::optional<PruningOptions> pruning;
  /// Makes bytes of floats, by samples of the inputs, if given.
  std::optional<PostTrainingOptions> postTraining;
  /// Makes bytes of what matrix products read, by ranges found in each run.
  bool quantizesDynamically = false;
  /// Makes integers of weights alone, if given.
  std::optional<WeightBits> weightBits;
  /// What products of floats are computed from.
  ProductType productType = ProductType::F32;
  bool profile = false;
  /// Name of a stage to stop after, and print as IR; empty: none.
  std::string stopAfter;
  /// A JSON file that says where compile time, memory and bytes went, if any.
  std::string report;
  /// A rule of make that names the files read, if any.
  std::string depfile;
  std::optional<uint64_t> ramBudget;
  std::optional<uint64_t> flashBudget;
  /// Prints the stages on stderr as they run.
  bool progress = false;
};

/// Why `emit` cannot be made for a target; empty if it can.
std::string findEmitFault(const Target &target, Emit emit);

/// Compiles, with diagnostics on stderr. On failure nothing is left at the
/// output paths; what stood there before is untouched.
llvm::LogicalResult compile(const CompileOptions &options);

} // namespace brisk

#endif // BRISK_DRIVER_COMPILE_H
