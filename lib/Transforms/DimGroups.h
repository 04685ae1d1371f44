//===- DimGroups.h - Dimensions that a reshape keeps together ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_DIMGROUPS_H
#define BRISK_LIB_TRANSFORMS_DIMGROUPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace brisk {

/// Dimensions [fromBegin, fromEnd) of one shape that hold the same elements as
/// [toBegin, toEnd) of another.
struct DimGroup {
  size_t fromBegin, fromEnd, toBegin, toEnd;
};

/// The smallest groups of a reshape from `from` to `to`, in order; none if
/// there is a dimension of 0.
std::optional<llvm::SmallVector<DimGroup>>
getDimGroups(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_DIMGROUPS_H
