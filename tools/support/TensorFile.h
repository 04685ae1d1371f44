//===- TensorFile.h - Tensors from files by their extension -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_TENSORFILE_H
#define BRISK_TOOLS_SUPPORT_TENSORFILE_H

#include "Tensor.h"

namespace brisk::tools {

/// Reads a `.npy` or `.pb` file. Booleans come out as 0 and 1 whatever the file
/// has. Errors name the file.
llvm::Expected<Tensor> readTensorFile(llvm::StringRef path);

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_TENSORFILE_H
