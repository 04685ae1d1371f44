//===- OrderGroups.cpp - An order of groups that takes less memory --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/StepOrder.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <functional>
#include <optional>

namespace brisk {
#define GEN_PASS_DEF_ORDERGROUPS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// Whether an op only makes a value, wherever it stands.
static bool isFree(Operation *op) {
  return isa<memref::AllocOp>(op) || isMemoryEffectFree(op);
}

/// Whether two buffers are parts of one that have no element in common.
static bool areApart(Value a, Value b) {
  auto one = a.getDefiningOp<memref::SubViewOp>();
  auto other = b.getDefiningOp<memref::SubViewOp>();
  if (!one || !other || one.getSource() != other.getSource())
    return false;
  auto isStatic = [](memref::SubViewOp part) {
    return part.getOffsets().empty() && part.getSizes().empty() &&
           part.hasUnitStride();
  };
  if (!isStatic(one) || !isStatic(other))
    return false;
  auto endsBefore = [](memref::SubViewOp a, memref::SubViewOp b, size_t dim) {
    return a.getStaticOffset(dim) + a.getStaticSize(dim) <=
           b.getStaticOffset(dim);
  };
  return llvm::any_of(
      llvm::seq<size_t>(0, one.getSourceType().getRank()), [&](size_t dim) {
        return endsBefore(one, other, dim) || endsBefore(other, one, dim);
      });
}

/// Calls `visit` with each op of the block that makes an operand of `op`, or of
/// an op inside of it.
static void forSources(Operation *op,
                       llvm::function_ref<void(Operation *)> visit) {
  auto ofOne = [&](Operation *user) {
    for (Value operand : user->getOperands())
      if (Operation *source = operand.getDefiningOp())
        if (source->getBlock() == op->getBlock() && source != op)
          visit(source);
  };
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    ofOne(op);
  else
    op->walk(ofOne);
}

namespace {
using StepSet = llvm::SmallSetVector<unsigned, 8>;

/// The steps of a block and their buffers.
class GraphBuilder {
public:
  GraphBuilder(Block &block, const Isa &machine)
      : block(block), machine(machine) {}

  /// `places` are those of the block's function.
  StepGraph build(const Places &places, unsigned alignment);
  ArrayRef<Operation *> getSteps() const { return steps; }

private:
  /// What touched a buffer so far: steps, and the parts of it.
  struct Accesses {
    SmallVector<std::pair<unsigned, Value>> reads, writes;
  };
  using Buffer = void *; // leads the values that may be one buffer, or views

  Buffer getBuffer(Value value) {
    return same.getOrInsertLeaderValue(value.getAsOpaquePointer());
  }
  /// Makes one of values that may be the same buffer, or views of one.
  void unite(Operation *op);
  void addBuffers(unsigned alignment);
  void addStep(Operation *op, StepSet after);
  /// Puts the step that is added behind those that wrote what it touches or
  /// read what it writes. Fails if nobody knows what that is.
  LogicalResult addAccesses(Operation *op, StepSet &after);
  void addInPlace(GroupOp group);

  Block &block;
  const Isa &machine;
  StepGraph graph;
  SmallVector<Operation *> steps;
  llvm::EquivalenceClasses<Buffer> same;
  DenseMap<Buffer, unsigned> numberOf;
  DenseMap<Buffer, Accesses> accesses;
  /// The last step that nothing passes.
  std::optional<unsigned> barrier;
};
} // namespace

void GraphBuilder::unite(Operation *op) {
  SmallVector<Value> values;
  auto add = [&](ValueRange range) {
    llvm::copy_if(range, std::back_inserter(values), [](Value value) {
      return isa<BaseMemRefType>(value.getType());
    });
  };
  add(op->getResults());
  if (values.empty())
    return;
  // An op that gives a buffer, and is no allocation, gives one that it has.
  add(op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &inner : region)
      add(inner.getTerminator()->getOperands());
  for (Value value : values)
    same.unionSets(values.front().getAsOpaquePointer(),
                   value.getAsOpaquePointer());
}

void GraphBuilder::addBuffers(unsigned alignment) {
  block.walk<WalkOrder::PreOrder>([&](Operation *op) {
    unite(op);
    return isa<GroupOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    auto [it, isNew] =
        numberOf.try_emplace(getBuffer(alloc), graph.bytes.size());
    if (isNew)
      graph.bytes.push_back(0);
    graph.bytes[it->second] += static_cast<int64_t>(
        llvm::alignTo(getByteSize(alloc.getType()), alignment));
  }
}

LogicalResult GraphBuilder::addAccesses(Operation *op, StepSet &after) {
  auto effects = getEffectsRecursively(op);
  if (!effects)
    return failure();
  unsigned number = graph.steps.size() - 1;
  StepSet buffers;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    Value part = effect.getValue();
    if (!part)
      return failure();
    Buffer buffer = getBuffer(part);
    if (auto it = numberOf.find(buffer); it != numberOf.end())
      buffers.insert(it->second);
    Accesses &others = accesses[buffer];
    auto follow = [&](ArrayRef<std::pair<unsigned, Value>> accesses) {
      for (auto [step, other] : accesses)
        if (step != number && !areApart(part, other))
          after.insert(step);
    };
    follow(others.writes);
    if (isa<MemoryEffects::Read>(effect.getEffect())) {
      others.reads.push_back({number, part});
      continue;
    }
    follow(others.reads);
    others.writes.push_back({number, part});
  }
  graph.steps.back().buffers.assign(buffers.begin(), buffers.end());
  return success();
}

void GraphBuilder::addInPlace(GroupOp group) {
  GroupView view(group, machine);
  std::unique_ptr<KernelMatch> match = matchIfFits(view);
  if (!match)
    return;
  for (InPlace pair : findInPlace(group, *match)) {
    unsigned in = numberOf.lookup(getBuffer(pair.in));
    unsigned out = numberOf.lookup(getBuffer(pair.out));
    if (in != out && graph.bytes[in] == graph.bytes[out])
      graph.steps.back().inPlace.push_back({in, out});
  }
}

void GraphBuilder::addStep(Operation *op, StepSet after) {
  unsigned number = graph.steps.size();
  graph.steps.emplace_back();
  steps.push_back(op);
  if (barrier)
    after.insert(*barrier);
  if (failed(addAccesses(op, after))) {
    for (unsigned other = barrier.value_or(0); other < number; ++other)
      after.insert(other);
    barrier = number;
  }
  if (auto group = dyn_cast<GroupOp>(op))
    addInPlace(group);
  graph.steps.back().after.assign(after.begin(), after.end());
}

StepGraph GraphBuilder::build(const Places &places, unsigned alignment) {
  addBuffers(alignment);
  // Of values: the steps that they come from.
  DenseMap<Operation *, StepSet> sources;
  for (Operation &op : block.without_terminator()) {
    StepSet after;
    forSources(&op, [&](Operation *source) {
      if (auto it = sources.find(source); it != sources.end())
        after.insert_range(it->second);
    });
    if (!isFree(&op)) {
      addStep(&op, std::move(after));
      sources[&op].insert(graph.steps.size() - 1);
    } else if (!after.empty()) {
      sources[&op] = std::move(after);
    }
  }
  // What lies in a branch takes its bytes while that runs.
  DenseMap<Operation *, std::vector<Lifetime>> inner;
  for (const Place &place : places.list) {
    memref::AllocOp alloc = place.allocs.front();
    if (alloc->getBlock() != &block)
      inner[block.findAncestorOpInBlock(*alloc)].push_back(
          {place.first, place.last, place.bytes});
  }
  for (auto [step, op] : llvm::zip_equal(graph.steps, steps))
    if (auto it = inner.find(op); it != inner.end())
      step.bytes = layOutArena(it->second).size;
  return std::move(graph);
}

/// All ops of the block but its terminator, with `steps` in their order and
/// what is free right before its first user.
static std::vector<Operation *> arrange(Block &block,
                                        ArrayRef<Operation *> steps) {
  llvm::SetVector<Operation *, std::vector<Operation *>> arranged;
  std::function<void(Operation *)> add = [&](Operation *op) {
    if (arranged.contains(op))
      return;
    forSources(op, add);
    arranged.insert(op);
  };
  llvm::for_each(steps, add);
  for (Operation &op : block.without_terminator())
    add(&op);
  return arranged.takeVector();
}

static void moveOps(Block &block, ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->moveBefore(block.getTerminator());
}

namespace {
struct OrderGroups : brisk::impl::OrderGroupsBase<OrderGroups> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    const Target *target = getTarget(function);
    if (!target || failed(checkStaticShapes(function)))
      return signalPassFailure();
    unsigned alignment = target->platform.alignment;
    FailureOr<Places> places = findPlaces(function, target->isa, alignment);
    if (failed(places))
      return signalPassFailure();
    Block &block = function.getBody().front();
    GraphBuilder builder(block, target->isa);
    std::vector<unsigned> order = orderSteps(builder.build(*places, alignment));
    if (llvm::is_sorted(order))
      return;
    auto steps = llvm::map_to_vector(
        order, [&](unsigned step) { return builder.getSteps()[step]; });
    auto before = llvm::map_to_vector(block.without_terminator(),
                                      [](Operation &op) { return &op; });
    moveOps(block, arrange(block, steps));
    // What is live at once is not all that counts: places have to fit as well.
    FailureOr<Places> ordered = findPlaces(function, target->isa, alignment);
    assert(succeeded(ordered) && "the buffers are the same");
    if (layOut(*ordered).size >= layOut(*places).size)
      moveOps(block, before);
  }
};
} // namespace
