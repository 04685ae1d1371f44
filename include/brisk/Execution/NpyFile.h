//===- NpyFile.h - NumPy's .npy files ---------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of NumPy's array files, versions 1.0 to 3.0. The format:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_NPYFILE_H
#define BRISK_EXECUTION_NPYFILE_H

#include "brisk/Execution/Tensor.h"
#include "llvm/Support/raw_ostream.h"

namespace brisk::execution {

/// Reads an array of any type that models have, in either byte order, in C or
/// Fortran order. bfloat16, which NumPy itself lacks, is what the ml_dtypes
/// package writes: raw two-byte elements ("V2").
llvm::Expected<Tensor> parseNpy(llvm::StringRef content);

/// Writes a version 1.0 file, little-endian and in C order.
void writeNpy(llvm::raw_ostream &out, const TensorView &tensor);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_NPYFILE_H
