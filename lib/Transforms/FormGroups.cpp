//===- FormGroups.cpp - Puts ops into groups ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupPlan.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

namespace brisk {
#define GEN_PASS_DEF_FORMGROUPS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True if the operand, of an op in a group, says what the op does rather than
/// being data.
static bool isParameter(OpOperand &operand) {
  return cast<ComputeOpInterface>(operand.getOwner())
      .isParameter(operand.getOperandNumber());
}

namespace {
/// The fewest dimensions in which elementwise ops compute the same: runs of
/// dimensions that every operand has whole, or broadcasts whole, become one.
class Collapse {
public:
  Collapse(const PlannedGroup &group, ArrayRef<int64_t> shape) : shape(shape) {
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
  GroupBuilder(OpBuilder &b, PlannedGroup &group) : b(b), group(group) {
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
                              Value(), ScheduleAttr());
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
  static bool isWrittenIntoLarger(const PlannedGroup &group) {
    return llvm::any_of(group.ops, [](Operation *op) {
      return llvm::any_of(op->getUsers(), [](Operation *user) {
        std::optional<View> view = findView(user);
        return view && view->kind == View::Whole;
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
  PlannedGroup &group;
  Location loc = UnknownLoc::get(b.getContext());
  std::optional<Collapse> collapse;
  SmallVector<Value> ins;
};

} // namespace

/// Makes constants of all tensors without elements: there is nothing to
/// compute.
static void foldEmpties(func::FuncOp function) {
  OpBuilder b(function.getContext());
  auto isEmpty = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getNumElements() == 0;
  };
  auto fold = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    value.replaceAllUsesWith(ConstantOp::create(
        b, value.getLoc(),
        DenseElementsAttr::get(type, ArrayRef<Attribute>())));
  };
  b.setInsertionPointToStart(&function.getBody().front());
  for (BlockArgument argument : function.getArguments())
    if (isEmpty(argument) && !argument.use_empty())
      fold(argument);
  function.walk([&](Operation *op) {
    if (isa<ConstantOp>(op) || op->getNumResults() == 0 ||
        !isMemoryEffectFree(op) || !llvm::all_of(op->getResults(), isEmpty))
      return;
    b.setInsertionPoint(op);
    for (Value result : op->getResults())
      fold(result);
    op->erase();
  });
}

/// Makes concats of many tensors concats of parts, each a kernel of its own:
/// one kernel for thousands of operands would take long to compile.
static void splitConcats(func::FuncOp function) {
  constexpr size_t maxOperands = 128, partOperands = 64, maxParts = 32;
  SmallVector<ConcatOp> concats;
  function.walk([&](ConcatOp concat) {
    if (concat.getInputs().size() > maxOperands)
      concats.push_back(concat);
  });
  OpBuilder b(function.getContext());
  for (ConcatOp concat : concats) {
    b.setInsertionPoint(concat);
    SmallVector<Value> inputs(concat.getInputs()), parts;
    size_t count =
        std::min(maxParts, llvm::divideCeil(inputs.size(), partOperands));
    size_t size = llvm::divideCeil(inputs.size(), count);
    for (ArrayRef<Value> rest = inputs; !rest.empty();) {
      ArrayRef<Value> part = rest.take_front(size);
      rest = rest.drop_front(part.size());
      parts.push_back(
          b.createOrFold<ConcatOp>(concat.getLoc(), part, concat.getAxis()));
    }
    concat.getInputsMutable().assign(parts);
  }
}

/// Adds those who read what `value` has, in its shape or another; false unless
/// all of them compute what they read in registers where that is elementwise.
static bool findReaders(Value value, SmallVectorImpl<OpOperand *> &readers) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getBlock() != value.getParentBlock())
      return false;
    if (isa<ReshapeOp>(user))
      return use.getOperandNumber() == 0 &&
             findReaders(user->getResult(0), readers);
    auto compute = dyn_cast<ComputeOpInterface>(user);
    bool fuses = isa<ElementwiseOpInterface>(user)
                     ? getShape(value) == getShape(user->getResult(0))
                     : compute && compute.fusesProducers() &&
                           use.getOperandNumber() == 0;
    readers.push_back(&use);
    return fuses;
  });
}

/// Bytes that are dequantized for several readers, or for one behind a reshape,
/// become floats as each of them reads, and stay bytes in memory.
static void dequantizeForReaders(DequantizeOp op) {
  auto isOne = [](Value value) {
    return !value ||
           cast<RankedTensorType>(value.getType()).getNumElements() == 1;
  };
  SmallVector<OpOperand *> readers;
  if (!getElementTypeOrSelf(op.getInput()).isInteger(8) ||
      getConstant(op.getInput()) || !isOne(op.getScale()) ||
      !isOne(op.getZeroPoint()) || getShape(op.getInput()) != getShape(op) ||
      !findReaders(op.getResult(), readers))
    return;
  // Elementwise ops of one shape are in one group as they are.
  if (llvm::all_of(readers, [&](OpOperand *use) {
        return use->get() == op.getResult() &&
               (readers.size() == 1 ||
                isa<ElementwiseOpInterface>(use->getOwner()));
      }))
    return;
  OpBuilder b(op.getContext());
  for (OpOperand *use : readers) {
    b.setInsertionPoint(use->getOwner());
    auto type = cast<RankedTensorType>(use->get().getType());
    Value bytes = makeReshape(b, op.getLoc(), op.getInput(), type.getShape());
    use->set(DequantizeOp::create(b, op.getLoc(), type, bytes, op.getScale(),
                                  op.getZeroPoint(), op.getTo()));
  }
}

namespace {
struct FormGroups : brisk::impl::FormGroupsBase<FormGroups> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    foldEmpties(getOperation());
    splitConcats(getOperation());
    SmallVector<DequantizeOp> dequantized;
    getOperation().walk([&](DequantizeOp op) { dequantized.push_back(op); });
    for (DequantizeOp op : dequantized)
      dequantizeForReaders(op);
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<GroupOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    OpBuilder b(&getContext());
    for (Block *block : blocks)
      for (PlannedGroup &group : planGroups(*block))
        GroupBuilder(b, group).run();
    // Constants that now stand in regions, or reshaped.
    getOperation().walk([](ConstantOp op) {
      if (op.use_empty())
        op.erase();
    });
  }
};
} // namespace
