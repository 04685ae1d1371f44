//===- Registration.h - What the tools register -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DRIVER_REGISTRATION_H
#define BRISK_DRIVER_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace brisk {

/// Adds the dialects, interfaces and translations that compilation uses.
void registerAll(mlir::DialectRegistry &registry);

/// Makes Brisk's passes and stages known by name.
void registerPasses();

/// Makes the passes and pipelines of MLIR known by name.
void registerUpstreamPasses();

} // namespace brisk

#endif // BRISK_DRIVER_REGISTRATION_H
