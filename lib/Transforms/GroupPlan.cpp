//===- GroupPlan.cpp - Which ops go into which group ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupPlan.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

// What keeps a kernel's code and its registers within bounds.
static constexpr size_t maxOps = 32;
static constexpr size_t maxInputs = 8;
namespace {
class Planner {
public:
  explicit Planner(Block &block) : block(block) {}

  SmallVector<PlannedGroup> run() {
    for (Operation &op : llvm::reverse(block))
      if (needsKernel(&op) && !isa<ElementwiseOpInterface>(op))
        addAnchored(&op);
    for (PlannedGroup &group : groups)
      addPrologue(group);
    for (Operation &op : llvm::reverse(block))
      if (isFreeElementwise(&op))
        addElementwise(&op);
    for (PlannedGroup &group : groups)
      sort(group);
    return std::move(groups);
  }

private:
  bool isFreeElementwise(Operation *op) const {
    return op && op->getBlock() == &block && isa<ElementwiseOpInterface>(op) &&
           !taken.contains(op);
  }

  void sort(PlannedGroup &group) {
    SmallVector<Operation *> ops(group.ops.takeVector());
    llvm::sort(
        ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    group.ops.insert(ops.begin(), ops.end());
  }

  void add(PlannedGroup &group, Operation *op) {
    group.ops.insert(op);
    taken.insert(op);
  }

  /// The first op, in program order, outside the group that uses it.
  Operation *getNextUser(const PlannedGroup &group) {
    Operation *next = nullptr;
    for (Operation *op : group.ops)
      for (Operation *user : op->getUsers()) {
        user = block.findAncestorOpInBlock(*user);
        if (!group.contains(user) && (!next || user->isBeforeInBlock(next)))
          next = user;
      }
    return next;
  }

  /// True if no op but `op` is used outside the group.
  static bool isOnlyResult(const PlannedGroup &group, Operation *op) {
    return llvm::all_of(group.ops, [&](Operation *other) {
      return other == op ||
             llvm::all_of(other->getUsers(), [&](Operation *user) {
               return group.contains(user);
             });
    });
  }

  static unsigned getBytes(Value value) {
    return getElementBytes(getElementTypeOrSelf(value));
  }

  /// True if the anchor's kernels store what follows it in any element type:
  /// sums of narrower elements, and what is computed row by row. Those of other
  /// ops may read their results back.
  static bool mayNarrow(Operation *anchor) {
    if (isa<WeightedOpInterface>(anchor))
      return getBytes(anchor->getOperand(1)) < getBytes(anchor->getResult(0));
    auto compute = dyn_cast<ComputeOpInterface>(anchor);
    return compute && compute.fusesProducers();
  }

  /// True if `op` only rounds what the group without it results in: stored
  /// beside that, it need not be read again.
  static bool roundsResult(const PlannedGroup &group, size_t accepted,
                           Operation *op) {
    return isa<CastOp>(op) && group.ops.size() == accepted + 1 &&
           op->getOperand(0) == group.ops[accepted - 1]->getResult(0) &&
           getBytes(op->getResult(0)) < getBytes(op->getOperand(0));
  }

  /// True if nobody computes the result of `op` in registers, from less than it
  /// takes in memory: it is a result of the block, or its readers read memory.
  bool isStoredAnyway(Operation *op) const {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      if (user->getBlock() != &block)
        return false;
      auto compute = dyn_cast<ComputeOpInterface>(user);
      if (!compute)
        return user->hasTrait<OpTrait::IsTerminator>();
      if (!needsKernel(user))
        return isStoredAnyway(user);
      return !isa<ElementwiseOpInterface>(user) && !compute.fusesProducers();
    });
  }

  /// An anchor and the elementwise ops after it, up to what takes the least
  /// memory, which is what has to be stored anyway. Groups run where their last
  /// op stands, so operands computed between the two are at hand.
  void addAnchored(Operation *anchor) {
    PlannedGroup group;
    group.anchor = anchor;
    group.ops.insert(anchor);
    size_t accepted = 1;
    if (anchor->getNumResults() == 1) {
      auto type = cast<RankedTensorType>(anchor->getResult(0).getType());
      unsigned least = getBytes(anchor->getResult(0));
      bool narrows = mayNarrow(anchor);
      while (group.ops.size() < maxOps) {
        Operation *next = getNextUser(group);
        if (!isFreeElementwise(next) ||
            getShape(next->getResult(0)) != type.getShape())
          break;
        group.ops.insert(next);
        unsigned bytes = getBytes(next->getResult(0));
        bool fits =
            getElementTypeOrSelf(next->getResult(0)) == type.getElementType() ||
            (narrows && (bytes <= least || isStoredAnyway(next)));
        if (fits && (isOnlyResult(group, next) ||
                     (narrows && roundsResult(group, accepted, next)))) {
          least = bytes;
          accepted = group.ops.size();
        }
      }
    }
    while (group.ops.size() > accepted)
      group.ops.pop_back();
    taken.insert(group.ops.begin(), group.ops.end());
    addWideners(group);
    groups.push_back(std::move(group));
  }

  /// True if an op's result takes more memory than each of its operands.
  static bool widens(Operation *op) {
    unsigned bytes = getBytes(op->getResult(0));
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      ElementsAttr constant = getConstant(operand);
      return (constant && getSplatElement(constant)) ||
             getBytes(operand) < bytes;
    });
  }

  /// Elementwise ops that only the group uses and that would take more memory
  /// apart.
  void addWideners(PlannedGroup &group) {
    for (Operation *op :
         SmallVector<Operation *>(group.ops.getArrayRef().drop_front()))
      for (Value value : op->getOperands()) {
        Operation *widener = value.getDefiningOp();
        if (group.ops.size() < maxOps && isFreeElementwise(widener) &&
            getShape(value) == getShape(group.anchor->getResult(0)) &&
            widens(widener) &&
            llvm::all_of(widener->getUsers(),
                         [&](Operation *user) { return group.contains(user); }))
          add(group, widener);
      }
  }

  /// The elementwise ops before an anchor that reads its operand row by row.
  void addPrologue(PlannedGroup &group) {
    auto anchor = dyn_cast_or_null<ComputeOpInterface>(group.anchor);
    if (!anchor || !anchor.fusesProducers())
      return;
    Value operand = group.anchor->getOperand(0);
    if (llvm::is_contained(group.anchor->getOperands().drop_front(), operand))
      return;
    SmallVector<Operation *> before = {group.anchor};
    for (size_t i = 0; i < before.size() && before.size() < maxOps; ++i) {
      for (Value value :
           i ? ValueRange(before[i]->getOperands()) : ValueRange(operand)) {
        Operation *op = value.getDefiningOp();
        if (!isFreeElementwise(op) || getShape(value) != getShape(operand) ||
            !llvm::all_of(op->getUsers(), [&](Operation *user) {
              return llvm::is_contained(before, user);
            }))
          continue;
        before.push_back(op);
        add(group, op);
      }
    }
  }

  /// `root` with the elementwise ops of its shape that lead to it. What they
  /// compute may be used after the root too.
  void addElementwise(Operation *root) {
    PlannedGroup group;
    add(group, root);
    llvm::SmallSetVector<Value, 8> inputs;
    auto addInputs = [&](Operation *op) {
      for (Value value : op->getOperands()) {
        ElementsAttr constant = getConstant(value);
        if (!constant || !constant.isSplat())
          inputs.insert(value);
      }
    };
    addInputs(root);
    for (bool changed = true; changed;) {
      changed = false;
      for (Value value : SmallVector<Value>(inputs.getArrayRef())) {
        Operation *op = value.getDefiningOp();
        if (group.ops.size() >= maxOps || !isFreeElementwise(op) ||
            getShape(value) != getShape(root->getResult(0)) ||
            !isUsedFrom(op, group, root))
          continue;
        auto saved = inputs;
        inputs.remove(value);
        addInputs(op);
        if (inputs.size() > maxInputs && inputs.size() > saved.size()) {
          inputs = std::move(saved);
          continue;
        }
        add(group, op);
        changed = true;
      }
    }
    groups.push_back(std::move(group));
  }

  /// True if every use of `op` is in the group or after `root`.
  bool isUsedFrom(Operation *op, const PlannedGroup &group, Operation *root) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return group.contains(user) ||
             root->isBeforeInBlock(block.findAncestorOpInBlock(*user));
    });
  }

  Block &block;
  SmallVector<PlannedGroup> groups;
  DenseSet<Operation *> taken;
};
} // namespace

SmallVector<PlannedGroup> brisk::planGroups(Block &block) {
  return Planner(block).run();
}
