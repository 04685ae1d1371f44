//===- CompileModule.h - A module as code in this process -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_COMPILEMODULE_H
#define BRISK_LIB_DRIVER_COMPILEMODULE_H

#include "brisk/Execution/Library.h"
#include "mlir/IR/BuiltinOps.h"

namespace brisk {

/// Compiles a module of fixed shapes for this machine, whatever its target is,
/// and loads it. The module is used up. Diagnostics say why it fails where the
/// error does not.
llvm::Expected<execution::Library> compileAndLoad(mlir::ModuleOp module);

/// The cycles that a module of fixed shapes would take on its target, by the
/// estimates of the kernels that would be chosen for it. The module is used up.
llvm::Expected<double> estimateCycles(mlir::ModuleOp module);

} // namespace brisk

#endif // BRISK_LIB_DRIVER_COMPILEMODULE_H
