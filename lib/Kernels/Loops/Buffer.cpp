//===- Buffer.cpp - Tensors that loops read and write ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffer.h"
#include "brisk/Dialect/Elements.h"

using namespace mlir;
using namespace brisk;

Value Buffer::load(KernelBuilder &b, ValueRange at) const {
  if (compute)
    return compute(b, at);
  if (memref)
    return b.load(getElement(), memref, at, /*lanes=*/0);
  if (getSplatElement(constant))
    return b.splat(constant, /*lanes=*/0);
  return b.load(getElement(), b.table(constant), at, /*lanes=*/0);
}
