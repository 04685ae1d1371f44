//===- FormGroups.cpp - Puts ops into groups --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace brisk {
#define GEN_PASS_DEF_FORMGROUPS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

// What keeps a kernel's code and its registers within bounds.
static constexpr size_t maxOps = 32;
static constexpr size_t maxInputs = 8;

/// True for ops that need no kernel: constants, control flow, and what the plan
/// stage makes of the places of buffers.
static bool isStructural(Operation *op) {
  if (!isa<BriskDialect>(op->getDialect()))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ConstantOp, IfOp, YieldOp, GroupOp, ReshapeOp, ConcatOp>(
          [](auto) { return true; })
      .Case([](SliceOp slice) {
        auto ranges = slice.getSlices();
        return ranges && llvm::all_of(*ranges, [](const SliceRange &range) {
                 return range.step == 1;
               });
      })
      .Case([](PadOp pad) {
        auto padding = pad.getPadding();
        return pad.getMode() == PadMode::Constant && padding &&
               llvm::all_of(*padding, [](auto pair) {
                 return pair.first >= 0 && pair.second >= 0;
               });
      })
      .Default([](Operation *) { return false; });
}

/// True if the operand says what the op does rather than being data.
static bool isParameter(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  if (isa<ElementwiseOpInterface>(op))
    return false;
  if (isa<ReduceOp, CumsumOp, SliceOp, PadOp, TileOp, ExpandOp, ReshapeOp,
          SqueezeOp, UnsqueezeOp, SplitOp, TopKOp, TriluOp, ResizeOp>(op))
    return number > 0;
  if (isa<RangeOp, FillOp>(op))
    return true;
  return isa<OneHotOp>(op) && number == 1;
}

namespace {
/// The ops of a group in program order. Without an anchor, all are elementwise.
struct Group {
  llvm::SetVector<Operation *> ops;
  Operation *anchor = nullptr;

  bool contains(Operation *op) const { return ops.contains(op); }
};

/// Divides the ops of a block among groups.
class Planner {
public:
  explicit Planner(Block &block) : block(block) {}

  SmallVector<Group> run() {
    for (Operation &op : llvm::reverse(block))
      if (!isStructural(&op) && !isa<ElementwiseOpInterface>(op))
        addAnchored(&op);
    for (Group &group : groups)
      addPrologue(group);
    for (Operation &op : llvm::reverse(block))
      if (isFreeElementwise(&op))
        addElementwise(&op);
    for (Group &group : groups)
      sort(group);
    return std::move(groups);
  }

private:
  bool isFreeElementwise(Operation *op) const {
    return op && op->getBlock() == &block && isa<ElementwiseOpInterface>(op) &&
           !taken.contains(op);
  }

  void sort(Group &group) {
    SmallVector<Operation *> ops(group.ops.takeVector());
    llvm::sort(
        ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    group.ops.insert(ops.begin(), ops.end());
  }

  void add(Group &group, Operation *op) {
    group.ops.insert(op);
    taken.insert(op);
  }

  /// The first op, in program order, outside the group that uses it.
  Operation *getNextUser(const Group &group) {
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
  static bool isOnlyResult(const Group &group, Operation *op) {
    return llvm::all_of(group.ops, [&](Operation *other) {
      return other == op ||
             llvm::all_of(other->getUsers(), [&](Operation *user) {
               return group.contains(user);
             });
    });
  }

  /// An anchor and the elementwise ops after it. Groups run where their last op
  /// stands, so operands computed between the two are at hand.
  void addAnchored(Operation *anchor) {
    Group group;
    group.anchor = anchor;
    group.ops.insert(anchor);
    size_t accepted = 1;
    if (anchor->getNumResults() == 1) {
      auto type = cast<RankedTensorType>(anchor->getResult(0).getType());
      while (group.ops.size() < maxOps) {
        Operation *next = getNextUser(group);
        if (!isFreeElementwise(next) ||
            getShape(next->getResult(0)) != type.getShape())
          break;
        group.ops.insert(next);
        if (next->getResult(0).getType() == type && isOnlyResult(group, next))
          accepted = group.ops.size();
      }
    }
    while (group.ops.size() > accepted)
      group.ops.pop_back();
    taken.insert(group.ops.begin(), group.ops.end());
    groups.push_back(std::move(group));
  }

  /// The elementwise ops before an anchor that reads its operand row by row.
  void addPrologue(Group &group) {
    if (!isa_and_nonnull<ReduceOp, SoftmaxOp, LayerNormOp, RmsNormOp>(
            group.anchor))
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
    Group group;
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
  bool isUsedFrom(Operation *op, const Group &group, Operation *root) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return group.contains(user) ||
             root->isBeforeInBlock(block.findAncestorOpInBlock(*user));
    });
  }

  Block &block;
  SmallVector<Group> groups;
  DenseSet<Operation *> taken;
};

/// The fewest dimensions in which elementwise ops compute the same: runs of
/// dimensions that every operand has whole, or broadcasts whole, become one.
class Collapse {
public:
  Collapse(const Group &group, ArrayRef<int64_t> shape) : shape(shape) {
    SmallVector<int64_t> last;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (size == 1)
        continue;
      SmallVector<int64_t> state;
      for (Operation *op : group.ops)
        for (OpOperand &operand : op->getOpOperands())
          if (!isFreeConstant(operand, shape))
            state.push_back(getAligned(getShape(operand.get()), dim));
      bool joins = !runs.empty() && last.size() == state.size();
      for (size_t i = 0; joins && i < state.size(); ++i)
        joins = (last[i] == 1) == (state[i] == 1);
      if (joins)
        runs.back().push_back(dim);
      else
        runs.push_back({static_cast<int64_t>(dim)});
      last = std::move(state);
    }
    if (runs.empty() && !shape.empty())
      runs.push_back({static_cast<int64_t>(shape.size()) - 1});
  }

  /// A constant that fits any shape, since another operand has the result's.
  static bool isFreeConstant(OpOperand &operand, ArrayRef<int64_t> shape) {
    ElementsAttr constant = getConstant(operand.get());
    return constant && constant.isSplat() &&
           llvm::any_of(operand.getOwner()->getOpOperands(),
                        [&](OpOperand &other) {
                          return !getConstant(other.get()) &&
                                 getShape(other.get()) == shape;
                        });
  }

  /// What becomes of an operand's or a result's shape.
  SmallVector<int64_t> apply(ArrayRef<int64_t> operand) const {
    SmallVector<int64_t> result;
    for (ArrayRef<int64_t> run : runs) {
      int64_t size = 1;
      for (int64_t dim : run)
        size *= getAligned(operand, dim);
      if (size != 1 || !result.empty() || operand.size() == shape.size())
        result.push_back(size);
    }
    return result;
  }

private:
  int64_t getAligned(ArrayRef<int64_t> operand, int64_t dim) const {
    int64_t missing = shape.size() - operand.size();
    return dim < missing ? 1 : operand[dim - missing];
  }

  ArrayRef<int64_t> shape;
  SmallVector<SmallVector<int64_t>> runs;
};

/// Makes a `brisk.group` of planned ops.
class GroupBuilder {
public:
  GroupBuilder(OpBuilder &b, Group &group) : b(b), group(group) {
    Operation *last = group.ops.back();
    b.setInsertionPoint(last);
    loc = (group.anchor ? group.anchor : last)->getLoc();
    if (!group.anchor && !isWrittenIntoLarger(group))
      collapse.emplace(group, getShape(last->getResult(0)));
  }

  void run() {
    SmallVector<Value> results, outs;
    for (Operation *op : group.ops)
      for (Value value : op->getResults())
        if (op == group.anchor && op->getNumResults() > 1)
          results.push_back(value);
        else if (isUsedOutside(value))
          results.push_back(value);
    if (results.empty())
      return erase();

    Region body;
    Block &block = body.emplaceBlock();
    OpBuilder inner(b.getContext());
    inner.setInsertionPointToStart(&block);
    IRMapping mapping;
    for (Operation *op : group.ops)
      for (OpOperand &operand : op->getOpOperands())
        addOperand(operand, inner, block, mapping);
    for (Operation *op : group.ops) {
      Operation *clone = inner.clone(*op, mapping);
      if (collapse)
        for (Value result : clone->getResults())
          result.setType(collapsed(result.getType()));
    }
    SmallVector<Value> yielded;
    for (Value value : results) {
      yielded.push_back(mapping.lookup(value));
      auto type = cast<RankedTensorType>(yielded.back().getType());
      outs.push_back(tensor::EmptyOp::create(b, loc, type.getShape(),
                                             type.getElementType()));
    }
    YieldOp::create(inner, loc, yielded);
    auto op = GroupOp::create(b, loc, TypeRange(ValueRange(outs)), ins, outs,
                              ValueRange(), ScheduleAttr());
    op.getBody().takeBody(body);
    for (auto [value, result] : llvm::zip_equal(results, op.getResults())) {
      Value replacement = makeReshape(b, loc, result, getShape(value));
      value.replaceAllUsesWith(replacement);
    }
    erase();
  }

private:
  /// True if a result goes into a larger tensor, into which the group can write
  /// itself unless a reshape comes between.
  static bool isWrittenIntoLarger(const Group &group) {
    return llvm::any_of(group.ops, [](Operation *op) {
      return llvm::any_of(op->getUsers(), [](Operation *user) {
        return isa<PadOp, ConcatOp>(user);
      });
    });
  }

  bool isUsedOutside(Value value) {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return !group.contains(user); });
  }

  Type collapsed(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.clone(collapse->apply(tensor.getShape()));
  }

  void addOperand(OpOperand &operand, OpBuilder &inner, Block &block,
                  IRMapping &mapping) {
    Value value = operand.get();
    Operation *op = value.getDefiningOp();
    if (mapping.contains(value) || (op && group.contains(op)))
      return;
    ElementsAttr constant = getConstant(value);
    bool isSplat = constant && constant.isSplat() &&
                   llvm::all_of(value.getUses(), [&](OpOperand &use) {
                     return !group.contains(use.getOwner()) ||
                            isa<ElementwiseOpInterface>(use.getOwner()) ||
                            isParameter(use);
                   });
    if (constant && (isParameter(operand) || isSplat)) {
      if (collapse)
        constant = reshapeSplat(operand, constant);
      mapping.map(
          value, ConstantOp::create(inner, op->getLoc(), constant).getResult());
      return;
    }
    Value in = value;
    if (collapse)
      in = makeReshape(b, loc, value, collapse->apply(getShape(value)));
    ins.push_back(in);
    mapping.map(value, block.addArgument(in.getType(), in.getLoc()));
  }

  /// A splat for the collapsed dimensions: without any where it may be so.
  ElementsAttr reshapeSplat(OpOperand &operand, ElementsAttr constant) {
    auto type = cast<RankedTensorType>(constant.getShapedType());
    ArrayRef<int64_t> shape = getShape(group.ops.back()->getResult(0));
    SmallVector<int64_t> target;
    bool isFree = llvm::all_of(operand.get().getUses(), [&](OpOperand &use) {
      return !group.contains(use.getOwner()) ||
             Collapse::isFreeConstant(use, shape);
    });
    if (!isFree)
      target = collapse->apply(type.getShape());
    auto dense = dyn_cast<DenseElementsAttr>(constant);
    if (!dense)
      return reshapeElements(constant, target);
    return dense.resizeSplat(type.clone(target));
  }

  void erase() {
    for (Operation *op : llvm::reverse(group.ops))
      op->erase();
  }

  OpBuilder &b;
  Group &group;
  Location loc = UnknownLoc::get(b.getContext());
  std::optional<Collapse> collapse;
  SmallVector<Value> ins;
};

struct FormGroups : brisk::impl::FormGroupsBase<FormGroups> {
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<GroupOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    OpBuilder b(&getContext());
    for (Block *block : blocks) {
      SmallVector<Group> groups = Planner(*block).run();
      for (Group &group : groups)
        GroupBuilder(b, group).run();
    }
    // Constants that now stand in regions, or reshaped.
    getOperation().walk([](ConstantOp op) {
      if (op.use_empty())
        op.erase();
    });
  }
};
} // namespace
