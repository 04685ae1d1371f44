//===- ProductType.cpp - What products are computed from ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Transforms/ProductType.h"
#include "llvm/Support/ErrorHandling.h"

using namespace brisk;

llvm::StringRef brisk::getName(ProductType type) {
  switch (type) {
  case ProductType::F32:
    return "f32";
  case ProductType::F16:
    return "f16";
  case ProductType::BF16:
    return "bf16";
  }
  llvm_unreachable("all types have names");
}

llvm::cl::ValuesClass brisk::getProductTypes() {
  auto value = [](ProductType type, llvm::StringRef help) {
    return llvm::cl::OptionEnumValue{getName(type), static_cast<int>(type),
                                     help};
  };
  return llvm::cl::values(
      value(ProductType::F32, "products of f32"),
      value(ProductType::F16, "products of f16 that are summed up in f32"),
      value(ProductType::BF16, "products of bf16 that are summed up in f32"));
}
