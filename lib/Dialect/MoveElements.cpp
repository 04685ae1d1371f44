//===- MoveElements.cpp - Constants with elements moved -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cstring>

using namespace mlir;
using namespace brisk;

// For a place in one of the result's dimensions, the elements to go on in the
// source; -1 where the result has the fill value.
using Offsets = std::vector<int64_t>;

namespace {
/// Copies elements of a constant to where the tables of offsets, one for each
/// dimension of the result, have them.
struct Mover {
  const char *source;
  size_t width;
  ArrayRef<Offsets> tables;
  ArrayRef<char> fill;
  char *out = nullptr;

  void run(char *to) {
    out = to;
    copyDim(0, 0, false);
  }

  void copyDim(size_t dim, int64_t offset, bool outside) {
    if (dim + 1 < tables.size()) {
      for (int64_t step : tables[dim])
        copyDim(dim + 1, offset + step, outside || step < 0);
      return;
    }
    auto copy = [&](const char *from, size_t bytes) {
      std::memcpy(out, from, bytes);
      out += bytes;
    };
    // Runs of neighbours in one go.
    const Offsets &last = tables.back();
    for (size_t i = 0, end; i < last.size(); i = end) {
      end = i + 1;
      if (outside || last[i] < 0) {
        copy(fill.data(), width);
        continue;
      }
      while (end < last.size() && last[end] == last[end - 1] + 1)
        ++end;
      copy(source + (offset + last[i]) * width, (end - i) * width);
    }
  }
};
} // namespace

ElementsAttr
brisk::moveElements(ElementsAttr attr, RankedTensorType type,
                    function_ref<int64_t(int64_t, int64_t, int64_t)> place,
                    ArrayRef<char> fill) {
  if (type.getNumElements() == 0)
    return makeElements(type, ArrayRef<char>());
  // All elements of a splat lie in one place.
  ElementsAttr splat = getSplatElement(attr);
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  int64_t rank = type.getRank();
  SmallVector<int64_t> sizes(rank - shape.size(), 1);
  llvm::append_range(sizes, shape);
  SmallVector<int64_t> strides = computeStrides(sizes);
  SmallVector<Offsets> tables(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    for (int64_t i = 0; i < type.getDimSize(dim); ++i) {
      int64_t at = place(dim, i, sizes[dim]);
      tables[dim].push_back(at < 0 ? -1 : splat ? 0 : at * strides[dim]);
    }
  if (rank == 0)
    tables.push_back({0});
  ElementBytes source(splat ? splat : attr);
  Mover mover{source.bytes().data(), getElementBytes(type.getElementType()),
              tables, fill};
  return makeElements(
      type, [&](MutableArrayRef<char> out) { mover.run(out.data()); });
}
