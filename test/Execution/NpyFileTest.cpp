//===- NpyFileTest.cpp - NumPy's .npy files -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/NpyFile.h"

#include "TensorTesting.h"
#include "gmock/gmock.h"

#include <cstring>

using namespace brisk::execution;
using testing::ElementsAre;
using testing::HasSubstr;

static std::string file(const std::string &dictionary, const std::string &data,
                        int version = 1) {
  std::string text("\x93NUMPY", 6);
  text += char(version);
  text += '\0';
  text += char(dictionary.size() & 255);
  text += char(dictionary.size() >> 8);
  if (version > 1)
    text += std::string(2, '\0');
  return text + dictionary + data;
}

static std::string dictionary(const char *descr, const char *shape,
                              const char *fortran = "False") {
  return std::string("{'descr': '") + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

static std::string written(const TensorView &view) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeNpy(out, view);
  return text;
}

TEST(NpyFile, ReadsAllVersions) {
  for (int version : {1, 2, 3})
    EXPECT_THAT(elements<uint8_t>(parseNpy(
                    file(dictionary("|u1", "(3,)"), "\1\2\3", version))),
                ElementsAre(1, 2, 3));
}

TEST(NpyFile, ReadsWhateverPythonWrites) {
  EXPECT_THAT(elements<uint8_t>(
                  parseNpy(file("{\"shape\":(2L,1),\"fortran_order\":False, "
                                "\"descr\" : \"|u1\"}   ",
                                "\7\x08"))),
              ElementsAre(7, 8));
}

TEST(NpyFile, SwapsBytes) {
  EXPECT_THAT(elements<uint16_t>(parseNpy(
                  file(dictionary(">u2", "(2,)"), std::string("\1\2\0\3", 4)))),
              ElementsAre(0x102, 3));
  EXPECT_THAT(elements<uint16_t>(parseNpy(
                  file(dictionary("<u2", "(2,)"), std::string("\1\2\0\3", 4)))),
              ElementsAre(0x201, 0x300));
}

TEST(NpyFile, ReordersFortranArrays) {
  // a[i][j][k] = 100i + 10j + k of shape (2, 3, 2), first index fastest.
  std::string data;
  for (int k : {0, 1})
    for (int j : {0, 1, 2})
      for (int i : {0, 1})
        data += char(100 * i + 10 * j + k);
  EXPECT_THAT(elements<uint8_t>(
                  parseNpy(file(dictionary("|u1", "(2, 3, 2)", "True"), data))),
              ElementsAre(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121));
  EXPECT_THAT(elements<uint8_t>(
                  parseNpy(file(dictionary("|u1", "(0, 3)", "True"), ""))),
              ElementsAre());
}

TEST(NpyFile, RoundTripsEveryType) {
  for (uint32_t dtype : allTypes)
    for (const std::vector<int64_t> &dims :
         {std::vector<int64_t>{}, {5}, {2, 3}, {2, 0, 4}}) {
      auto tensor = Tensor::create(dtype, dims);
      ASSERT_TRUE(bool(tensor));
      for (uint64_t i = 0; i < tensor->data.size(); ++i)
        tensor->data.data()[i] = char(i * 37 + 1);
      std::string text = written(tensor->view());
      EXPECT_EQ((text.size() - tensor->data.size()) % 64, 0u);
      auto back = parseNpy(text);
      ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
      EXPECT_EQ(back->dtype, dtype);
      EXPECT_EQ(back->dims, tensor->dims);
      EXPECT_EQ(std::memcmp(back->data.data(), tensor->data.data(),
                            tensor->data.size()),
                0);
    }
}

TEST(NpyFile, SaysWhatIsWrong) {
  auto refusal = [](const std::string &text) { return reason(parseNpy(text)); };
  EXPECT_THAT(refusal(""), HasSubstr("no NumPy array file"));
  EXPECT_THAT(refusal("PK\3\4 an archive"), HasSubstr("no NumPy array file"));
  std::string good = file(dictionary("<f4", "(2,)"), "12345678");
  EXPECT_EQ(refusal(good), "");
  for (size_t size = 8; size < good.size(); ++size)
    EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  EXPECT_THAT(refusal(good.substr(0, good.size() - 1)),
              HasSubstr("promises 8 bytes of data, found 7"));
  EXPECT_THAT(refusal(good + "x"), HasSubstr("1 bytes after its array"));
  // No memory is taken for what is not there.
  EXPECT_THAT(refusal(file(dictionary("<f4", "(4294967296, 1024)"), "1234")),
              HasSubstr("promises 17592186044416 bytes of data, found 4"));
  EXPECT_THAT(refusal(file(dictionary("<f4", "(2,)"), "", 4)),
              HasSubstr("version is 4.0"));
  EXPECT_THAT(refusal(file(dictionary("<c8", "(1,)"), "12345678")),
              HasSubstr("of type '<c8'"));
  EXPECT_THAT(refusal(file(dictionary("|O", "(1,)"), "12345678")),
              HasSubstr("of type '|O'"));
  EXPECT_THAT(refusal(file("{'descr': [('a', '<f4')], 'fortran_order': False, "
                           "'shape': (1,)}",
                           "1234")),
              HasSubstr("structured"));
  EXPECT_THAT(refusal(file("{'shape': (1,)}", "1234")), HasSubstr("lacks"));
  EXPECT_THAT(refusal(file(dictionary("<f4", "(-1,)"), "")),
              HasSubstr("expected a dimension"));
  EXPECT_THAT(refusal(file(dictionary("<f4", "(4294967296, 4294967296)"), "")),
              HasSubstr("too large"));
  EXPECT_THAT(
      refusal(file(dictionary("<f4", "(0, 4294967296, 4294967296)"), "")),
      HasSubstr("too large"));
  EXPECT_THAT(refusal(file("{'descr': '<f4", "")), HasSubstr("malformed"));
  EXPECT_THAT(refusal(file("no dictionary", "")), HasSubstr("malformed"));
}
