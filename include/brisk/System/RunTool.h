//===- RunTool.h - Running linkers ------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_RUNTOOL_H
#define BRISK_SYSTEM_RUNTOOL_H

#include "brisk/System/ScratchFolder.h"
#include "llvm/ADT/ArrayRef.h"

namespace brisk {

/// Runs a linker or the like with these arguments. An error says what it
/// printed, and what to install where there is no such program. The program
/// ends with this one if a signal does.
llvm::Error runTool(llvm::ArrayRef<std::string> command,
                    const ScratchFolder &folder);

} // namespace brisk

#endif // BRISK_SYSTEM_RUNTOOL_H
