//===- NpzFileTest.cpp - NumPy's .npz archives ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/NpzFile.h"

#include "TensorTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace brisk::execution;
using testing::HasSubstr;

// numpy.savez_compressed(a=numpy.arange(4, dtype=numpy.float32),
//                        b=numpy.uint8(7))
constexpr const char *compressed = R"(
504b030414000000080000002100523313fb4e0000009000000005001400612e6e707901001000
90000000000000004e000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e93
66a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a263a9a3a0a
b50a14002e063068b007120e40e40000504b030414000000080000002100760e13894300000081
00000005001400622e6e707901001000810000000000000043000000000000009bec17ea1b10c9
c850c650ad9e925a9c5ca46ea5a05e536aa8aea3a09e965f54529498179f5f94920a12774bcc29
4e058a17672416a402f91a9a3a0ab50a14012e7600504b01021403140000000800000021005233
13fb4e00000090000000050000000000000000000000800100000000612e6e7079504b01021403
14000000080000002100760e138943000000810000000500000000000000000000008001850000
00622e6e7079504b0506000000000200020066000000ff0000000000)";

// numpy.savez(x=numpy.int8([1, -1]))
constexpr const char *stored = R"(
504b0304140000000000000021006fabf465820000008200000005001400782e6e707901001000
82000000000000008200000000000000934e554d5059010076007b276465736372273a20277c69
31272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a202832
2c292c207d20202020202020202020202020202020202020202020202020202020202020202020
20202020202020202020202020202020202020202020202020200a01ff504b0102140314000000
0000000021006fabf4658200000082000000050000000000000000000000800100000000782e6e
7079504b0506000000000100010033000000b90000000000)";

static std::string fromHexText(llvm::StringRef text) {
  std::string digits;
  for (char c : text)
    if (llvm::isHexDigit(c))
      digits += c;
  return llvm::fromHex(digits);
}

static std::string reasonOf(llvm::StringRef content) {
  auto result = parseNpz(content);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(NpzFileTest, ReadsDeflatedArrays) {
  auto arrays = parseNpz(fromHexText(compressed));
  ASSERT_TRUE(static_cast<bool>(arrays));
  ASSERT_EQ(arrays->size(), 2u);
  EXPECT_EQ((*arrays)[0].name, "a");
  EXPECT_EQ(elements<float>(std::move((*arrays)[0].tensor)),
            (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ((*arrays)[1].name, "b");
  EXPECT_EQ(elements<uint8_t>(std::move((*arrays)[1].tensor)),
            std::vector<uint8_t>{7});
}

TEST(NpzFileTest, ReadsStoredArrays) {
  auto arrays = parseNpz(fromHexText(stored));
  ASSERT_TRUE(static_cast<bool>(arrays));
  ASSERT_EQ(arrays->size(), 1u);
  EXPECT_EQ(elements<int8_t>(std::move((*arrays)[0].tensor)),
            (std::vector<int8_t>{1, -1}));
}

TEST(NpzFileTest, RefusesOtherFiles) {
  EXPECT_THAT(reasonOf(""), HasSubstr("no ZIP archive"));
  EXPECT_THAT(reasonOf("\x93NUMPY"), HasSubstr("no ZIP archive"));
}

// Every prefix, and every byte changed: an error or an array, never a crash.
TEST(NpzFileTest, SurvivesDamage) {
  for (const char *text : {compressed, stored}) {
    std::string whole = fromHexText(text);
    for (size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(reasonOf(llvm::StringRef(whole).take_front(size)), "");
    for (size_t i = 0; i < whole.size(); ++i)
      for (unsigned char flip : {0x01, 0x80, 0xff}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        reasonOf(changed);
      }
  }
}

TEST(NpzFileTest, ChecksSums) {
  std::string content = fromHexText(stored);
  content[content.find("'descr'") - 9] ^= 1; // within the array's bytes
  EXPECT_THAT(reasonOf(content), HasSubstr("array 'x'"));
}
