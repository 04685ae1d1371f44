//===- ElementFunctions.h - What arith and math ops compute -----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that element expressions are built of, by name, as functions of one
// element; null for ops that are not known.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_ELEMENTFUNCTIONS_H
#define BRISK_LIB_DIALECT_ELEMENTFUNCTIONS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

namespace brisk {

// On floats, whose results are rounded to their type afterwards.
using FloatUnary = double (*)(double);
using FloatBinary = double (*)(double, double);
FloatUnary getFloatUnary(llvm::StringRef op);
FloatBinary getFloatBinary(llvm::StringRef op);

// On integers of `width` bits, to which results are wrapped afterwards.
// Divisors and distances are such that the op is defined.
using IntBinary = int64_t (*)(int64_t, int64_t, unsigned width);
IntBinary getIntBinary(llvm::StringRef op);

// Conversions that change the kind of value, and all those of integers. `width`
// is the integer's that is converted.
using FloatFromInt = double (*)(int64_t, unsigned width);
using IntFromFloat = int64_t (*)(double);
using IntFromInt = int64_t (*)(int64_t, unsigned width);
FloatFromInt getFloatFromInt(llvm::StringRef op, mlir::Type to);
IntFromFloat getIntFromFloat(llvm::StringRef op, mlir::Type from);
IntFromInt getIntFromInt(llvm::StringRef op);

} // namespace brisk

#endif // BRISK_LIB_DIALECT_ELEMENTFUNCTIONS_H
