//===- ChooseProductTypes.cpp - Of what products are computed -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of products are f32 whatever the operands. Operands of 16 bits take half
// the memory; where the target adds up products of them, half the time too, and
// where it does not, kernels extend the right one in registers, for many rows
// at once, but the left one is better extended before.
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Target/ModuleTarget.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_CHOOSEPRODUCTTYPES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

static bool isNarrow(Type element) {
  return element.isF16() || element.isBF16();
}

/// `value` with other elements, right behind who computes it.
static Value convert(OpBuilder &b, Value value, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(value);
  return b.createOrFold<CastOp>(value.getLoc(), value, element);
}

static bool isDepthwise(ConvOp op) {
  int64_t channels = getShape(op.getFilter()).back();
  return static_cast<int64_t>(op.getGroup()) == channels &&
         getShape(op.getInput()).back() == channels;
}

/// Why vectors do not compute a product; empty where they do.
static StringRef whyNot(ConvOp op) {
  if (!getConstant(op.getFilter()))
    return "has a filter that is computed";
  return op.getGroup() == 1 || isDepthwise(op)
             ? ""
             : "is in groups of several channels";
}
static StringRef whyNot(MatmulOp op) {
  return getShape(op.getLhs()).size() < 2 || getShape(op.getRhs()).size() < 2
             ? "multiplies vectors"
             : "";
}

/// True if elements of a constant, or of what is known only when it runs, stay
/// finite as `narrow`.
static bool fits(Value value, FloatType narrow) {
  ElementsAttr constant = getConstant(value);
  if (!constant)
    return true;
  double largest =
      APFloat::getLargest(narrow.getFloatSemantics()).convertToDouble();
  if (ElementsAttr one = getSplatElement(constant))
    return !(std::abs(getAsDoubles(one).front()) > largest);
  return llvm::none_of(ElementBytes(constant).as<float>(), [&](float element) {
    return std::abs(element) > largest;
  });
}

/// Elements of a row that lie next to each other in memory, by the weights.
static int64_t getDepth(MatmulOp op) { return getShape(op.getRhs()).front(); }
static int64_t getDepth(ConvOp op) {
  ArrayRef<int64_t> filter = getShape(op.getFilter()),
                    dilations = op.getDilations();
  int64_t channels = filter[filter.size() - 2];
  bool joins = dilations.empty() || dilations.back() == 1;
  return joins && filter.size() > 2 ? channels * filter[filter.size() - 3]
                                    : channels;
}

/// True if enough rows are multiplied by packed weights, in steps that are long
/// enough, that vectors, whose left side is extended element by element, are
/// not sooner done.
template <typename OpT>
static bool fillsTiles(OpT op, const Isa::Product &product) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  Value weights = op->getOperand(1);
  if (!result.hasStaticShape() || !getConstant(weights) ||
      (isa<MatmulOp>(op) && getShape(weights).size() != 2))
    return false;
  int64_t rows = ShapedType::getNumElements(result.getShape().drop_back());
  int64_t depth = llvm::alignTo(getDepth(op), product.getGroup());
  return rows >= product.m && 2 * product.getEvenStep(depth) >= product.k;
}

/// True if the target has an instruction for what `op` multiplies once both
/// sides are `element`: of vectors, or only one of tile registers.
template <typename OpT>
static bool multiplies(OpT op, Type element, const Isa &isa) {
  auto sum = Float32Type::get(op.getContext());
  if (isa.findProduct(element, element, sum))
    return true;
  const Isa::Product *tiles =
      isa.findProduct(element, element, sum, Isa::Form::Tiles);
  return tiles && fillsTiles(op, *tiles);
}

namespace {
/// Products of f32 from operands of 16 bits: both, or only the weights.
template <typename OpT> struct NarrowProduct : OpRewritePattern<OpT> {
  NarrowProduct(MLIRContext *context, const Isa &isa, FloatType narrow)
      : OpRewritePattern<OpT>(context), isa(isa), narrow(narrow) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    OpOperand &lhs = op->getOpOperand(0), &rhs = op->getOpOperand(1);
    if (!getElement(lhs.get()).isF32() || !getElement(rhs.get()).isF32())
      return rewriter.notifyMatchFailure(op, "is no product of f32");
    if (StringRef reason = whyNot(op); !reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    bool both = canNarrowBoth(op);
    if (!both && !getConstant(rhs.get()))
      return rewriter.notifyMatchFailure(
          op, "has no weights, and the target has no product of such floats");
    if (!fits(rhs.get(), narrow) || (both && !fits(lhs.get(), narrow)))
      return rewriter.notifyMatchFailure(op, "a constant would overflow");
    Value left = both ? convert(rewriter, lhs.get(), narrow) : lhs.get();
    Value right = convert(rewriter, rhs.get(), narrow);
    rewriter.modifyOpInPlace(op, [&] {
      lhs.set(left);
      rhs.set(right);
    });
    return success();
  }

private:
  bool canNarrowBoth(ConvOp op) const {
    return !isDepthwise(op) && multiplies(op, narrow, isa);
  }
  bool canNarrowBoth(MatmulOp op) const { return multiplies(op, narrow, isa); }

  const Isa &isa;
  FloatType narrow;
};

/// Products of 16-bit floats that the target has no instruction for.
template <typename OpT> struct WidenProduct : OpRewritePattern<OpT> {
  WidenProduct(MLIRContext *context, const Isa &isa)
      : OpRewritePattern<OpT>(context), isa(isa) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    OpOperand &lhs = op->getOpOperand(0), &rhs = op->getOpOperand(1);
    Type element = getElement(lhs.get()), wide = rewriter.getF32Type();
    if (!isNarrow(element) || getElement(rhs.get()) != element)
      return rewriter.notifyMatchFailure(op, "is no product of 16-bit floats");
    if (StringRef reason = whyNot(op); !reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    if (multiplies(op, element, isa))
      return rewriter.notifyMatchFailure(op, "the target multiplies them");
    // All but the weights: what is multiplied by them, and a bias.
    SmallVector<Value> operands(op->getOperands());
    for (auto [number, operand] : llvm::enumerate(operands))
      if (number != 1)
        operand = convert(rewriter, operand, wide);
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      op->getResult(0).setType(type.clone(wide));
    });
    if (type.getElementType() == wide)
      return success();
    rewriter.setInsertionPointAfter(op);
    Value result =
        CastOp::create(rewriter, op.getLoc(), type, op->getResult(0));
    rewriter.replaceAllUsesExcept(op->getResult(0), result,
                                  result.getDefiningOp());
    return success();
  }

private:
  const Isa &isa;
};
} // namespace

/// True if all that `value` is used for are its elements as `narrow`, as a
/// whole or in parts.
static bool isOnlyNarrowed(Value value, Type narrow) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto op = dyn_cast<CastOp>(user))
      return op.getTo() == narrow;
    std::optional<View> view = findView(user);
    return view && view->kind == View::Part &&
           isOnlyNarrowed(user->getResult(0), narrow);
  });
}

/// Elements are rounded before they are moved, by who computes them.
static LogicalResult hoistCast(CastOp op, PatternRewriter &rewriter) {
  Operation *move = op.getInput().getDefiningOp();
  if (!isNarrow(op.getTo()) || !getElement(op.getInput()).isF32() || !move)
    return rewriter.notifyMatchFailure(op, "rounds nothing that is computed");
  std::optional<View> view = findView(move);
  if (!view && !isa<TransposeOp>(move))
    return rewriter.notifyMatchFailure(op, "rounds what is not only moved");
  if (view && view->margin)
    return rewriter.notifyMatchFailure(op, "elements come from elsewhere, too");
  bool isPart = view && view->kind == View::Part;
  if (!isOnlyNarrowed(isPart ? move->getOperand(0) : op.getInput(), op.getTo()))
    return rewriter.notifyMatchFailure(op, "elements are used as f32, too");
  rewriter.setInsertionPoint(move);
  Operation *moved = rewriter.clone(*move);
  auto compute = cast<ComputeOpInterface>(move);
  for (OpOperand &operand : move->getOpOperands())
    if (!compute.isParameter(operand.getOperandNumber()))
      moved->setOperand(operand.getOperandNumber(),
                        convert(rewriter, operand.get(), op.getTo()));
  moved->getResult(0).setType(op.getType());
  rewriter.replaceOp(op, moved);
  return success();
}

namespace {
struct ChooseProductTypes
    : brisk::impl::ChooseProductTypesBase<ChooseProductTypes> {
  using ChooseProductTypesBase::ChooseProductTypesBase;

  void runOnOperation() override {
    auto module = getOperation()->getParentOfType<ModuleOp>();
    if (!module || !module->hasAttr(BriskDialect::targetAttrName))
      return;
    const Target *target = getTarget(getOperation());
    if (!target)
      return signalPassFailure();
    const Isa &isa = target->isa;
    Builder b(&getContext());
    FloatType narrow;
    if (to == ProductType::F16)
      narrow = b.getF16Type();
    else if (to == ProductType::BF16)
      narrow = b.getBF16Type();
    if (failed(
            rewriteFunction(getOperation(), [&](RewritePatternSet &patterns) {
              if (narrow)
                patterns.add<NarrowProduct<ConvOp>, NarrowProduct<MatmulOp>>(
                    &getContext(), isa, narrow);
              // Scalars are extended one by one in any case.
              if (isa.getLanes(b.getF32Type()) > 1)
                patterns.add<WidenProduct<ConvOp>, WidenProduct<MatmulOp>>(
                    &getContext(), isa);
              patterns.add(hoistCast);
            })))
      signalPassFailure();
  }
};
} // namespace
