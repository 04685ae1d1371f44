//===- Buffers.h - What views are of ----------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_BUFFERS_H
#define BRISK_LIB_LOWERING_BUFFERS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace brisk {

/// The allocation, argument or place in the arena (a `memref.view`) that
/// `memref` is a view of, or is itself.
inline mlir::Value getBuffer(mlir::Value memref) {
  while (auto view = memref.getDefiningOp<mlir::ViewLikeOpInterface>()) {
    if (mlir::isa<mlir::memref::ViewOp>(*view))
      break;
    memref = view.getViewSource();
  }
  return memref;
}

} // namespace brisk

#endif // BRISK_LIB_LOWERING_BUFFERS_H
