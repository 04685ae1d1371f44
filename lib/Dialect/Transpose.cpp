//===- Transpose.cpp - Transposes constants -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace brisk;

namespace {
/// One dimension of the result: its size, and the elements from one of its
/// places to the next in the source and in the result.
struct Dim {
  int64_t size, from, to;
};
} // namespace

// The result's dimensions, outermost first, without those of size 1 and with
// those merged that also lie together in the source.
static SmallVector<Dim> getDims(ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<Dim> dims;
  for (int64_t source : permutation) {
    int64_t size = shape[source], stride = strides[source];
    if (size == 1)
      continue;
    if (!dims.empty() && dims.back().from == size * stride)
      dims.back() = {dims.back().size * size, stride, 0};
    else
      dims.push_back({size, stride, 0});
  }
  int64_t stride = 1;
  for (Dim &dim : llvm::reverse(dims)) {
    dim.to = stride;
    stride *= dim.size;
  }
  return dims;
}

// The two innermost loops: along the dimension that is innermost in the source
// and along the result's innermost, in blocks that stay in cache.
template <typename T>
static void transposeMatrix(const T *from, T *to, Dim rows, Dim columns) {
  constexpr int64_t block = 32;
  for (int64_t i0 = 0; i0 < rows.size; i0 += block)
    for (int64_t j0 = 0; j0 < columns.size; j0 += block)
      for (int64_t i = i0; i < std::min(i0 + block, rows.size); ++i)
        for (int64_t j = j0; j < std::min(j0 + block, columns.size); ++j)
          to[i * rows.to + j] = from[i * rows.from + j * columns.from];
}

template <typename T>
static void transposeAll(const T *from, T *to, ArrayRef<Dim> outer, Dim rows,
                         Dim columns) {
  if (outer.empty())
    return transposeMatrix(from, to, rows, columns);
  for (int64_t i = 0; i < outer.front().size; ++i)
    transposeAll(from + i * outer.front().from, to + i * outer.front().to,
                 outer.drop_front(), rows, columns);
}

template <typename T>
static void transpose(ArrayRef<char> source, MutableArrayRef<char> result,
                      SmallVector<Dim> dims) {
  auto *from = reinterpret_cast<const T *>(source.data());
  auto *to = reinterpret_cast<T *>(result.data());
  Dim columns = dims.pop_back_val(), rows{1, 1, 1};
  auto innermost =
      llvm::min_element(dims, [](Dim a, Dim b) { return a.from < b.from; });
  if (innermost != dims.end()) {
    rows = *innermost;
    dims.erase(innermost);
  }
  transposeAll(from, to, dims, rows, columns);
}

ElementsAttr brisk::transposeElements(ElementsAttr attr,
                                      ArrayRef<int64_t> permutation) {
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  auto type = RankedTensorType::get(applyPermutation(shape, permutation),
                                    attr.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(attr); dense && dense.isSplat())
    return dense.resizeSplat(type);
  SmallVector<Dim> dims = getDims(shape, permutation);
  if (dims.size() <= 1 || type.getNumElements() == 0)
    return reshapeElements(attr, type);
  ElementBytes source(attr);
  return makeElements(type, [&](MutableArrayRef<char> result) {
    switch (getElementBytes(type.getElementType())) {
    case 1:
      return transpose<uint8_t>(source.bytes(), result, dims);
    case 2:
      return transpose<uint16_t>(source.bytes(), result, dims);
    case 4:
      return transpose<uint32_t>(source.bytes(), result, dims);
    default:
      return transpose<uint64_t>(source.bytes(), result, dims);
    }
  });
}
