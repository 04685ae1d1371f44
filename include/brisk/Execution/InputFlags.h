//===- InputFlags.h - Values of inputs, from the command line ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_INPUTFLAGS_H
#define BRISK_EXECUTION_INPUTFLAGS_H

#include "brisk/Execution/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace brisk::execution {

/// Takes the value of an input that a file gives.
using TakeInput = llvm::function_ref<llvm::Error(unsigned input, Tensor &&value,
                                                 llvm::StringRef file)>;

/// Reads the files that values of --input name, and hands on what they hold:
/// NAME=FILE, or F.npz alone, every array of which is the value of an input.
/// Errors name the input; giving one twice is one.
llvm::Error readInputFlags(const brisk_model &model,
                           llvm::ArrayRef<std::string> flags, TakeInput take);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_INPUTFLAGS_H
