//===- GemmProblem.cpp - Convolutions and matrix products as tiles --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmProblem.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace brisk;

GemmProblem::GemmProblem(Operation *anchor, const Isa &isa)
    : anchor(anchor), multiplier(isa, anchor) {}

GemmProblem::GemmProblem(MatmulNBitsOp anchor, const Isa &isa)
    : anchor(anchor), multiplier(isa, anchor.getType().getElementType(),
                                 anchor.getType().getElementType(),
                                 anchor.getType().getElementType()),
      packed(true), narrow(anchor) {}

double GemmProblem::getColumnBytes() const {
  constexpr double bitsPerByte = 8;
  if (!narrow)
    return static_cast<double>(multiplier.getDepth() *
                               getElementBytes(multiplier.rhs));
  double parameters = sizeof(float) + (narrow->zero < 0 ? 0 : 1);
  return static_cast<double>(narrow->bits) / bitsPerByte +
         parameters / static_cast<double>(narrow->block);
}

double GemmProblem::getLhsReads() const {
  auto type = cast<RankedTensorType>(lhsInput.getType());
  return static_cast<double>(getRows() * getReduction()) /
         static_cast<double>(type.getNumElements());
}

int64_t GemmProblem::getMostRows(const Isa &isa, int64_t vectors) const {
  int64_t rows = multiplier.getMostRows(isa, vectors);
  if (narrow)
    return rows - narrow->getRegisters();
  // What is computed of a row stays in a register for several steps.
  return computesLhs() && rows > 1 ? rows * vectors / (vectors + 1) : rows;
}

int64_t GemmProblem::getOuterSize() const {
  int64_t size = 1;
  for (StridedDim dim : outer)
    size *= dim.size;
  return size;
}

Values GemmProblem::getOuterIndices(KernelBuilder &b, Value outer) const {
  SmallVector<int64_t> sizes;
  for (StridedDim dim : this->outer)
    sizes.push_back(dim.size);
  return delinearize(b, outer, sizes);
}

Value GemmProblem::getLhsPlace(KernelBuilder &b, ValueRange outer,
                               Value row) const {
  Value place = b.mul(row, inner.stride);
  for (auto [index, dim] : llvm::zip_equal(outer, this->outer))
    place = b.add(place, b.mul(index, dim.stride));
  return place;
}

int64_t GemmProblem::getTaps() const {
  int64_t size = 1;
  for (StridedDim dim : taps)
    size *= dim.size;
  return size;
}

/// Merges neighbouring dimensions that can be walked as one.
static void mergeRows(GemmProblem &problem) {
  // Dimensions of one element do not count.
  SmallVector<StridedDim> outer;
  SmallVector<int64_t> outerRhs;
  for (auto [dim, rhs] : llvm::zip_equal(problem.outer, problem.outerRhs))
    if (dim.size != 1) {
      outer.push_back(dim);
      outerRhs.push_back(rhs);
    }
  while (!outer.empty() && outerRhs.back() == 0) {
    StridedDim last = outer.back();
    if (problem.inner.size == 1)
      problem.inner = last;
    else if (last.stride == problem.inner.stride * problem.inner.size)
      problem.inner.size *= last.size;
    else
      break;
    outer.pop_back();
    outerRhs.pop_back();
  }
  problem.outer = outer;
  problem.outerRhs = outerRhs;
}

static std::optional<GemmProblem> refuse(GroupView &view, const Twine &why) {
  view.refuse(why);
  return std::nullopt;
}

/// The one input of the group that `operand` is computed from, element by
/// element, but for values of one element; null if there is none.
static Value findInput(Value operand) {
  Value input;
  llvm::SmallSetVector<Value, 4> values;
  values.insert(operand);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    Operation *op = value.getDefiningOp();
    if (getShape(value) == getShape(operand) && !op) {
      if (input)
        return {};
      input = value;
    } else if (isa_and_nonnull<ElementwiseOpInterface>(op)) {
      values.insert(op->operand_begin(), op->operand_end());
    } else if (cast<RankedTensorType>(value.getType()).getNumElements() != 1 ||
               (op && !isa<ConstantOp>(op))) {
      return {};
    }
  }
  return input;
}

/// Finds where the left operand comes from; false if that cannot be read.
static bool findLhs(GemmProblem &problem) {
  Value operand = problem.anchor->getOperand(0);
  problem.lhsInput = findInput(operand);
  if (!problem.lhsInput)
    return false;
  problem.lhs = getInputNumber(problem.lhsInput);
  // By instructions of several bytes, which several floats become at a time.
  return !problem.computesLhs() || (problem.multiplier.product &&
                                    getElementTypeOrSelf(operand).isInteger());
}

static std::optional<GemmProblem> findProblem(GroupView &view, ConvOp op) {
  auto window = op.getWindow();
  if (failed(window) || op.getGroup() != 1)
    return refuse(view, "has a convolution in parts");
  if (!isConstantInput(view.getGroup(), op.getFilter()))
    return refuse(view, "has a filter that is computed");
  auto nonzero = [](int64_t pad) { return pad != 0; };
  if (llvm::any_of(window->padBegin, nonzero))
    return refuse(view, "has a convolution with padding");
  GemmProblem problem(op, view.getIsa());
  if (!findLhs(problem) || (op.getBias() && !isGroupInput(op.getBias())))
    return refuse(view, "computes its convolution's operands");
  problem.rhs = getInputNumber(op.getFilter());
  if (op.getBias())
    problem.bias = getInputNumber(op.getBias());
  SmallVector<int64_t> strides = view.getInStrides(problem.lhs);
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  int64_t channels = input.getShape().back();
  size_t rank = window->getRank();

  problem.outer.push_back({input.getDimSize(0), strides[0]});
  for (size_t d = 0; d < rank; ++d) {
    int64_t stride = strides[1 + d];
    // The padding after the end is never read where no window reaches it.
    if (!window->isInside(d))
      return refuse(view, "has a convolution with padding");
    StridedDim rows = {window->output[d], stride * window->strides[d]};
    if (d + 1 < rank)
      problem.outer.push_back(rows);
    else
      problem.inner = rows;
    problem.taps.push_back({window->kernel[d], stride * window->dilations[d]});
  }
  problem.outerRhs.assign(problem.outer.size(), 0);
  problem.depth = channels;
  // Taps that lie next to each other are one longer row.
  while (!problem.taps.empty() &&
         (problem.taps.back().size == 1 ||
          problem.taps.back().stride == problem.depth)) {
    problem.depth *= problem.taps.back().size;
    problem.taps.pop_back();
  }
  llvm::erase_if(problem.taps, [](StridedDim dim) { return dim.size == 1; });
  problem.columns = filter.getShape().back();
  problem.packed = true;
  mergeRows(problem);
  return problem;
}

static std::optional<GemmProblem> findProblem(GroupView &view, MatmulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() < 2 || rhs.getRank() > rank)
    return refuse(view, "multiplies vectors, or more matrices by fewer");
  GemmProblem problem(op, view.getIsa());
  problem.rhs = getInputNumber(op.getRhs());
  problem.packed =
      rhs.getRank() == 2 && isConstantInput(view.getGroup(), op.getRhs());
  if (!findLhs(problem) || (!problem.packed && !isGroupInput(op.getRhs())))
    return refuse(view, "computes its product's operands");
  SmallVector<int64_t> strides = view.getInStrides(problem.lhs);
  auto result = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> rhsStrides(rhs.getRank(), 0);
  if (!problem.packed) {
    rhsStrides = view.getInStrides(problem.rhs);
    problem.rhsStride = rhsStrides[rhs.getRank() - 2];
  }
  int64_t lead = rank - rhs.getRank();
  for (int64_t d = 0; d < rank - 2; ++d) {
    problem.outer.push_back(
        {result.getDimSize(d), lhs.getDimSize(d) == 1 ? 0 : strides[d]});
    bool steps = d >= lead && rhs.getDimSize(d - lead) != 1;
    problem.outerRhs.push_back(steps ? rhsStrides[d - lead] : 0);
  }
  problem.inner = {lhs.getDimSize(rank - 2), strides[rank - 2]};
  problem.depth = lhs.getDimSize(rank - 1);
  problem.columns = rhs.getShape().back();
  mergeRows(problem);
  return problem;
}

static std::optional<GemmProblem> findProblem(GroupView &view,
                                              MatmulNBitsOp op) {
  for (Value constant : op->getOperands().drop_front())
    if (!isConstantInput(view.getGroup(), constant))
      return refuse(view, "has weights of few bits that are computed");
  if (!isGroupInput(op.getLhs()))
    return refuse(view, "computes its product's operands");
  GemmProblem problem(op, view.getIsa());
  problem.lhsInput = op.getLhs();
  problem.lhs = getInputNumber(op.getLhs());
  problem.rhs = getInputNumber(op.getWeights());
  SmallVector<int64_t> strides = view.getInStrides(problem.lhs);
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  int64_t rank = lhs.getRank();
  for (int64_t d = 0; d < rank - 2; ++d)
    problem.outer.push_back({lhs.getDimSize(d), strides[d]});
  problem.outerRhs.assign(problem.outer.size(), 0);
  problem.inner = {lhs.getDimSize(rank - 2), strides[rank - 2]};
  problem.depth = lhs.getDimSize(rank - 1);
  problem.columns = op.getType().getShape().back();
  mergeRows(problem);
  return problem;
}

/// The problem of an anchor of one of the kinds that there are.
static std::optional<GemmProblem> findProblem(GroupView &view,
                                              Operation *anchor) {
  if (auto narrow = dyn_cast<MatmulNBitsOp>(anchor))
    return findProblem(view, narrow);
  if (!Multiplier::fits(anchor))
    return refuse(view,
                  "has a product of other elements than floats and bytes");
  auto conv = dyn_cast<ConvOp>(anchor);
  return conv ? findProblem(view, conv)
              : findProblem(view, cast<MatmulOp>(anchor));
}

std::optional<GemmProblem> brisk::findGemmProblem(GroupView &view) {
  Operation *anchor = view.getAnchor();
  if (!isa_and_nonnull<ConvOp, MatmulOp, MatmulNBitsOp>(anchor))
    return refuse(view, "has no product");
  std::optional<GemmProblem> problem = findProblem(view, anchor);
  // What takes several rows at once reads them as they are in memory.
  if (problem && problem->packed && !problem->narrow &&
      !problem->computesLhs()) {
    Multiplier &multiplier = problem->multiplier;
    problem->tileProduct = view.getIsa().findProduct(
        multiplier.lhs, multiplier.rhs, multiplier.sum, Isa::Form::Tiles);
    multiplier.takeBlocks(view.getIsa(), problem->inner.size, problem->depth);
  }
  if (problem && (problem->getRows() == 0 || problem->columns == 0 ||
                  problem->getReduction() == 0))
    return refuse(view, "has an empty product");
  return problem;
}
