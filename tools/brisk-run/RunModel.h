//===- RunModel.h - Runs of a model on files --------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_RUN_RUNMODEL_H
#define BRISK_TOOLS_BRISK_RUN_RUNMODEL_H

#include "LoadedModel.h"

namespace brisk::tools {

enum class OutputFormat { Npy, Pb };

struct RunOptions {
  ModelRequest model;
  std::vector<std::string> inputs; ///< as given to --input
  bool samples = false;            ///< inputs have an axis of samples in front
  unsigned threads = 1;
  std::string outputDir; ///< empty for none
  OutputFormat format = OutputFormat::Npy;
  /// A folder or .npz archive of what the outputs should be; empty for none.
  std::string reference;
  std::string json; ///< of the comparison; empty for none
  /// The axis of every output, without that of samples, along which scores of
  /// classes lie; absent for those of outputs that look like such.
  std::optional<unsigned> classAxis;
  /// What outputs of floats must reach, in dB.
  std::optional<double> minSqnr;
};

/// Runs a model, once or on each sample, writes its outputs and outputs.json
/// into the output directory and prints how far they are from the reference.
/// An error means that nothing was written, unless it is that of a ratio that
/// is too low, whose outputs are there to be looked at.
llvm::Error runModel(const RunOptions &options);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_RUN_RUNMODEL_H
