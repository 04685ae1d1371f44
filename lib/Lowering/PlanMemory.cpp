//===- PlanMemory.cpp - Offsets in the arena ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Lowering/ArenaLayout.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Target/ModuleTarget.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace brisk {
#define GEN_PASS_DEF_PLANMEMORY
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// Buffers that share one place in the arena.
struct Place {
  int64_t first, last; // first and last op at which it is live
  int64_t bytes;
  int64_t offset = -1;
  SmallVector<memref::AllocOp> allocs;
};

class Planner {
public:
  Planner(func::FuncOp function, const Isa &machine, unsigned alignment)
      : function(function), machine(machine), alignment(alignment) {}

  /// Finds the buffers, shares what can be shared, and gives offsets. Returns
  /// the arena's size.
  FailureOr<int64_t> plan();
  /// The bytes behind those of the arena that each worker has for itself.
  int64_t getWorkerBytes() const;
  /// Replaces the allocations by views of `arena`, and gives groups the scratch
  /// memory that they want, which begins at `size`.
  void apply(Value arena, int64_t size);
  int64_t getTotalBytes() const { return total; }
  /// What takes most of the arena when most of it is live.
  ArrayAttr getPeak();

private:
  /// Numbers ops in program order; an op with regions covers its content.
  void number(Region &region);
  /// The first op of `block` at which `value` or a view of it is used.
  int64_t findFirstUse(Value value, Block *block);
  /// The last op at which `value` or a view of it is used.
  int64_t findLastUse(Value value);
  /// Asks the kernel of each group for its scratch and for what it may run in
  /// place.
  void matchGroups();
  /// Lets results of a group take the place of inputs that die in it.
  void shareInPlace(GroupOp group, KernelMatch &match);

  func::FuncOp function;
  const Isa &machine;
  unsigned alignment;
  DenseMap<Operation *, int64_t> begin, end;
  DenseMap<int64_t, Operation *> begun; // the inverse of begin
  std::vector<Place> places;
  DenseMap<Operation *, unsigned> placeOf;
  SmallVector<std::pair<GroupOp, int64_t>>
      scratch; // bytes, where there are some
  int64_t clock = 0;
  int64_t total = 0;
};
} // namespace

void Planner::number(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      begun[clock] = &op;
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

int64_t Planner::findFirstUse(Value value, Block *block) {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (Operation *user : value.getUsers()) {
    if (!givesViews(user))
      first = std::min(first, begin[block->findAncestorOpInBlock(*user)]);
    for (Value result : givesViews(user) ? user->getResults() : ValueRange())
      first = std::min(first, findFirstUse(result, block));
  }
  return first;
}

int64_t Planner::findLastUse(Value value) {
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

FailureOr<int64_t> Planner::plan() {
  number(function.getBody());
  WalkResult walk = function.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !findElementType(type.getElementType())) {
      alloc.emitOpError("has no static size");
      return WalkResult::interrupt();
    }
    auto bytes = static_cast<int64_t>(getByteSize(type));
    int64_t last = findLastUse(alloc.getResult());
    placeOf[alloc] = places.size();
    places.push_back({begin[alloc],
                      std::max(last, end[alloc]),
                      static_cast<int64_t>(llvm::alignTo(bytes, alignment)),
                      -1,
                      {alloc}});
    // Each fits into memory, and so must all of them: their number is free.
    constexpr int64_t mostBytes = int64_t(1) << 52;
    if ((total += bytes) > mostBytes) {
      alloc.emitError("the intermediate tensors are larger than any memory");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();

  // An allocation is live from its first use on, not from where it stands.
  for (Place &place : places) {
    memref::AllocOp alloc = place.allocs.front();
    place.first = std::min(place.last, findFirstUse(alloc, alloc->getBlock()));
  }
  matchGroups();

  std::vector<Lifetime> lifetimes;
  SmallVector<Place *> kept;
  for (Place &place : places) {
    if (place.allocs.empty())
      continue;
    kept.push_back(&place);
    lifetimes.push_back({place.first, place.last, place.bytes});
  }
  ArenaLayout layout = layOutArena(lifetimes);
  for (auto [place, offset] : llvm::zip_equal(kept, layout.offsets))
    place->offset = offset;
  return layout.size;
}

void Planner::matchGroups() {
  function.walk([&](GroupOp group) {
    ScheduleAttr schedule = group.getScheduleAttr();
    const Kernel *kernel =
        schedule ? findKernel(schedule.getKernelName()) : nullptr;
    GroupView view(group, machine);
    // What does not match is outline-kernels' to refuse.
    std::unique_ptr<KernelMatch> match = kernel ? kernel->match(view) : nullptr;
    if (!match)
      return;
    if (int64_t bytes = match->getScratch(schedule))
      scratch.push_back({group, bytes});
    shareInPlace(group, *match);
  });
}

int64_t Planner::getWorkerBytes() const {
  int64_t most = 0;
  for (auto [group, bytes] : scratch)
    most = std::max(most, bytes);
  return llvm::alignTo(most, alignment);
}

void Planner::shareInPlace(GroupOp group, KernelMatch &match) {
  for (auto [o, out] : llvm::enumerate(group.getOuts())) {
    auto outAlloc = out.getDefiningOp<memref::AllocOp>();
    if (!outAlloc)
      continue;
    Place &target = places[placeOf[outAlloc]];
    // Its life must begin here, alone.
    if (target.allocs.size() != 1 || target.first != begin[group])
      continue;
    for (auto [i, in] : llvm::enumerate(group.getIns())) {
      auto inAlloc = in.getDefiningOp<memref::AllocOp>();
      // What a branch or a choice gives may be any buffer.
      auto mayBeView = [&](Value operand) {
        Value buffer = getBuffer(operand);
        return buffer == in || isa_and_nonnull<scf::IfOp, arith::SelectOp>(
                                   buffer.getDefiningOp());
      };
      if (!inAlloc || inAlloc.getType() != outAlloc.getType() ||
          llvm::count_if(group->getOperands(), mayBeView) != 1)
        continue;
      unsigned index = placeOf[inAlloc];
      Place &source = places[index];
      if (&source == &target || source.last != end[group] ||
          inAlloc->getBlock() != outAlloc->getBlock() ||
          group->getBlock() != outAlloc->getBlock() ||
          !match.canRunInPlace(i, o))
        continue;
      source.last = std::max(source.last, target.last);
      for (memref::AllocOp alloc : target.allocs) {
        placeOf[alloc] = index;
        source.allocs.push_back(alloc);
      }
      target.allocs.clear();
      break;
    }
  }
}

ArrayAttr Planner::getPeak() {
  SmallVector<std::pair<int64_t, int64_t>> changes; // when, by how much
  for (const Place &place : places)
    if (!place.allocs.empty()) {
      changes.push_back({place.first, place.bytes});
      changes.push_back({place.last + 1, -place.bytes});
    }
  llvm::sort(changes);
  int64_t bytes = 0, most = 0, when = -1;
  for (auto [time, change] : changes)
    if ((bytes += change) > most) {
      most = bytes;
      when = time;
    }
  SmallVector<Place *> peak;
  for (Place &place : places)
    if (!place.allocs.empty() && place.first <= when && place.last >= when)
      peak.push_back(&place);
  llvm::sort(peak, [](const Place *a, const Place *b) {
    return std::tie(b->bytes, a->first) < std::tie(a->bytes, b->first);
  });
  // Attributes are printed, and what is printed holds no path.
  AttrTypeReplacer names;
  names.addReplacement([](FileLineColRange loc) -> Attribute {
    return UnknownLoc::get(loc.getContext());
  });
  Builder b(function.getContext());
  SmallVector<Attribute> largest;
  constexpr size_t named = 3;
  for (Place *place : ArrayRef(peak).take_front(named)) {
    Operation *writer = begun.lookup(place->first);
    if (auto group = dyn_cast_or_null<GroupOp>(writer))
      if (Operation *anchor = group.getAnchor())
        writer = anchor;
    LocationAttr loc = writer ? writer->getLoc() : function.getLoc();
    largest.push_back(BufferAttr::get(b.getContext(), place->bytes,
                                      cast<LocationAttr>(names.replace(loc))));
  }
  return b.getArrayAttr(largest);
}

void Planner::apply(Value arena, int64_t size) {
  OpBuilder b(function.getContext());
  for (auto [group, bytes] : scratch) {
    if (group.getScratch())
      continue;
    b.setInsertionPoint(group);
    Value offset = arith::ConstantIndexOp::create(b, group.getLoc(), size);
    group.getScratchMutable().assign(memref::ViewOp::create(
        b, group.getLoc(), MemRefType::get({bytes}, b.getI8Type()), arena,
        offset, ValueRange()));
  }
  for (Place &place : places)
    for (memref::AllocOp alloc : place.allocs) {
      b.setInsertionPoint(alloc);
      Value offset =
          arith::ConstantIndexOp::create(b, alloc.getLoc(), place.offset);
      Value view = memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(),
                                          arena, offset, ValueRange());
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
}

namespace {
struct PlanMemory : brisk::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    const Target *target = getTarget(function);
    if (!target || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    Planner planner(function, target->isa, target->platform.alignment);
    FailureOr<int64_t> size = planner.plan();
    if (failed(size))
      return signalPassFailure();
    int64_t workerBytes = planner.getWorkerBytes();
    OpBuilder b(&getContext());
    auto arenaType = MemRefType::get({*size + workerBytes}, b.getI8Type());
    Value arena = addModelArgument(function, arenaType);
    function->setAttr(
        BriskDialect::memoryAttrName,
        MemoryAttr::get(&getContext(), *size, workerBytes, planner.getPeak()));
    planner.apply(arena, *size);
    arenaBytes = *size;
    totalBytes = planner.getTotalBytes();
  }
};
} // namespace
