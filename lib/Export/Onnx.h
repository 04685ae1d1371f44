//===- Onnx.h - ONNX's protobuf classes -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_EXPORT_ONNX_H
#define BRISK_LIB_EXPORT_ONNX_H

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx

#include <onnx/onnx_pb.h>

#endif // BRISK_LIB_EXPORT_ONNX_H
