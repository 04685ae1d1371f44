//===- Access.cpp - Buffers and columns as kernels walk them --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

using namespace mlir;
using namespace brisk;

FlatBuffer::FlatBuffer(KernelBuilder &b, Value memref, Type elementType)
    : elementType(elementType) {
  auto type = cast<MemRefType>(memref.getType());
  shape.assign(type.getShape().begin(), type.getShape().end());
  int64_t offset, extent = 1;
  LogicalResult known = type.getStridesAndOffset(strides, offset);
  assert(succeeded(known) && "kernels take memrefs of static strides");
  (void)known;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    extent += std::max<int64_t>(size - 1, 0) * stride;
  auto flatType =
      MemRefType::get({extent}, type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  flat = flatType == type
             ? memref
             : memref::ReinterpretCastOp::create(b, flatType, memref, 0,
                                                 ArrayRef<int64_t>{extent},
                                                 ArrayRef<int64_t>{1})
                   .getResult();
}

RowsAndColumns brisk::getRowsAndColumns(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  if (shape.empty())
    return {1, 1};
  return {ShapedType::getNumElements(shape.drop_back()), shape.back()};
}

int64_t brisk::getColumnLanes(const Isa &isa, Type type, int64_t count) {
  int64_t lanes = isa.getLanes(type);
  // Masked or not, a vector twice too wide is no better than a narrower one.
  while (lanes > 1 && lanes / 2 >= count)
    lanes /= 2;
  return lanes > 1 ? lanes : 0;
}

void brisk::forColumns(KernelBuilder &b, int64_t count, int64_t lanes,
                       bool mayRepeat, function_ref<void(Columns)> body) {
  auto forVectors = [&](int64_t from, int64_t to, int64_t width) {
    int64_t step = std::max<int64_t>(width, 1);
    if (to - from == step)
      body({b.index(from), width, {}});
    else if (to > from)
      b.loop(b.index(from), b.index(to), step,
             [&](Value column) { body({column, width, {}}); });
  };
  if (lanes == 0)
    return forVectors(0, count, 0);
  int64_t full = count / lanes * lanes;
  forVectors(0, full, lanes);
  if (full == count)
    return;
  if (b.isa.hasMasks())
    return body({b.index(full), lanes, b.mask(lanes, count - full)});
  if (mayRepeat && full)
    return body({b.index(count - lanes), lanes, {}});
  for (int64_t width = lanes / 2; width >= 4; width /= 2)
    if (count - full >= width) {
      forVectors(full, full + width, width);
      full += width;
    }
  forVectors(full, count, 0);
}

Value brisk::pickLanes(KernelBuilder &b, ArrayRef<Value> vectors,
                       ArrayRef<std::pair<int64_t, int64_t>> lanes) {
  int64_t size = lanes.size();
  Value result = vectors[0];
  for (int64_t v = 1; v < static_cast<int64_t>(vectors.size()); ++v) {
    SmallVector<int64_t> mask;
    for (auto [at, lane] : llvm::enumerate(lanes)) {
      int64_t kept = v == 1 && lane.first == 0 ? lane.second : at;
      mask.push_back(lane.first == v ? size + lane.second : kept);
    }
    result = vector::ShuffleOp::create(b, result, vectors[v], mask);
  }
  return result;
}

// Which zero is the larger makes no difference, and costs instructions.
Value brisk::buildMaximum(KernelBuilder &b, Value x, Value y) {
  return arith::MaximumFOp::create(b, x, y, arith::FastMathFlags::nsz);
}

Value brisk::buildMinimum(KernelBuilder &b, Value x, Value y) {
  return arith::MinimumFOp::create(b, x, y, arith::FastMathFlags::nsz);
}

RowBuffer::RowBuffer(KernelBuilder &b, int64_t columns) {
  constexpr int64_t maxBytes = 16 << 10;
  if (columns * 4 <= maxBytes)
    row = memref::AllocaOp::create(b, MemRefType::get(columns, b.getF32Type()),
                                   b.getI64IntegerAttr(64));
}
