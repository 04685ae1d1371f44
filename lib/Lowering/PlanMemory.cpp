//===- PlanMemory.cpp - Offsets in the arena --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Lowering/ArenaLayout.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/Plan.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace brisk {
#define GEN_PASS_DEF_PLANMEMORY
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// Buffers that share one place.
struct Block {
  int64_t first, last; // first and last op at which it is live
  int64_t bytes;
  int64_t offset = -1;
  SmallVector<memref::AllocOp> allocs;
};

class Planner {
public:
  Planner(func::FuncOp function, unsigned alignment)
      : function(function), alignment(alignment) {}

  /// Finds the buffers, shares what can be shared, and gives offsets. Returns
  /// the arena's size.
  FailureOr<int64_t> plan();
  /// Replaces the allocations by views of `arena`.
  void apply(Value arena);
  int64_t getTotalBytes() const { return total; }

private:
  /// Numbers ops in program order; an op with regions covers its content.
  void number(Region &region);
  /// The last op at which `value` or a view of it is used.
  int64_t findLastUse(Value value);
  void shareInPlace();

  func::FuncOp function;
  unsigned alignment;
  DenseMap<Operation *, int64_t> begin, end;
  std::vector<Block> blocks;
  DenseMap<Operation *, unsigned> blockOf;
  int64_t clock = 0;
  int64_t total = 0;
};
} // namespace

void Planner::number(Region &region) {
  for (mlir::Block &block : region)
    for (Operation &op : block) {
      begin[&op] = clock++;
      if (!isa<GroupOp>(op))
        for (Region &inner : op.getRegions())
          number(inner);
      end[&op] = clock++;
    }
}

int64_t Planner::findLastUse(Value value) {
  int64_t last = -1;
  for (Operation *user : value.getUsers()) {
    last = std::max(last, end[user]);
    if (isa<ViewLikeOpInterface, memref::ReinterpretCastOp, arith::SelectOp>(
            user))
      for (Value result : user->getResults())
        last = std::max(last, findLastUse(result));
    // What a branch yields lives on as the branch's result.
    if (isa<scf::YieldOp>(user)) {
      for (auto [operand, result] : llvm::zip_equal(
               user->getOperands(), user->getParentOp()->getResults()))
        if (operand == value)
          last = std::max(last, findLastUse(result));
    }
  }
  return last;
}

FailureOr<int64_t> Planner::plan() {
  number(function.getBody());
  WalkResult walk = function.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity()) {
      alloc.emitOpError("has no static size");
      return WalkResult::interrupt();
    }
    int64_t bytes =
        type.getNumElements() * getElementBytes(type.getElementType());
    int64_t last = findLastUse(alloc.getResult());
    blockOf[alloc] = blocks.size();
    blocks.push_back({begin[alloc],
                      std::max(last, end[alloc]),
                      static_cast<int64_t>(llvm::alignTo(bytes, alignment)),
                      -1,
                      {alloc}});
    total += bytes;
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();

  // An allocation is live from its first use on, not from where it stands.
  for (Block &block : blocks) {
    int64_t first = block.last;
    for (Operation *user : block.allocs.front()->getUsers())
      if (user->getBlock() == block.allocs.front()->getBlock() &&
          !isa<ViewLikeOpInterface>(user))
        first = std::min(first, begin[user]);
      else
        first = std::min(first, block.first);
    block.first = first;
  }
  shareInPlace();

  std::vector<Lifetime> lifetimes;
  SmallVector<Block *> kept;
  for (Block &block : blocks) {
    if (block.allocs.empty())
      continue;
    kept.push_back(&block);
    lifetimes.push_back({block.first, block.last, block.bytes});
  }
  ArenaLayout layout = layOutArena(lifetimes);
  for (auto [block, offset] : llvm::zip_equal(kept, layout.offsets))
    block->offset = offset;
  return layout.size;
}

/// The allocation or argument that `buffer` is a view of.
static Value getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

void Planner::shareInPlace() {
  // A group's result takes the place of an input that dies in the group.
  SmallVector<GroupOp> groups;
  function.walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups) {
    const Kernel *kernel =
        group.getScheduleAttr()
            ? findKernel(group.getScheduleAttr().getKernel().getValue())
            : nullptr;
    if (!kernel)
      continue;
    for (auto [o, out] : llvm::enumerate(group.getOuts())) {
      auto outAlloc = out.getDefiningOp<memref::AllocOp>();
      if (!outAlloc)
        continue;
      Block &target = blocks[blockOf[outAlloc]];
      // Its life must begin here, alone.
      if (target.allocs.size() != 1 || target.first != begin[group])
        continue;
      for (auto [i, in] : llvm::enumerate(group.getIns())) {
        auto inAlloc = in.getDefiningOp<memref::AllocOp>();
        auto isRoot = [&](Value operand) { return getRoot(operand) == in; };
        if (!inAlloc || inAlloc.getType() != outAlloc.getType() ||
            llvm::count_if(group->getOperands(), isRoot) != 1)
          continue;
        unsigned index = blockOf[inAlloc];
        Block &source = blocks[index];
        if (&source == &target || source.last != end[group] ||
            inAlloc->getBlock() != outAlloc->getBlock() ||
            group->getBlock() != outAlloc->getBlock() ||
            !kernel->canRunInPlace(group, i, o))
          continue;
        source.last = std::max(source.last, target.last);
        for (memref::AllocOp alloc : target.allocs) {
          blockOf[alloc] = index;
          source.allocs.push_back(alloc);
        }
        target.allocs.clear();
        break;
      }
    }
  }
}

void Planner::apply(Value arena) {
  OpBuilder b(function.getContext());
  for (Block &block : blocks)
    for (memref::AllocOp alloc : block.allocs) {
      b.setInsertionPoint(alloc);
      Value offset =
          arith::ConstantIndexOp::create(b, alloc.getLoc(), block.offset);
      Value view = memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(),
                                          arena, offset, ValueRange());
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
}

namespace {
struct PlanMemory : brisk::impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    const Target *machine = findPassTarget(function, target);
    if (!machine || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    Planner planner(function, machine->getCodegenInfo().alignment);
    FailureOr<int64_t> size = planner.plan();
    if (failed(size))
      return signalPassFailure();
    OpBuilder b(&getContext());
    mlir::Block &block = function.getBody().front();
    Value arena = block.addArgument(MemRefType::get({*size}, b.getI8Type()),
                                    function.getLoc());
    function.setFunctionType(
        FunctionType::get(b.getContext(), block.getArgumentTypes(), {}));
    function->setAttr(arenaBytesAttrName, b.getI64IntegerAttr(*size));
    planner.apply(arena);
    arenaBytes = *size;
    totalBytes = planner.getTotalBytes();
  }
};
} // namespace
