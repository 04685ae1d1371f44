//===- InferShapes.cpp - Propagates shapes --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ModelAttrs.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {
#define GEN_PASS_DEF_INFERSHAPES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// What the two types say together; a dimension that both know is `inferred`'s.
static Type refine(Type known, Type inferred) {
  auto a = dyn_cast<RankedTensorType>(known);
  auto b = dyn_cast<RankedTensorType>(inferred);
  if (!b)
    return known;
  if (!a || a.getRank() != b.getRank())
    return inferred;
  SmallVector<int64_t> shape(b.getShape());
  for (auto [dim, have] : llvm::zip_equal(shape, a.getShape()))
    if (ShapedType::isDynamic(dim))
      dim = have;
  return b.clone(shape);
}

static bool refineResult(Value result, Type inferred) {
  Type refined = refine(result.getType(), inferred);
  if (refined == result.getType())
    return false;
  result.setType(refined);
  return true;
}

static LogicalResult inferResults(Operation *op, bool &changed) {
  if (auto branch = dyn_cast<IfOp>(op)) {
    auto yielded = [](Region &region) {
      return region.front().getTerminator()->getOperandTypes();
    };
    for (auto [result, a, b] :
         llvm::zip_equal(branch.getResults(), yielded(branch.getThenRegion()),
                         yielded(branch.getElseRegion())))
      changed |= refineResult(
          result, joinTypes(cast<TensorType>(a), cast<TensorType>(b)));
    return success();
  }
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable)
    return success();
  SmallVector<Type> types;
  if (failed(inferable.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    changed |= refineResult(result, type);
    auto refined = dyn_cast<RankedTensorType>(result.getType());
    if (refined && !isAddressable(refined.getShape()))
      return op->emitError("the result has too many elements");
  }
  return success();
}

/// What `result` folds to as a value of no other type than it may have; null if
/// that is no constant of the dialect.
static Value makeFolded(OpResult result, OpFoldResult folded,
                        OpBuilder &builder) {
  auto value = dyn_cast<Value>(folded);
  if (!value) {
    // Other dialects have constants of other types.
    auto elements = dyn_cast<ElementsAttr>(cast<Attribute>(folded));
    if (!elements || !isa<RankedTensorType>(elements.getShapedType()))
      return {};
    value = ConstantOp::create(builder, result.getLoc(), elements);
  }
  return refine(result.getType(), value.getType()) == value.getType() ? value
                                                                      : Value();
}

/// Replaces `op` by what it folds to; true if that left it without uses.
static bool foldOp(Operation *op, OpBuilder &builder, bool &changed) {
  SmallVector<OpFoldResult> folded;
  if (op->hasTrait<OpTrait::ConstantLike>() || failed(op->fold(folded)))
    return false;
  changed = true;
  if (folded.empty())
    return false;
  builder.setInsertionPoint(op);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), folded)) {
    Value replacement = makeFolded(result, value, builder);
    if (!replacement)
      return false;
    result.replaceAllUsesWith(replacement);
  }
  return true;
}

static LogicalResult inferRegion(Region &region, OpBuilder &builder,
                                 bool &changed);

/// Infers both branches of `op`. If one cannot work at these shapes, the other
/// one is left alone, behind a requirement; `op` is gone then.
static LogicalResult inferBranches(IfOp op, OpBuilder &builder, bool &changed,
                                   bool &gone) {
  std::string reasons[2];
  bool works[2];
  for (unsigned i : {0, 1}) {
    ScopedDiagnosticHandler handler(
        op.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              reasons[i].empty())
            reasons[i] = diagnostic.str();
          return success();
        });
    works[i] = succeeded(inferRegion(op->getRegion(i), builder, changed));
  }
  if (works[0] && works[1])
    return success();
  if (!works[0] && !works[1])
    return op.emitError("neither branch works at these shapes: ")
           << reasons[0] << "; " << reasons[1];
  op.emitWarning(works[0] ? "else" : "then")
      << " branch cannot work at these shapes: " << reasons[works[0]]
      << "; a run that takes it fails";
  builder.setInsertionPoint(op);
  Value condition = op.getCondition();
  if (works[1])
    condition = LogicalNotOp::create(builder, op.getLoc(), condition);
  RequireOp::create(builder, op.getLoc(), condition);
  IRRewriter rewriter(builder);
  op.inlineRegion(op->getRegion(works[1]), rewriter);
  changed = gone = true;
  return success();
}

/// Puts what is in the branch that is taken in the place of `op`. Its first op;
/// null if there is none.
static Operation *takeBranch(IfOp op, Region &taken, OpBuilder &builder) {
  Operation *first = &taken.front().front();
  bool isEmpty = first->hasTrait<OpTrait::IsTerminator>();
  IRRewriter rewriter(builder);
  op.inlineRegion(taken, rewriter);
  return isEmpty ? nullptr : first;
}

/// Infers one op, inner regions first; it may be gone then.
static LogicalResult inferOp(Operation *op, OpBuilder &builder, bool &changed) {
  if (auto branch = dyn_cast<IfOp>(op)) {
    bool gone = false;
    if (failed(inferBranches(branch, builder, changed, gone)))
      return failure();
    if (gone)
      return success();
  }
  if (!foldOp(op, builder, changed))
    return inferResults(op, changed);
  if (isOpTriviallyDead(op))
    op->erase();
  return success();
}

/// One pass over the ops of a region in program order.
static LogicalResult inferRegion(Region &region, OpBuilder &builder,
                                 bool &changed) {
  for (Block &block : region)
    for (Operation *op = &block.front(), *next; op; op = next) {
      next = op->getNextNode();
      // What is in a branch that is never taken need not make sense. What is in
      // one that is comes next.
      auto branch = dyn_cast<IfOp>(op);
      if (Region *taken = branch ? branch.getTakenRegion() : nullptr) {
        if (Operation *first = takeBranch(branch, *taken, builder))
          next = first;
        changed = true;
      } else if (failed(inferOp(op, builder, changed))) {
        return failure();
      }
    }
  return success();
}

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

static LogicalResult checkInputs(func::FuncOp func) {
  bool isStatic = true;
  for (BlockArgument arg : func.getArguments()) {
    if (!isDynamic(arg.getType()))
      continue;
    isStatic = false;
    unsigned number = arg.getArgNumber();
    StringRef name = getInputName(func, number);
    StringRef nameText = name.empty() ? "NAME" : name;
    SmallVector<StringRef> dims = getDimNames(func, number);
    InFlightDiagnostic diag = emitError(arg.getLoc(), "input '") << nameText;
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type) {
      diag << "' has no declared rank; fix it with --shape " << nameText
           << "=DIMS";
      continue;
    }
    diag << "' has dynamic dimensions:";
    StringRef symbol;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      diag << ' ' << i;
      StringRef dim = i < static_cast<int64_t>(dims.size()) ? dims[i] : "";
      if (dim.empty())
        continue;
      diag << " ('" << dim << "')";
      if (symbol.empty())
        symbol = dim;
    }
    diag << "; fix them with --shape " << nameText << "=DIMS";
    if (!symbol.empty())
      diag << " or --dim " << symbol << "=N";
  }
  return success(isStatic);
}

/// Reports an op whose result is of no static type though its operands are.
static void reportUnknown(Operation *op, Type type) {
  InFlightDiagnostic diag =
      op->emitError("shape of the result is not known at compile time: ")
      << type;
  if (op->getNumRegions() || op->getNumOperands() == 0)
    return;
  // It depends on a value: of operands that say how, or else of the first one.
  SmallVector<Value> operands(llvm::drop_begin(op->getOperands()));
  operands.push_back(op->getOperand(0));
  auto *unknown = llvm::find_if_not(operands, [](Value operand) {
    return matchPattern(operand, m_Constant());
  });
  if (unknown == operands.end())
    return;
  auto name = dyn_cast<NameLoc>(unknown->getLoc());
  if (name && isa<BlockArgument>(*unknown)) {
    diag << "; the value of input '" << name.getName().getValue()
         << "' must be constant";
    return;
  }
  diag << "; a value must be constant";
  diag.attachNote(unknown->getLoc()) << "the value is computed here";
}

namespace {
struct InferShapes : brisk::impl::InferShapesBase<InferShapes> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    // Cleaning up may take a branch or turn a computed shape into a constant,
    // from which more follows; every round but the last makes types more
    // precise or ops fewer.
    OpBuilder builder(&getContext());
    mergeEqual(func);
    for (bool changed = true; changed;) {
      changed = false;
      if (failed(inferRegion(func.getBody(), builder, changed)))
        return signalPassFailure();
      bool cleaned = false;
      (void)applyPatternsGreedily(func, patterns, {}, &cleaned);
      changed |= cleaned;
      mergeEqual(func);
    }
    updateResults(func);
    if (failed(checkInputs(func)))
      return signalPassFailure();
    WalkResult result = func.walk([](Operation *op) {
      if (auto require = dyn_cast<RequireOp>(op))
        if (auto known = getConstantInts(require.getCondition());
            known && known->size() == 1 && !known->front()) {
          op->emitError("a branch that the model takes cannot work at these "
                        "shapes");
          return WalkResult::interrupt();
        }
      for (Value value : op->getResults())
        if (isDynamic(value.getType())) {
          reportUnknown(op, value.getType());
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Before what is equal folds to constants, too, each of its own.
  void mergeEqual(func::FuncOp func) {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(func);
    eliminateCommonSubExpressions(rewriter, dominance, func);
  }
  void updateResults(func::FuncOp func) {
    TypeRange results =
        func.getBody().back().getTerminator()->getOperandTypes();
    func.setFunctionType(FunctionType::get(
        &getContext(), func.getBody().getArgumentTypes(), results));
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
