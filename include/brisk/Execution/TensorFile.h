//===- TensorFile.h - Tensors from files by their extension -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_TENSORFILE_H
#define BRISK_EXECUTION_TENSORFILE_H

#include "brisk/Execution/NpzFile.h"

namespace brisk::execution {

/// Reads a `.npy` or `.pb` file, or of a `.npz` archive the array of a name, or
/// its only one. Booleans come out as 0 and 1 whatever the file has. Errors
/// name the file.
llvm::Expected<Tensor> readTensorFile(llvm::StringRef path,
                                      llvm::StringRef name = "");

/// The same for every array of a `.npz` archive.
llvm::Expected<std::vector<NamedTensor>> readArchiveFile(llvm::StringRef path);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_TENSORFILE_H
