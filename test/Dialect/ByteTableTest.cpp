//===- ByteTableTest.cpp - Elementwise ops on bytes as tables -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ByteTable.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace brisk;

namespace {
class ByteTableTest : public testing::Test {
protected:
  ByteTableTest() { context.loadDialect<BriskDialect, func::FuncDialect>(); }

  // The table of what a function of these arguments returns.
  std::optional<ByteTable> find(const std::string &arguments,
                                const std::string &body,
                                const std::string &result = "tensor<2x3xui8>") {
    std::string text = "func.func @f(" + arguments + ") -> " + result + " {" +
                       constants + body + "\nreturn %y : " + result + " }";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return std::nullopt;
    function = *module->getOps<func::FuncOp>().begin();
    return findByteTable(
        function.getBody().front().getTerminator()->getOperand(0));
  }

  static float dequantize(int x, float scale, int zero) {
    return static_cast<float>(x - zero) * scale;
  }
  static int quantize(float x, float scale, int zero) {
    float rounded = std::nearbyint(x / scale) + static_cast<float>(zero);
    return static_cast<int>(std::fmin(std::fmax(rounded, 0), 255));
  }
  static int at(const ByteTable &table, int place) {
    return static_cast<unsigned char>(table.entries.at(place));
  }

  // 0.1 and 1/256 as f32.
  static constexpr float scale = 0.1f, fine = 0.00390625f;
  const std::string constants = R"(
    %s = brisk.constant dense<0.1> : tensor<f32>
    %t = brisk.constant dense<0.00390625> : tensor<f32>
    %z = brisk.constant dense<100> : tensor<ui8>
  )";
  const std::string bytes = "%x: tensor<2x3xui8>";
  const std::string dequantized = R"(
    %f = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  )";

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};
} // namespace

TEST_F(ByteTableTest, OneFunction) {
  auto table = find(bytes, dequantized + R"(
    %g = brisk.sigmoid %f : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = brisk.quantize %g scale %t {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  )");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->input, function.getArgument(0));
  EXPECT_FALSE(table->isExact);
  EXPECT_GT(table->flops, 20);
  for (int x = 0; x < 256; ++x) {
    double exact = 1 / (1 + std::exp(-dequantize(x, scale, 100)));
    EXPECT_EQ(at(*table, x), quantize(exact, fine, 0)) << x;
  }
}

TEST_F(ByteTableTest, SeesThroughBytesInBetween) {
  auto table = find(bytes, dequantized + R"(
    %zero = brisk.constant dense<0.0> : tensor<f32>
    %g = brisk.max %f, %zero : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %q = brisk.quantize %g scale %t {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
    %d = brisk.dequantize %q scale %t {to = f32} : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
    %p = brisk.mul %f, %d : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = brisk.quantize %p scale %s zero %z {to = ui8} : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  )");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->input, function.getArgument(0));
  EXPECT_TRUE(table->isExact);
  for (int x = 0; x < 256; ++x) {
    float value = dequantize(x, scale, 100);
    float inner = dequantize(quantize(std::fmax(value, 0), fine, 0), fine, 0);
    EXPECT_EQ(at(*table, x), quantize(value * inner, scale, 100)) << x;
  }
}

TEST_F(ByteTableTest, SignedBytesAreLookedUpByTheirBits) {
  auto table = find("%x: tensor<2x3xi8>", R"(
    %f = brisk.dequantize %x scale %s {to = f32} : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
    %g = brisk.neg %f : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = brisk.quantize %g scale %s {to = i8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi8>
  )",
                    "tensor<2x3xi8>");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->entries[1], -1);
  EXPECT_EQ(table->entries[255], 1);
  EXPECT_EQ(table->entries[128], 127); // of -128
}

TEST_F(ByteTableTest, NoneOfSeveralValues) {
  EXPECT_FALSE(find(bytes + ", %w: tensor<2x3xui8>", R"(
    %y = brisk.max %x, %w : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
  )"));
  // A scale for each channel.
  EXPECT_FALSE(find(bytes, R"(
    %c = brisk.constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
    %f = brisk.dequantize %x scale %c {to = f32} : (tensor<2x3xui8>, tensor<3xf32>) -> tensor<2x3xf32>
    %y = brisk.quantize %f scale %s {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  )"));
}

TEST_F(ByteTableTest, NoneOfWhatIsNotElementwiseOnBytes) {
  EXPECT_FALSE(find("%x: tensor<2x3xf32>", R"(
    %y = brisk.quantize %x scale %s {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  )"));
  EXPECT_FALSE(find(bytes, dequantized + R"(
    %g = brisk.softmax %f {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = brisk.quantize %g scale %s {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  )"));
  // What is broadcast.
  EXPECT_FALSE(find("%x: tensor<3xui8>, %w: tensor<2x3xui8>", R"(
    %m = brisk.max %x, %w : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    %n = brisk.sub %m, %m : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    %y = brisk.min %n, %x : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  )"));
}
