//===- NpzFile.h - NumPy's .npz archives ------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading of what numpy.savez and numpy.savez_compressed write: ZIP archives of
// `.npy` files. The format:
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_NPZFILE_H
#define BRISK_EXECUTION_NPZFILE_H

#include "brisk/Execution/Tensor.h"

#include <vector>

namespace brisk::execution {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// The arrays of an archive in its order, named as NumPy names them, without
/// `.npy`. Members may be stored or deflated, and archives larger than 4 GiB.
/// Errors name the member. Encrypted archives, those of several disks, two
/// members of one name, and members that are no arrays are refused.
llvm::Expected<std::vector<NamedTensor>> parseNpz(llvm::StringRef content);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_NPZFILE_H
