//===- Labels.h - The right classes of samples ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_LABELS_H
#define BRISK_LIB_QUANTIZATION_LABELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brisk {

/// The number of a class for every sample or, where a model takes several
/// images at a time, for every image.
struct Labels {
  std::string path;
  std::vector<int64_t> values;

  /// Reads a `.npy` file of one dimension of any integer type.
  static llvm::Expected<Labels> read(llvm::StringRef path);
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_LABELS_H
