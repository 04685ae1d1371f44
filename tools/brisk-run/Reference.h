//===- Reference.h - What a model's outputs should be -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_RUN_REFERENCE_H
#define BRISK_TOOLS_BRISK_RUN_REFERENCE_H

#include "RunModel.h"
#include "brisk/Execution/Comparison.h"

namespace brisk::tools {

class Reference {
public:
  /// Reads what the outputs should be, from a folder as brisk-run writes it
  /// (without an outputs.json, K.npy or K.pb is output K), or from a .npz
  /// archive by the outputs' names. `outputs` have the types and shapes that
  /// have to fit.
  static llvm::Expected<Reference>
  read(const RunOptions &options, const brisk_model &model,
       llvm::ArrayRef<execution::Tensor> outputs);

  /// Compares outputs and prints a table of how far they are off. An error
  /// where a ratio is lower than the options ask for.
  llvm::Error compare(llvm::ArrayRef<execution::Tensor> outputs,
                      llvm::raw_ostream &table);

  /// Writes the figures of the last comparison as JSON.
  void writeJson(llvm::raw_ostream &out) const;

private:
  struct Output {
    std::string name;
    uint32_t dtype;
    llvm::SmallVector<int64_t, 6> dims; ///< of the output
    std::optional<unsigned> classAxis;
    execution::Tensor reference;
    execution::Comparison comparison;
  };
  llvm::Error add(const RunOptions &options, llvm::StringRef name,
                  const execution::Tensor &output,
                  execution::Tensor &&reference);
  llvm::Error checkSqnr() const;

  std::vector<Output> entries;
  std::optional<double> minSqnr;
};

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_RUN_REFERENCE_H
