//===- Version.cpp - Which Brisk this is ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/Version.h"
#include "Revision.inc"
#include "llvm/Config/llvm-config.h"

llvm::StringRef brisk::getVersion() {
#ifdef BRISK_REVISION
  static const std::string version =
      BRISK_VERSION "+" + llvm::StringRef(BRISK_REVISION).take_front(12).str();
  return version;
#else
  return BRISK_VERSION;
#endif
}

void brisk::printVersion(llvm::raw_ostream &os) {
  os << "Brisk " << getVersion() << " (LLVM " LLVM_VERSION_STRING ")\n";
}
