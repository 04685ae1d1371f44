//===- KernelTable.cpp - The table of kernel families --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

ArrayRef<const Kernel *> brisk::getKernels() {
  static const Kernel *const kernels[] = {
      &getElementwiseKernel(),
  };
  return kernels;
}

const Kernel *brisk::findKernel(StringRef name) {
  for (const Kernel *kernel : getKernels())
    if (kernel->getName() == name)
      return kernel;
  return nullptr;
}

static uint64_t countElements(Type type) {
  return cast<ShapedType>(type).getNumElements();
}

uint64_t brisk::countFlops(GroupOp group) {
  uint64_t flops = 0;
  for (Operation &op : group.getBlock()->without_terminator())
    if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op))
      flops += elementwise.getElementCost() *
               countElements(op.getResult(0).getType());
  return flops;
}

uint64_t brisk::countBytes(GroupOp group) {
  uint64_t bytes = 0;
  for (Value value : llvm::concat<Value>(llvm::to_vector(group.getIns()),
                                         llvm::to_vector(group.getOuts()))) {
    auto type = cast<ShapedType>(value.getType());
    bytes += type.getNumElements() * getElementBytes(type.getElementType());
  }
  return bytes;
}
