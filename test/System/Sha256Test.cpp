//===- Sha256Test.cpp - Tests of SHA-256 ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Sha256.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace brisk;

namespace {

TEST(Sha256, HashesTheExampleOfTheStandard) {
  for (bool fast : {false, Sha256::isFast()}) {
    Sha256 hash(fast);
    hash.update({'a', 'b', 'c'});
    EXPECT_EQ(llvm::toHex(hash.final(), /*LowerCase=*/true),
              "ba7816bf8f01cfea414140de5dae2223"
              "b00361a396177a9cb410ff61f20015ad");
  }
}

TEST(Sha256, IsThatOfLlvmHoweverTheBytesAreCut) {
  std::vector<uint8_t> data(1000);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = (i * i) >> 3;
  for (size_t size = 0; size < 300; ++size)
    for (size_t cut : {size_t(0), size / 3, size - size / 64, size}) {
      Sha256 hash;
      auto bytes = llvm::ArrayRef(data).take_front(size);
      hash.update(bytes.take_front(cut));
      hash.update(bytes.drop_front(cut));
      EXPECT_EQ(hash.final(), llvm::SHA256::hash(bytes)) << size << " " << cut;
    }
  Sha256 hash;
  for (size_t begin = 0, size = 0; begin < data.size(); begin += size++)
    hash.update(llvm::ArrayRef(data).slice(begin).take_front(size));
  EXPECT_EQ(hash.final(), llvm::SHA256::hash(data));
}

} // namespace
