//===- ModelName.h - Names that models can have -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model's name begins the names of its functions, types and macros, and its
// header may be called by it. What it could collide with is decided here.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_IMPORT_MODELNAME_H
#define BRISK_IMPORT_MODELNAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace brisk {

/// Why a model cannot have this name, and which it could have ("it is not a C
/// identifier; use another --name, like model_1"); empty if it can.
std::string findNameFault(llvm::StringRef name);

/// The name made from another, or from a file's, that a model can have.
std::string makeModelName(llvm::StringRef text);

} // namespace brisk

#endif // BRISK_IMPORT_MODELNAME_H
