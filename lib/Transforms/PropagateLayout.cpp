//===- PropagateLayout.cpp - Moves, merges and cancels transposes ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"

namespace brisk {
#define GEN_PASS_DEF_PROPAGATELAYOUT
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

// Each round finds what the one before brought together.
static constexpr int maxRounds = 4;

namespace {
struct PropagateLayout : brisk::impl::PropagateLayoutBase<PropagateLayout> {
  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    SmallVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<GroupOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      for (int round = 0; round < maxRounds; ++round) {
        LayoutGraph graph(*block);
        int64_t saved = chooseLayouts(graph);
        applyLayouts(graph);
        if (saved == 0)
          break;
      }
  }
};
} // namespace
