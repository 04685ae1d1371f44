//===- DimGroups.cpp - Dimensions that a reshape keeps together -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimGroups.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace brisk;

std::optional<SmallVector<DimGroup>> brisk::getDimGroups(ArrayRef<int64_t> from,
                                                         ArrayRef<int64_t> to) {
  if (llvm::is_contained(from, 0))
    return std::nullopt;
  SmallVector<DimGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    DimGroup group{i, i, j, j};
    int64_t a = i < from.size() ? from[i++] : 1;
    int64_t b = j < to.size() ? to[j++] : 1;
    while (a != b) {
      if (a < b && i < from.size())
        a *= from[i++];
      else if (b < a && j < to.size())
        b *= to[j++];
      else
        return std::nullopt;
    }
    group.fromEnd = i;
    group.toEnd = j;
    groups.push_back(group);
  }
  return groups;
}
