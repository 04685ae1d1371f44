//===- Ending.h - What goes when a signal ends the program ------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_SYSTEM_ENDING_H
#define BRISK_LIB_SYSTEM_ENDING_H

#include "llvm/ADT/StringRef.h"

#include <sys/types.h>

namespace brisk {

/// Removes a folder and the files in it if a signal ends the program. False if
/// its path is too long, or too many folders are in use.
bool removeFolderOnSignal(llvm::StringRef path);
void keepFolderOnSignal(llvm::StringRef path);

/// Ends the process group of a child if a signal ends the program; 0 for none.
void endChildOnSignal(pid_t child);

} // namespace brisk

#endif // BRISK_LIB_SYSTEM_ENDING_H
