//===- MergeParallel.cpp - Merges products of one operand --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "DimGroups.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

#include <cstring>

namespace brisk {
#define GEN_PASS_DEF_MERGEPARALLEL
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// A product with constant weights, and the constant that is added to it.
struct Branch {
  MatmulOp product;
  AddOp sum;
  Value bias;

  Operation *getLast() {
    return sum ? sum.getOperation() : product.getOperation();
  }
  Value getResult() { return getLast()->getResult(0); }
  int64_t getColumns() { return getShape(product).back(); }
};
} // namespace

/// True if `user` reads columns of a larger tensor as well as a tensor of its
/// own: in place, and without being part of the product's group.
static bool takesSlice(Operation *user) {
  if (isa<MatmulOp, TransposeOp, SliceOp, ConcatOp>(user))
    return true;
  auto reshape = dyn_cast<ReshapeOp>(user);
  if (!reshape)
    return false;
  // The columns must not run on into the rows.
  auto groups = getDimGroups(getShape(reshape.getInput()), getShape(reshape));
  return groups && !groups->empty() &&
         groups->back().fromBegin + 1 == groups->back().fromEnd;
}

static std::optional<Branch> getBranch(MatmulOp op) {
  ElementsAttr weights = getConstant(op.getRhs());
  if (!weights || getShape(op.getRhs()).size() != 2 ||
      getShape(op.getLhs()).size() < 2)
    return std::nullopt;
  Branch branch{op, {}, {}};
  auto sum = op->hasOneUse() ? dyn_cast<AddOp>(*op->user_begin()) : AddOp();
  if (sum && sum->getBlock() == op->getBlock()) {
    Value bias = sum.getLhs() == op.getResult() ? sum.getRhs() : sum.getLhs();
    if (getConstant(bias) && sum.getType() == op.getType() &&
        getShape(bias) == ArrayRef<int64_t>{branch.getColumns()}) {
      branch.sum = sum;
      branch.bias = bias;
    }
  }
  if (!llvm::all_of(branch.getLast()->getUsers(), takesSlice))
    return std::nullopt;
  return branch;
}

/// The constants side by side along their last dimension.
static ElementsAttr concatColumns(ArrayRef<ElementsAttr> parts) {
  auto first = cast<RankedTensorType>(parts.front().getShapedType());
  int64_t rows = 1, columns = 0;
  for (int64_t dim : first.getShape().drop_back())
    rows *= dim;
  for (ElementsAttr part : parts)
    columns += part.getShapedType().getShape().back();
  size_t bytes = getElementBytes(first.getElementType());
  std::vector<char> result(rows * columns * bytes);
  size_t begin = 0;
  for (ElementsAttr part : parts) {
    ElementBytes source(part);
    size_t width = part.getShapedType().getShape().back() * bytes;
    for (int64_t row = 0; row < rows; ++row)
      std::memcpy(&result[row * columns * bytes + begin],
                  source.bytes().data() + row * width, width);
    begin += width;
  }
  SmallVector<int64_t> shape(first.getShape());
  shape.back() = columns;
  return makeElements(first.clone(shape), result);
}

static void merge(ArrayRef<Branch> branches, OpBuilder &b) {
  MatmulOp first = branches.front().product;
  b.setInsertionPoint(first);
  SmallVector<Location> locations;
  SmallVector<ElementsAttr> weights, biases;
  int64_t columns = 0;
  for (Branch branch : branches) {
    locations.push_back(branch.product.getLoc());
    weights.push_back(getConstant(branch.product.getRhs()));
    if (branch.bias)
      biases.push_back(getConstant(branch.bias));
    columns += branch.getColumns();
  }
  Location loc = b.getFusedLoc(locations);
  SmallVector<int64_t> shape(getShape(first));
  shape.back() = columns;
  auto type = cast<RankedTensorType>(first.getType()).clone(shape);
  Value rhs = ConstantOp::create(b, loc, concatColumns(weights));
  Value bias;
  if (!biases.empty())
    bias = ConstantOp::create(b, loc, concatColumns(biases));
  Value merged = MatmulOp::create(b, loc, type, first.getLhs(), rhs);
  if (bias)
    merged = AddOp::create(b, loc, type, merged, bias);
  int64_t begin = 0;
  for (Branch branch : branches) {
    int64_t end = begin + branch.getColumns();
    int64_t axis = shape.size() - 1;
    Value slice = SliceOp::create(
        b, branch.product.getLoc(), branch.getResult().getType(), merged,
        makeInts(b, loc, begin), makeInts(b, loc, end), makeInts(b, loc, axis),
        Value());
    branch.getResult().replaceAllUsesWith(slice);
    begin = end;
  }
  for (Branch branch : branches) {
    if (branch.sum)
      branch.sum->erase();
    branch.product->erase();
  }
}

namespace {
struct MergeParallel : brisk::impl::MergeParallelBase<MergeParallel> {
  using MergeParallelBase::MergeParallelBase;

  void runOnOperation() override {
    // By block, operand and whether there is a bias.
    using Key = std::pair<std::pair<Block *, Value>, unsigned>;
    llvm::MapVector<Key, SmallVector<Branch>> siblings;
    getOperation().walk([&](MatmulOp op) {
      if (std::optional<Branch> branch = getBranch(op))
        siblings[{{op->getBlock(), op.getLhs()}, branch->bias ? 1u : 0u}]
            .push_back(*branch);
    });
    OpBuilder b(&getContext());
    for (auto &[key, branches] : siblings)
      if (branches.size() > 1)
        merge(branches, b);
  }
};
} // namespace
