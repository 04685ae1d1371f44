//===- ByteTable.h - Elementwise ops on bytes as tables ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops that make bytes of bytes, by what they give for each of the
// 256.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BYTETABLE_H
#define BRISK_DIALECT_BYTETABLE_H

#include "mlir/IR/Value.h"

#include <array>
#include <optional>

namespace brisk {

struct ByteTable {
  /// The bytes that are looked up, a tensor of the result's shape.
  mlir::Value input;
  /// What becomes of each byte, by its bits without a sign.
  std::array<char, 256> entries;
  /// What the ops in between cost for an element, in floating point operations.
  double flops;
  /// Whether IEEE 754 says what they give. Other functions are polynomials in
  /// code, which machines round in other ways, and those of the C library in
  /// the table.
  bool isExact;
};

/// The table by which `value`, a tensor of bytes, follows from other bytes, the
/// first that it does; none if it follows from several values, or from others
/// than bytes, by something else than elementwise ops and single constants.
std::optional<ByteTable> findByteTable(mlir::Value value);

} // namespace brisk

#endif // BRISK_DIALECT_BYTETABLE_H
