//===- Instance.h - A model with all that a run needs -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers, memory and threads around a loaded model, and its inputs from files
// or at random.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_INSTANCE_H
#define BRISK_EXECUTION_INSTANCE_H

#include "brisk/Execution/Tensor.h"

#include <string>
#include <vector>

namespace brisk::execution {

class Instance {
public:
  /// With one thread the model gets no pool; 0 is as
  /// many as this process may use. An error for models whose shapes are not
  /// fixed.
  static llvm::Expected<Instance> create(const brisk_model &model,
                                         unsigned threads);

  /// Reads the inputs that values of --input name. Errors name the input and
  /// say what the model expects and what the file has.
  llvm::Error readInputs(llvm::ArrayRef<std::string> flags);
  /// The same of files with an axis of samples in front, as many in each: N x
  /// the input's shape or, where the input's first dimension is 1, N in its
  /// place. Returns how many there are, of which there is at least one.
  llvm::Expected<uint64_t> readSamples(llvm::ArrayRef<std::string> flags);
  /// Makes one of the samples read the value of the inputs.
  void loadSample(uint64_t number);
  /// Copies the bytes of an input's value, as many as the input has.
  void setInput(unsigned input, llvm::ArrayRef<char> bytes);
  /// The memory of an input's value.
  void *getInput(unsigned input) { return instance.inputMemory(input); }
  /// Whether an input has been set.
  bool isGiven(unsigned input) const { return given[input]; }
  /// An error that names every input that was not given.
  llvm::Error requireAllInputs() const;
  /// Fills the inputs that were not given, by brisk_fill_random.
  void fillOtherInputs(uint64_t seed);

  /// Runs once. Returns nanoseconds, or an error if the model refuses.
  llvm::Expected<uint64_t> run(brisk_trace *trace = nullptr);

  TensorView output(unsigned index) const;

  unsigned threads() const { return instance.threads(); }
  /// Bytes of all blocks of memory, for these threads.
  uint64_t memoryBytes() const { return instance.memoryBytes(); }

private:
  /// The inputs that no file gave, with their types; empty for none.
  std::string listMissingInputs() const;
  Instance(const brisk_model &model, brisk::Instance instance)
      : model(&model), instance(std::move(instance)) {}

  const brisk_model *model;
  brisk::Instance instance;
  std::vector<Buffer> samples; ///< those of each input, one after the other
  std::vector<bool> given;
};

} // namespace brisk::execution

#endif // BRISK_EXECUTION_INSTANCE_H
