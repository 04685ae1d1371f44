//===- LayoutRewriter.h - A block in the layouts chosen ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_LAYOUTREWRITER_H
#define BRISK_LIB_TRANSFORMS_LAYOUTREWRITER_H

#include "LayoutGraph.h"

namespace brisk {

/// Rewrites the graph's block such that every op runs in the order of the side
/// that is chosen for it. The graph says nothing of the block after that.
void applyLayouts(LayoutGraph &graph);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_LAYOUTREWRITER_H
