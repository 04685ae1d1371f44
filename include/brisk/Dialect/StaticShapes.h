//===- StaticShapes.h - What passes after shapes rest on --------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the shapes stage every type is static, and passes rest on it. IR that
// comes to them by another way may not be.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_STATICSHAPES_H
#define BRISK_DIALECT_STATICSHAPES_H

#include "mlir/IR/Operation.h"

namespace brisk {

/// Fails, with an error at the op, where a tensor or buffer in `root` has no
/// static size: an open shape, elements of no width, or bytes past int64.
llvm::LogicalResult checkStaticShapes(mlir::Operation *root);

} // namespace brisk

#endif // BRISK_DIALECT_STATICSHAPES_H
