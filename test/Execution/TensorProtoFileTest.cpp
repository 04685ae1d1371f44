//===- TensorProtoFileTest.cpp - ONNX TensorProto files -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/TensorProtoFile.h"

#include "TensorTesting.h"
#include "gmock/gmock.h"

#include <cstring>

using namespace brisk::execution;
using testing::ElementsAre;
using testing::HasSubstr;

/// A TensorProto field by field: dims is 1, data_type 2, float_data 4,
/// int32_data 5, int64_data 7, name 8, raw_data 9, double_data 10, uint64_data
/// 11, data_location 14. All numbers here fit into one byte.
static std::string bytesField(int field, const std::string &bytes) {
  return std::string{char(field << 3 | 2), char(bytes.size())} + bytes;
}

static std::string numberField(int field, int value) {
  return {char(field << 3), char(value)};
}

static std::string proto(int dtype, int dim, const std::string &fields) {
  return numberField(1, dim) + numberField(2, dtype) + fields;
}

TEST(TensorProtoFile, ReadsRawData) {
  EXPECT_THAT(elements<uint16_t>(parseTensorProto(
                  proto(BRISK_U16, 2, bytesField(9, {"\1\0\2\1", 4})))),
              ElementsAre(1, 0x102));
}

TEST(TensorProtoFile, ReadsTypedFields) {
  std::string one("\0\0\x80\x3f", 4);
  EXPECT_THAT(elements<float>(
                  parseTensorProto(proto(BRISK_F32, 1, bytesField(4, one)))),
              ElementsAre(1.0f));
  std::string three("\1\2\3");
  EXPECT_THAT(elements<int8_t>(
                  parseTensorProto(proto(BRISK_I8, 3, bytesField(5, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<uint16_t>(
                  parseTensorProto(proto(BRISK_F16, 3, bytesField(5, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<int32_t>(
                  parseTensorProto(proto(BRISK_I32, 3, bytesField(5, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<int64_t>(
                  parseTensorProto(proto(BRISK_I64, 3, bytesField(7, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<uint32_t>(
                  parseTensorProto(proto(BRISK_U32, 3, bytesField(11, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<uint64_t>(
                  parseTensorProto(proto(BRISK_U64, 3, bytesField(11, three)))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(elements<double>(parseTensorProto(proto(
                  BRISK_F64, 1, bytesField(10, {"\0\0\0\0\0\0\xf0\x3f", 8})))),
              ElementsAre(1.0));
}

TEST(TensorProtoFile, RoundTripsEveryType) {
  for (uint32_t dtype : allTypes)
    for (const std::vector<int64_t> &dims :
         {std::vector<int64_t>{}, {5}, {2, 3}, {2, 0, 4}}) {
      auto tensor = Tensor::create(dtype, dims);
      ASSERT_TRUE(bool(tensor));
      for (uint64_t i = 0; i < tensor->data.size(); ++i)
        tensor->data.data()[i] = char(i * 37 + 1);
      std::string text;
      llvm::raw_string_ostream out(text);
      ASSERT_FALSE(bool(writeTensorProto(out, "x", tensor->view())));
      auto back = parseTensorProto(text);
      ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
      EXPECT_EQ(back->dtype, dtype);
      EXPECT_EQ(back->dims, tensor->dims);
      EXPECT_EQ(std::memcmp(back->data.data(), tensor->data.data(),
                            tensor->data.size()),
                0);
    }
}

TEST(TensorProtoFile, SaysWhatIsWrong) {
  auto refusal = [](const std::string &text) {
    return reason(parseTensorProto(text));
  };
  EXPECT_THAT(refusal(""), HasSubstr("no ONNX TensorProto"));
  EXPECT_THAT(refusal("garbage"), HasSubstr("no ONNX TensorProto"));
  EXPECT_THAT(refusal(proto(8, 1, bytesField(6, "text"))),
              HasSubstr("of type STRING"));
  EXPECT_THAT(refusal(proto(99, 1, "")), HasSubstr("element type is 99"));
  // A dimension of 2^42.
  EXPECT_THAT(
      refusal(numberField(2, BRISK_F32) + "\x08\x80\x80\x80\x80\x80\x80\x01"),
      HasSubstr("has 4398046511104 elements, more than it has bytes"));
  EXPECT_THAT(refusal(proto(BRISK_F32, 2, bytesField(9, "1234"))),
              HasSubstr("needs 8 bytes of data, found 4"));
  EXPECT_THAT(refusal(proto(BRISK_I8, 2, bytesField(5, "\1"))),
              HasSubstr("has 2 elements, its int32_data has 1"));
  EXPECT_THAT(refusal(proto(BRISK_F32, 2, numberField(14, 1))),
              HasSubstr("another file"));
}
