//===- ProductType.h - What products are computed from ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choices of `briskc --quantize=f16|bf16`, for flags, stages and passes.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_PRODUCTTYPE_H
#define BRISK_TRANSFORMS_PRODUCTTYPE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace brisk {

/// What products of f32 are computed from.
enum class ProductType {
  F32, // as they are
  F16, // weights of f16, and what they multiply where the target can
  BF16 // the same of bf16
};

/// The type's name as a flag's value.
llvm::StringRef getName(ProductType type);

/// The types that an option of a pass or a stage offers.
llvm::cl::ValuesClass getProductTypes();

} // namespace brisk

#endif // BRISK_TRANSFORMS_PRODUCTTYPE_H
