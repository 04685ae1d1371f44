//===- ModelAttrs.h - What is known of a model ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_MODELATTRS_H
#define BRISK_DIALECT_MODELATTRS_H

#include "brisk/Dialect/BriskDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace brisk {

/// The ONNX name of an input; empty where there is none.
llvm::StringRef getInputName(mlir::FunctionOpInterface function,
                             unsigned input);

/// The symbolic names of an input's dimensions, "" where there is none; none at
/// all where it was not imported with a rank.
llvm::SmallVector<llvm::StringRef>
getDimNames(mlir::FunctionOpInterface function, unsigned input);

} // namespace brisk

#endif // BRISK_DIALECT_MODELATTRS_H
