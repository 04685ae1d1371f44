//===- Addresses.h - Whether a model's memory can be addressed -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_ADDRESSES_H
#define BRISK_LIB_DRIVER_ADDRESSES_H

#include "ModelInfo.h"
#include "llvm/Support/Error.h"

namespace brisk {

/// An error for what no run on the target could address. Warns, by the model's
/// `path`, of what this machine could not run.
llvm::Error checkAddresses(const ModelInfo &model, const Target &target,
                           llvm::StringRef path);

} // namespace brisk

#endif // BRISK_LIB_DRIVER_ADDRESSES_H
