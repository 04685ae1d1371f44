//===- Quantized.h - Quantized values in handlers ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What handlers make quantized values of, and what they make of them. Scales
// and zero points are those of ONNX: one element, or a vector along an axis.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_QUANTIZED_H
#define BRISK_LIB_IMPORT_QUANTIZED_H

#include "OpTable.h"

namespace brisk::onnximport {

/// A scale or zero point shaped to broadcast against `like`: a scalar, a vector
/// along `axis`, or a tensor of as many dimensions. Null if absent.
mlir::Value spread(Node &n, mlir::Value parameter, mlir::Value like,
                   int64_t axis);

/// A parameter of the whole tensor, of one element, as a scalar; an error if it
/// has more. Null if absent.
mlir::Value needOne(Node &n, mlir::Value parameter, llvm::StringRef name);

/// The sums of products of matrices of 8-bit integers, as i32.
mlir::Value multiplyMatrices(Node &n, mlir::Value a, mlir::Value aZero,
                             mlir::Value b, mlir::Value bZero);

/// What sums of products of `a` and `b` stand for, as floats of type `to`. Sums
/// are beyond f16, whatever the scales' type.
mlir::Value dequantizeSums(Node &n, mlir::Value sums, mlir::Value aScale,
                           mlir::Value bScale, mlir::Type to);

/// Such sums in the result's own scale.
mlir::Value requantize(Node &n, mlir::Value sums, mlir::Value aScale,
                       mlir::Value bScale, mlir::Value scale,
                       mlir::Value zeroPoint);

/// Floats quantized to `ui8` by the range of their values.
struct DynamicallyQuantized {
  mlir::Value integers, scale, zeroPoint;
};
DynamicallyQuantized quantizeDynamically(Node &n, mlir::Value x);

/// The handlers of these ops, which ONNX Runtime has in its own domain, too.
Results quantizeLinear(Node &n);
Results dequantizeLinear(Node &n);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_QUANTIZED_H
