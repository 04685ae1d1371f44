//===- LayoutChoice.h - The choice of a block's layouts ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_LAYOUTCHOICE_H
#define BRISK_LIB_TRANSFORMS_LAYOUTCHOICE_H

#include "LayoutGraph.h"

namespace brisk {

/// Chooses the side of every node such that the fewest bytes are transposed;
/// how many fewer than when every op stays as it is.
int64_t chooseLayouts(LayoutGraph &graph);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_LAYOUTCHOICE_H
