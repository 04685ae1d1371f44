//===- Access.cpp - Buffers and columns as kernels walk them --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace brisk;

FlatBuffer::FlatBuffer(KernelBuilder &b, Value memref, Type elementType)
    : elementType(elementType) {
  auto type = cast<MemRefType>(memref.getType());
  shape.assign(type.getShape().begin(), type.getShape().end());
  strides = type.getStridesAndOffset().first;
  int64_t extent = 1;
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

void brisk::forSteps(KernelBuilder &b, int64_t count, int64_t step, Value from,
                     Value to, function_ref<void(Value)> whole,
                     function_ref<void(int64_t)> rest) {
  int64_t full = count / step * step;
  std::optional<int64_t> first = getConstantIntValue(from),
                         last = getConstantIntValue(to);
  Value end =
      full == count ? to : b.createOrFold<arith::MinUIOp>(to, b.index(full));
  if (!first || !last || std::min(*last, full) - *first > step)
    b.loop(from, end, step, whole);
  else if (std::min(*last, full) > *first)
    whole(from);
  if (full == count || (last && *last <= full))
    return;
  if (last)
    return rest(full);
  b.ifThen(b.compare(arith::CmpIPredicate::ugt, to, b.index(full)),
           [&] { rest(full); });
}

void brisk::forTail(KernelBuilder &b, int64_t count, int64_t full,
                    int64_t lanes, bool mayRepeat,
                    function_ref<void(Columns)> body) {
  if (full == count)
    return;
  if (lanes && b.isa.hasMasks())
    return body({b.index(full), lanes, b.mask(lanes, count - full)});
  if (mayRepeat && full)
    return body({b.index(count - lanes), lanes, {}});
  for (int64_t width = lanes / 2; width >= 4; width /= 2)
    if (count - full >= width) {
      body({b.index(full), width, {}});
      full += width;
    }
  forSteps(
      b, count, 1, b.index(full), b.index(count),
      [&](Value column) { body({column, 0, {}}); }, [](int64_t) {});
}

void brisk::forColumns(KernelBuilder &b, int64_t count, int64_t lanes,
                       bool mayRepeat, Value from, Value to,
                       function_ref<void(Columns)> body) {
  forSteps(
      b, count, std::max<int64_t>(lanes, 1), from, to,
      [&](Value column) { body({column, lanes, {}}); },
      [&](int64_t full) { forTail(b, count, full, lanes, mayRepeat, body); });
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

void brisk::transposeRegisters(KernelBuilder &b, MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t half = size / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < size; ++lane) {
      bool upper = lane & half;
      low.push_back(upper ? size + lane - half : lane);
      high.push_back(upper ? size + lane : lane + half);
    }
    for (int64_t i = 0; i < size; ++i) {
      if (i & half)
        continue;
      Value first = rows[i], second = rows[i + half];
      rows[i] = vector::ShuffleOp::create(b, first, second, low);
      rows[i + half] = vector::ShuffleOp::create(b, first, second, high);
    }
  }
}

RowBuffer::RowBuffer(KernelBuilder &b, int64_t columns, Type element,
                     int64_t offset) {
  if (b.scratch)
    row.emplace(b,
                memref::ViewOp::create(b, MemRefType::get(columns, element),
                                       b.scratch, b.index(offset),
                                       ValueRange()),
                element);
}
