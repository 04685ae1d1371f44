//===- Places.cpp - When buffers are live, and which share a place
//---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Buffers.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace brisk;

std::unique_ptr<KernelMatch> brisk::matchIfFits(GroupView &view) {
  ScheduleAttr schedule = view.getGroup().getScheduleAttr();
  const Kernel *kernel =
      schedule ? findKernel(schedule.getKernelName()) : nullptr;
  return kernel ? kernel->match(view) : nullptr;
}

SmallVector<InPlace> brisk::findInPlace(GroupOp group, KernelMatch &match) {
  SmallVector<InPlace> pairs;
  for (auto [o, out] : llvm::enumerate(group.getOuts())) {
    auto outAlloc = out.getDefiningOp<memref::AllocOp>();
    if (!outAlloc || outAlloc->getBlock() != group->getBlock())
      continue;
    for (auto [i, in] : llvm::enumerate(group.getIns())) {
      auto inAlloc = in.getDefiningOp<memref::AllocOp>();
      // What a branch or a choice gives may be any buffer.
      auto mayBeView = [&](Value operand) {
        Value buffer = getBuffer(operand);
        return buffer == in || isa_and_nonnull<scf::IfOp, arith::SelectOp>(
                                   buffer.getDefiningOp());
      };
      if (inAlloc && inAlloc.getType() == outAlloc.getType() &&
          inAlloc->getBlock() == outAlloc->getBlock() &&
          llvm::count_if(group->getOperands(), mayBeView) == 1 &&
          match.canRunInPlace(i, o))
        pairs.push_back({inAlloc, outAlloc});
    }
  }
  return pairs;
}

namespace {
class PlaceFinder {
public:
  PlaceFinder(const Isa &machine, unsigned alignment)
      : machine(machine), alignment(alignment) {}

  FailureOr<Places> find(func::FuncOp function);

private:
  /// Numbers ops in program order; an op with regions covers its content.
  void number(Region &region);
  /// The first op of `block` at which `value` or a view of it is used.
  int64_t findFirstUse(Value value, Block *block);
  /// The last op at which `value` or a view of it is used.
  int64_t findLastUse(Value value);
  LogicalResult add(memref::AllocOp alloc);
  /// Asks the kernel of a group for its scratch and for what it may run in
  /// place.
  void match(GroupOp group);
  /// Lets a result of a group take the place of an input, where that dies in
  /// it.
  void share(GroupOp group, InPlace pair);

  const Isa &machine;
  unsigned alignment;
  Places places;
  DenseMap<Operation *, int64_t> begin, end;
  DenseMap<Operation *, unsigned> placeOf;
  int64_t clock = 0;
};
} // namespace

void PlaceFinder::number(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      places.begun[clock] = &op;
      begin[&op] = clock++;
      if (!isa<GroupOp>(op))
        for (Region &inner : op.getRegions())
          number(inner);
      end[&op] = clock++;
    }
}

/// True if the results of `op` may be views of its operands.
static bool givesViews(Operation *op) {
  return isa<ViewLikeOpInterface, memref::ReinterpretCastOp, arith::SelectOp>(
      op);
}

int64_t PlaceFinder::findFirstUse(Value value, Block *block) {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (Operation *user : value.getUsers()) {
    if (!givesViews(user))
      first = std::min(first, begin[block->findAncestorOpInBlock(*user)]);
    for (Value result : givesViews(user) ? user->getResults() : ValueRange())
      first = std::min(first, findFirstUse(result, block));
  }
  return first;
}

int64_t PlaceFinder::findLastUse(Value value) {
  int64_t last = -1;
  for (Operation *user : value.getUsers()) {
    last = std::max(last, end[user]);
    if (givesViews(user))
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

LogicalResult PlaceFinder::add(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !findElementType(type.getElementType()))
    return alloc.emitOpError("has no static size");
  auto bytes = static_cast<int64_t>(getByteSize(type));
  // Each fits into memory, and so must all of them: their number is free.
  constexpr int64_t mostBytes = int64_t(1) << 52;
  if ((places.totalBytes += bytes) > mostBytes)
    return alloc.emitError(
        "the intermediate tensors are larger than any memory");
  // An allocation is live from its first use on, not from where it stands.
  int64_t last = std::max(findLastUse(alloc.getResult()), end[alloc]);
  int64_t first = std::min(last, findFirstUse(alloc, alloc->getBlock()));
  placeOf[alloc] = places.list.size();
  places.list.push_back({first,
                         last,
                         static_cast<int64_t>(llvm::alignTo(bytes, alignment)),
                         {alloc}});
  return success();
}

void PlaceFinder::share(GroupOp group, InPlace pair) {
  Place &source = places.list[placeOf[pair.in]];
  Place &target = places.list[placeOf[pair.out]];
  // The life of one ends here, and that of the other begins here, alone.
  if (&source == &target || source.last != end[group] ||
      target.allocs.size() != 1 || target.first != begin[group])
    return;
  source.last = std::max(source.last, target.last);
  placeOf[pair.out] = placeOf[pair.in];
  source.allocs.push_back(pair.out);
  target.allocs.clear();
}

void PlaceFinder::match(GroupOp group) {
  GroupView view(group, machine);
  std::unique_ptr<KernelMatch> match = matchIfFits(view);
  if (!match)
    return;
  if (int64_t bytes = match->getScratch(group.getScheduleAttr()))
    places.scratch.push_back({group, bytes});
  for (InPlace pair : findInPlace(group, *match))
    share(group, pair);
}

FailureOr<Places> PlaceFinder::find(func::FuncOp function) {
  number(function.getBody());
  WalkResult walk = function.walk([&](memref::AllocOp alloc) {
    return failed(add(alloc)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  function.walk([&](GroupOp group) { match(group); });
  llvm::erase_if(places.list,
                 [](const Place &place) { return place.allocs.empty(); });
  return std::move(places);
}

FailureOr<Places> brisk::findPlaces(func::FuncOp function, const Isa &machine,
                                    unsigned alignment) {
  return PlaceFinder(machine, alignment).find(function);
}

ArenaLayout brisk::layOut(const Places &places) {
  std::vector<Lifetime> lifetimes;
  for (const Place &place : places.list)
    lifetimes.push_back({place.first, place.last, place.bytes});
  return layOutArena(lifetimes);
}
