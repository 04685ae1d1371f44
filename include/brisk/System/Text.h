//===- Text.h - Names that may hold any bytes -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of tensors and ops are the model's and may hold any bytes: what writes
// them into JSON, tables, headers or messages asks here first.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_TEXT_H
#define BRISK_SYSTEM_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace brisk {

/// Text with U+FFFD for bytes that are not UTF-8.
std::string validUtf8(llvm::StringRef text);

/// The same with '?' for what is not printed, like control characters and those
/// that change the direction of text: one line on a terminal or in a comment.
std::string printable(llvm::StringRef text);

/// "1x3x224x224" or "scalar"; '?' for what is no extent.
std::string formatShape(llvm::ArrayRef<int64_t> dims);

} // namespace brisk

#endif // BRISK_SYSTEM_TEXT_H
