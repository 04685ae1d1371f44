//===- Channels.cpp - What ops keep apart, and what they scale ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Channels.h"
#include "brisk/Dialect/Builders.h"

using namespace mlir;
using namespace brisk;

SmallVector<int64_t> brisk::keepDims(Operation *op, unsigned number,
                                     function_ref<bool(int64_t)> isMixed) {
  ArrayRef<int64_t> from = getShape(op->getOperand(number)),
                    to = getShape(op->getResult(0));
  int64_t lacking =
      static_cast<int64_t>(to.size()) - static_cast<int64_t>(from.size());
  SmallVector<int64_t> kept(from.size(), -1);
  for (auto [i, dim] : llvm::enumerate(kept))
    if (int64_t at = lacking + static_cast<int64_t>(i);
        at >= 0 && from[i] == to[at] && !(isMixed && isMixed(at)))
      dim = at;
  return kept;
}

SmallVector<int64_t> brisk::keepOuterDims(Operation *op, unsigned number) {
  int64_t last = static_cast<int64_t>(getShape(op->getResult(0)).size()) - 1;
  return keepDims(op, number,
                  [&](int64_t dim) { return dim != 0 && dim != last; });
}
