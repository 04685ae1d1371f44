//===- TensorProtoFile.h - ONNX TensorProto files ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of single tensors in ONNX's protobuf format (.pb), which
// ONNX's own test data comes in.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_TENSORPROTOFILE_H
#define BRISK_EXECUTION_TENSORPROTOFILE_H

#include "brisk/Execution/Tensor.h"
#include "llvm/Support/raw_ostream.h"

namespace brisk::execution {

/// Reads a TensorProto of any type that models have, from its raw data or its
/// typed fields; data in other files is refused.
llvm::Expected<Tensor> parseTensorProto(llvm::StringRef content);

/// Writes a TensorProto with raw data. An error where it would pass
/// protobuf's limit of 2 GiB.
llvm::Error writeTensorProto(llvm::raw_ostream &out, llvm::StringRef name,
                             const TensorView &tensor);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_TENSORPROTOFILE_H
