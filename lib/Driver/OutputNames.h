//===- OutputNames.h - Where a compilation writes ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_OUTPUTNAMES_H
#define BRISK_LIB_DRIVER_OUTPUTNAMES_H

#include "brisk/Driver/Compile.h"

namespace brisk {

struct OutputNames {
  /// What -o names, or is put into the folder that it names.
  std::string artifact;
  /// The header; empty for none.
  std::string header;
  /// The C identifier that an imported model gets.
  std::string model;
};

/// A name given is a name kept: a library `libfoo-bar.a` or `foo-bar.a` lies
/// beside `foo-bar.h`, and its model is `foo_bar` unless a name says otherwise.
/// What is written to a folder, or is no library, has its name from the model's
/// file.
OutputNames nameOutputs(const CompileOptions &options);

/// Writes the rule of make that says of what files the outputs are made.
void writeDepfile(const OutputNames &outputs,
                  llvm::ArrayRef<std::string> inputs, llvm::raw_ostream &os);

} // namespace brisk

#endif // BRISK_LIB_DRIVER_OUTPUTNAMES_H
