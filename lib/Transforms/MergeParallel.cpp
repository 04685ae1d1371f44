//===- MergeParallel.cpp - Merges products of one operand -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

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
  if (!llvm::all_of(branch.getLast()->getUsers(), [](Operation *user) {
        auto compute = dyn_cast<ComputeOpInterface>(user);
        return compute && compute.readsColumns();
      }))
    return std::nullopt;
  return branch;
}

/// Constants side by side along their last dimension.
static Value concatColumns(OpBuilder &b, Location loc, ValueRange parts) {
  int64_t axis = getShape(parts.front()).size() - 1;
  return b.createOrFold<ConcatOp>(loc, parts, axis);
}

static void merge(ArrayRef<Branch> branches, OpBuilder &b) {
  MatmulOp first = branches.front().product;
  b.setInsertionPoint(first);
  SmallVector<Location> locations;
  SmallVector<Value> weights, biases;
  int64_t columns = 0;
  for (Branch branch : branches) {
    locations.push_back(branch.product.getLoc());
    weights.push_back(branch.product.getRhs());
    if (branch.bias)
      biases.push_back(branch.bias);
    columns += branch.getColumns();
  }
  Location loc = b.getFusedLoc(locations);
  SmallVector<int64_t> shape(getShape(first));
  shape.back() = columns;
  auto type = cast<RankedTensorType>(first.getType()).clone(shape);
  Value rhs = concatColumns(b, loc, weights);
  Value bias = biases.empty() ? Value() : concatColumns(b, loc, biases);
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
  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
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
