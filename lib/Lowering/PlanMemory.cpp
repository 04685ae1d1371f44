//===- PlanMemory.cpp - Offsets in the arena ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Target/ModuleTarget.h"
#include "llvm/Support/MathExtras.h"

namespace brisk {
#define GEN_PASS_DEF_PLANMEMORY
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// What takes most of the arena when most of it is live.
static ArrayAttr getPeak(func::FuncOp function, const Places &places) {
  SmallVector<std::pair<int64_t, int64_t>> changes; // when, by how much
  for (const Place &place : places.list) {
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
  SmallVector<const Place *> peak;
  for (const Place &place : places.list)
    if (place.first <= when && place.last >= when)
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
  for (const Place *place : ArrayRef(peak).take_front(named)) {
    Operation *writer = places.begun.lookup(place->first);
    if (auto group = dyn_cast_or_null<GroupOp>(writer))
      if (Operation *anchor = group.getAnchor())
        writer = anchor;
    LocationAttr loc = writer ? writer->getLoc() : function.getLoc();
    largest.push_back(BufferAttr::get(b.getContext(), place->bytes,
                                      cast<LocationAttr>(names.replace(loc))));
  }
  return b.getArrayAttr(largest);
}

/// Replaces the allocations by views of `arena`, and gives groups the scratch
/// memory that they want, which begins behind the layout.
static void apply(func::FuncOp function, const Places &places,
                  const ArenaLayout &layout, Value arena) {
  OpBuilder b(function.getContext());
  for (auto [group, bytes] : places.scratch) {
    if (group.getScratch())
      continue;
    b.setInsertionPoint(group);
    Value offset =
        arith::ConstantIndexOp::create(b, group.getLoc(), layout.size);
    group.getScratchMutable().assign(memref::ViewOp::create(
        b, group.getLoc(), MemRefType::get({bytes}, b.getI8Type()), arena,
        offset, ValueRange()));
  }
  for (auto [place, at] : llvm::zip_equal(places.list, layout.offsets))
    for (memref::AllocOp alloc : place.allocs) {
      b.setInsertionPoint(alloc);
      Value offset = arith::ConstantIndexOp::create(b, alloc.getLoc(), at);
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
    unsigned alignment = target->platform.alignment;
    FailureOr<Places> places = findPlaces(function, target->isa, alignment);
    if (failed(places))
      return signalPassFailure();
    ArenaLayout layout = layOut(*places);
    // The bytes behind the arena that each worker has for itself.
    int64_t workerBytes = 0;
    for (auto [group, bytes] : places->scratch)
      workerBytes = std::max(workerBytes, bytes);
    workerBytes = llvm::alignTo(workerBytes, alignment);
    OpBuilder b(&getContext());
    auto arenaType =
        MemRefType::get({layout.size + workerBytes}, b.getI8Type());
    Value arena = addModelArgument(function, arenaType);
    function->setAttr(BriskDialect::memoryAttrName,
                      MemoryAttr::get(&getContext(), layout.size, workerBytes,
                                      getPeak(function, *places)));
    apply(function, *places, layout, arena);
    arenaBytes = layout.size;
    totalBytes = places->totalBytes;
  }
};
} // namespace
