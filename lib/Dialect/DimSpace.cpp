//===- DimSpace.cpp - The dimensions that an op works in ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/DimSpace.h"
#include "brisk/Dialect/Builders.h"

using namespace mlir;
using namespace brisk;

static SmallVector<int64_t> permute(ArrayRef<int64_t> shape, const DimMap &dims,
                                    ArrayRef<int64_t> permutation,
                                    bool broadcasts) {
  SmallVector<int64_t> result;
  bool lacksDims = false;
  for (int64_t d : permutation) {
    for (int64_t dim : dims[d])
      result.push_back(shape[dim]);
    if (broadcasts && dims[d].empty()) {
      result.push_back(1);
      lacksDims = true;
    }
  }
  // Leading ones go without saying.
  if (lacksDims)
    result.erase(result.begin(),
                 llvm::find_if(result, [](int64_t dim) { return dim != 1; }));
  return result;
}

SmallVector<int64_t>
DimSpace::permuteResult(ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> permutation) const {
  return permute(shape, result, permutation, /*broadcasts=*/false);
}

SmallVector<int64_t>
DimSpace::permuteOperand(unsigned i, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> permutation) const {
  return permute(shape, operands[i], permutation, broadcasts);
}

/// Dimensions of a tensor of `rank` that align with the last ones of the op.
static DimMap alignDims(size_t rank, size_t opRank) {
  DimMap dims(opRank);
  for (size_t i = 0; i < rank; ++i)
    dims[opRank - rank + i].push_back(i);
  return dims;
}

std::optional<DimSpace> brisk::getBroadcastSpace(Operation *op) {
  auto compute = cast<ComputeOpInterface>(op);
  if (!compute.hasKnownParameters())
    return std::nullopt;
  DimSpace space;
  space.broadcasts = true;
  space.rank = getShape(op->getResult(0)).size();
  space.result = alignDims(space.rank, space.rank);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    space.operands.push_back(
        compute.isParameter(i)
            ? DimMap()
            : alignDims(getShape(operand).size(), space.rank));
  return space;
}

DimSpace brisk::getReducedSpace(Operation *op, ArrayRef<int64_t> axes,
                                bool keepDims) {
  DimSpace space;
  space.rank = getShape(op->getOperand(0)).size();
  space.operands.resize(op->getNumOperands());
  space.operands[0] = alignDims(space.rank, space.rank);
  space.result.resize(space.rank);
  int64_t next = 0;
  for (size_t d = 0; d < space.rank; ++d)
    if (keepDims || !llvm::is_contained(axes, static_cast<int64_t>(d)))
      space.result[d].push_back(next++);
  return space;
}

int64_t brisk::findDim(ArrayRef<int64_t> permutation, int64_t dim) {
  return llvm::find(permutation, dim) - permutation.begin();
}

Value brisk::permuteClone(OpBuilder &b, Operation *op, RankedTensorType type,
                          ValueRange operands, ArrayRef<int64_t> permutation) {
  Operation *clone = b.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(type);
  if (auto axis = dyn_cast<AxisOpInterface>(op))
    cast<AxisOpInterface>(clone).setAxis(
        findDim(permutation, axis.getNormalizedAxis()));
  return clone->getResult(0);
}
