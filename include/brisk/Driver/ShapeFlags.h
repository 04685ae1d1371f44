//===- ShapeFlags.h - The flags that give shapes ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DRIVER_SHAPEFLAGS_H
#define BRISK_DRIVER_SHAPEFLAGS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brisk {

/// Parses `NAME=1x3x224x224` or `NAME=scalar` into `shapes`, and `NAME=N` into
/// `dims`. False, with the reason in `error`, if `text` is malformed.
bool parseShapeFlag(llvm::StringRef text,
                    llvm::StringMap<std::vector<int64_t>> &shapes,
                    std::string &error);
bool parseDimFlag(llvm::StringRef text, llvm::StringMap<int64_t> &dims,
                  std::string &error);

/// The flags' values that parse into these, in their order.
std::vector<std::string>
formatShapeFlags(const llvm::StringMap<std::vector<int64_t>> &shapes);
std::vector<std::string> formatDimFlags(const llvm::StringMap<int64_t> &dims);

} // namespace brisk

#endif // BRISK_DRIVER_SHAPEFLAGS_H
