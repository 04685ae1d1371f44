//===- ElementTypes.h - The table of element types --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// brisk/elements.def, the table that compiler, runtime and tools share, with
// the types of MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTTYPES_H
#define BRISK_DIALECT_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace brisk {

/// An element type of the dialect.
struct ElementType {
  unsigned dtype;            ///< brisk_dtype: ONNX's TensorProto.DataType
  unsigned bits;             ///< that an element takes in a tensor's memory
  char kind;                 ///< NumPy's
  llvm::StringLiteral cType; ///< what holds an element in C

  mlir::Type get(mlir::MLIRContext *context) const;
};

/// Null for what is no element type of the dialect.
const ElementType *findElementType(mlir::Type type);
const ElementType *findElementType(unsigned dtype);

/// Bytes of a tensor (or buffer) of static shape and dense elements in memory.
uint64_t getByteSize(mlir::ShapedType type);

} // namespace brisk

#endif // BRISK_DIALECT_ELEMENTTYPES_H
