//===- Sha256.cpp - SHA-256 at the speed of the machine -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/TargetParser/Host.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace llvm;
using namespace brisk;

static constexpr size_t blockBytes = 64;

#ifdef __x86_64__
bool Sha256::isFast() {
  static const bool fast = [] {
    auto features = sys::getHostCPUFeatures();
    return features.lookup("sha") && features.lookup("ssse3");
  }();
  return fast;
}

/// K of FIPS 180-4, section 4.2.2.
alignas(16) static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Adds whole blocks: section 6.2.2, four rounds at a time.
__attribute__((target("sha,ssse3"))) static void
addBlocks(uint32_t *state, ArrayRef<uint8_t> blocks) {
  auto *stored = reinterpret_cast<__m128i *>(state);
  __m128i abef = _mm_loadu_si128(stored), cdgh = _mm_loadu_si128(stored + 1);
  const __m128i bigEndian =
      _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto *constants = reinterpret_cast<const __m128i *>(roundConstants);
  for (; !blocks.empty(); blocks = blocks.drop_front(blockBytes)) {
    __m128i words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(blocks.data()) + i),
          bigEndian);
    __m128i oldAbef = abef, oldCdgh = cdgh;
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; ++i) {
      __m128i &word = words[i % 4];
      __m128i sum = _mm_add_epi32(word, constants[i]);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      // The word of four rounds later.
      __m128i last = words[(i + 3) % 4];
      word = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(word, words[(i + 1) % 4]),
                        _mm_alignr_epi8(last, words[(i + 2) % 4], 4)),
          last);
    }
    abef = _mm_add_epi32(abef, oldAbef);
    cdgh = _mm_add_epi32(cdgh, oldCdgh);
  }
  _mm_storeu_si128(stored, abef);
  _mm_storeu_si128(stored + 1, cdgh);
}
#else
bool Sha256::isFast() { return false; }
static void addBlocks(uint32_t *, ArrayRef<uint8_t>) {}
#endif

void Sha256::update(ArrayRef<uint8_t> data) {
  if (!fast)
    return portable.update(data);
  bytes += data.size();
  if (!rest.empty()) {
    auto head = data.take_front(blockBytes - rest.size());
    append_range(rest, head);
    data = data.drop_front(head.size());
    if (rest.size() < blockBytes)
      return;
    addBlocks(state, rest);
  }
  auto blocks = data.drop_back(data.size() % blockBytes);
  addBlocks(state, blocks);
  rest.assign(data.begin() + blocks.size(), data.end());
}

std::array<uint8_t, 32> Sha256::final() {
  if (!fast)
    return portable.final();
  // A one, zeros up to a whole block, and the number of bits (section 5.1.1).
  rest.push_back(0x80);
  rest.append(offsetToAlignment(rest.size() + 8, Align(blockBytes)), 0);
  rest.append(8, 0);
  support::endian::write64be(rest.end() - 8, bytes * 8);
  addBlocks(state, rest);
  std::array<uint8_t, 32> digest;
  constexpr unsigned places[] = {3, 2, 7, 6, 1, 0, 5, 4}; // of A to H
  for (auto [i, place] : enumerate(places))
    support::endian::write32be(&digest[4 * i], state[place]);
  return digest;
}
