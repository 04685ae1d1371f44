//===- TransposeForm.cpp - A transpose in its fewest dimensions -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeForm.h"

using namespace mlir;
using namespace brisk;

TransposeForm TransposeForm::get(const GroupView &view) {
  GroupOp group = view.getGroup();
  auto transpose = cast<TransposeOp>(view.getAnchor());
  auto input = cast<BlockArgument>(transpose.getInput());
  SmallVector<int64_t> inStrides = view.getInStrides(input.getArgNumber());
  SmallVector<int64_t> outStrides = view.getOutStrides(0);
  ArrayRef<int64_t> shape = transpose.getResult().getType().getShape();
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  TransposeForm form;
  form.plain = llvm::all_of(group.getYielded(),
                            [&](Value value) {
                              return value == transpose.getResult();
                            }) &&
               group.getYielded().size() == 1;

  SmallVector<TransposeDim> dims;
  int64_t rows = 1;
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    bool last = d + 1 == static_cast<int64_t>(shape.size());
    TransposeDim dim{shape[d], inStrides[permutation[d]], outStrides[d],
                     last ? 0 : rows};
    if (!last)
      rows *= shape[d];
    if (dim.size == 1 && (form.plain || !last))
      continue;
    if (form.plain && !dims.empty() &&
        dims.back().in * dims.back().size == dim.in &&
        dims.back().out * dims.back().size == dim.out)
      dims.back().size *= dim.size;
    else
      dims.push_back(dim);
  }
  // Innermost first so far.
  if (dims.empty())
    return form;
  form.along = dims.front();
  dims.erase(dims.begin());
  if (form.along.in != 1 || form.along.out != 1) {
    auto *across = llvm::find_if(dims, [](const TransposeDim &dim) {
      return dim.in == 1 && dim.size > 1;
    });
    if (across != dims.end() && form.along.out == 1) {
      form.across = *across;
      dims.erase(across);
    } else {
      form.scattered = true;
    }
  }
  if (form.across.size == 1 && !dims.empty()) {
    // Rows are tasks too.
    form.across = dims.front();
    dims.erase(dims.begin());
  }
  form.outer.assign(dims.rbegin(), dims.rend());
  return form;
}
