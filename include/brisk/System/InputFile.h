//===- InputFile.h - Files to read ------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_INPUTFILE_H
#define BRISK_SYSTEM_INPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace brisk {

/// An error for what is no regular file: reading a device may have no end, and
/// opening a pipe that no one writes to waits for ever. The message is only the
/// reason, without the path.
llvm::Error checkRegularFile(llvm::StringRef path);

/// The content of a regular file, which need not end with a zero.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path);

} // namespace brisk

#endif // BRISK_SYSTEM_INPUTFILE_H
