//===- CalibrationData.h - Samples of a model's inputs ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_CALIBRATIONDATA_H
#define BRISK_LIB_QUANTIZATION_CALIBRATIONDATA_H

#include "brisk/Execution/NpzFile.h"

#include <string>
#include <vector>

namespace brisk {

/// An input as the model has it.
struct InputType {
  std::string name;
  uint32_t dtype; ///< brisk_dtype
  llvm::SmallVector<int64_t> dims;
};

/// Values of all inputs, once for each sample.
class CalibrationData {
public:
  /// Reads `path`: a `.npz` file of one array for each input (called by its
  /// name, or `arr_0`, `arr_1`… in the inputs' order) with an axis of samples
  /// in front; a `.npy` file, the same for the only input; or a folder of
  /// `.npz` files, each of which holds one sample. Where an input's first
  /// dimension is its batch, that axis may have a multiple of it instead.
  /// Errors name file and array: no samples, arrays that are missing, left
  /// over, or of another type or shape, NaN and infinities.
  static llvm::Expected<CalibrationData> read(llvm::StringRef path,
                                              llvm::ArrayRef<InputType> inputs);

  uint64_t size() const { return count; }
  std::vector<std::string> getPaths() const;
  unsigned countInputs() const { return files.front().arrays.size(); }
  /// The bytes of an input's value.
  llvm::ArrayRef<char> get(uint64_t sample, unsigned input) const;

private:
  llvm::Error readFolder(llvm::StringRef path,
                         llvm::ArrayRef<InputType> inputs);
  llvm::Error readFile(llvm::StringRef path, llvm::ArrayRef<InputType> inputs,
                       bool isOneSample);

  /// A file's arrays, one for each input.
  struct File {
    std::string path;
    std::vector<execution::Tensor> arrays;
    uint64_t samples;
  };
  std::vector<File> files;
  uint64_t count = 0;
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_CALIBRATIONDATA_H
