//===- Version.h - Which Brisk this is --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DRIVER_VERSION_H
#define BRISK_DRIVER_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace brisk {

/// "0.1.0+REVISION"; without the revision if built outside of a git checkout.
llvm::StringRef getVersion();

/// What --version prints: Brisk's version, then LLVM's.
void printVersion(llvm::raw_ostream &os);

} // namespace brisk

#endif // BRISK_DRIVER_VERSION_H
