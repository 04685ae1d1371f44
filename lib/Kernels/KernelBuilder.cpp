//===- KernelBuilder.cpp - Emitting vector code --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

Type brisk::getValueType(Type elementType) {
  if (auto type = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(type.getContext(), type.getWidth());
  return elementType;
}

Type brisk::getStorageType(Type elementType) {
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  return getValueType(elementType);
}

Value KernelBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}

Value KernelBuilder::add(Value a, int64_t b) {
  return b ? add(a, index(b)) : a;
}

Value KernelBuilder::mul(Value a, int64_t b) {
  return b == 1 ? a : createOrFold<arith::MulIOp>(a, index(b));
}

Value KernelBuilder::fma(Value a, Value b, Value c) {
  if (isa.isFused(a.getType()))
    return math::FmaOp::create(*this, a, b, c);
  Value product = arith::MulFOp::create(*this, a, b);
  return arith::AddFOp::create(*this, product, c);
}

Value KernelBuilder::constant(Type type, double value) {
  Attribute attr = getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = SplatElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(*this, cast<TypedAttr>(attr));
}

Value KernelBuilder::broadcast(Value scalar, Type type) {
  if (scalar.getType() == type)
    return scalar;
  return vector::BroadcastOp::create(*this, type, scalar);
}

SmallVector<Value>
KernelBuilder::loop(Value begin, Value end, int64_t step, ValueRange carried,
                    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(*this, begin, end, index(step), carried);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void KernelBuilder::loop(Value begin, Value end, int64_t step,
                         function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

Value KernelBuilder::mask(int64_t lanes, int64_t count) {
  auto type = VectorType::get(lanes, getI1Type());
  return vector::ConstantMaskOp::create(*this, type, ArrayRef<int64_t>{count});
}

Value KernelBuilder::load(Type elementType, Value memref, ValueRange indices,
                          int64_t lanes, Value mask) {
  Type storage = getStorageType(elementType);
  Value value;
  if (lanes == 0) {
    value = memref::LoadOp::create(*this, memref, indices);
  } else if (mask) {
    auto type = VectorType::get(lanes, storage);
    Value zero = arith::ConstantOp::create(*this, getZeroAttr(type));
    value =
        vector::MaskedLoadOp::create(*this, type, memref, indices, mask, zero);
  } else {
    value = vector::LoadOp::create(*this, VectorType::get(lanes, storage),
                                   memref, indices);
  }
  if (!elementType.isInteger(1))
    return value;
  Value zero = arith::ConstantOp::create(*this, getZeroAttr(value.getType()));
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, value, zero);
}

void KernelBuilder::store(Type elementType, Value value, Value memref,
                          ValueRange indices, Value mask) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (elementType.isInteger(1)) {
    Type type = getI8Type();
    if (vector)
      type = vector.clone(type);
    value = arith::ExtUIOp::create(*this, type, value);
  }
  if (!vector)
    memref::StoreOp::create(*this, value, memref, indices);
  else if (mask)
    vector::MaskedStoreOp::create(*this, memref, indices, mask, value);
  else
    vector::StoreOp::create(*this, value, memref, indices);
}

Value brisk::collapseRows(KernelBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 2)
    return memref;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return {};
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = type.getRank(), rows = 1, rowStride = 0;
  for (int64_t d = rank - 2; d >= 0; --d) {
    if (shape[d] == 1)
      continue;
    if (rows == 1)
      rowStride = strides[d];
    else if (strides[d] != rowStride * rows)
      return {};
    rows *= shape[d];
  }
  int64_t columns = rank ? shape.back() : 1;
  if (rows == 1)
    rowStride = columns;
  auto layout = StridedLayoutAttr::get(b.getContext(), offset, {rowStride, 1});
  auto collapsed = MemRefType::get({rows, columns}, type.getElementType(),
                                   layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, collapsed, memref, offset,
                                           ArrayRef<int64_t>{rows, columns},
                                           ArrayRef<int64_t>{rowStride, 1});
}

SmallVector<Value> brisk::delinearize(KernelBuilder &b, Value linear,
                                      ArrayRef<int64_t> shape) {
  SmallVector<Value> indices(shape.size());
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    bool outermost =
        llvm::all_of(shape.take_front(d), [](int64_t dim) { return dim == 1; });
    if (shape[d] == 1) {
      indices[d] = b.index(0);
    } else if (outermost) {
      indices[d] = linear;
      linear = b.index(0);
    } else {
      Value size = b.index(shape[d]);
      indices[d] = b.createOrFold<arith::RemUIOp>(linear, size);
      linear = b.createOrFold<arith::DivUIOp>(linear, size);
    }
  }
  return indices;
}
