//===- WindowAttributes.h - Attributes of conv and pool ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convolutions and pools have in common: windows that slide over the
// spatial dimensions.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_WINDOWATTRIBUTES_H
#define BRISK_LIB_IMPORT_WINDOWATTRIBUTES_H

#include "Node.h"

namespace brisk::onnximport {

struct WindowAttributes {
  llvm::SmallVector<int64_t> kernelShape, strides, pads, dilations;
  AutoPad autoPad = AutoPad::Notset;
};

/// Reads and checks the attributes for an input of `spatialRank` spatial
/// dimensions; those that are absent get their default. Reports what does not
/// fit; `node` is broken then.
WindowAttributes readWindow(Node &node, int64_t spatialRank);

/// A convolution of an N x C x spatial tensor by the node's attributes, with a
/// filter of O x C x spatial.
mlir::Value makeConv(Node &node, mlir::Value input, mlir::Value filter,
                     mlir::Value bias);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_WINDOWATTRIBUTES_H
