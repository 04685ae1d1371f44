//===- KernelBuilder.cpp - Emitting vector code ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/KernelBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace brisk;

Type brisk::getStorageType(Type elementType) {
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  return getValueType(elementType);
}

Value KernelBuilder::boundIndex(Value value, int64_t wrap, int64_t low,
                                int64_t high) {
  if (wrap > INT32_MAX || high > INT32_MAX || low < INT32_MIN)
    if (!value.getType().isInteger(64))
      value = arith::ExtSIOp::create(*this, getI64Type(), value);
  if (wrap) {
    Value negative =
        compare(arith::CmpIPredicate::slt, value, integer(value, 0));
    Value wrapped = add(value, integer(value, wrap));
    value = select(negative, wrapped, value);
  }
  value = arith::MaxSIOp::create(*this, value, integer(value, low));
  value = arith::MinSIOp::create(*this, value, integer(value, high));
  return arith::IndexCastOp::create(*this, getIndexType(), value);
}

Value KernelBuilder::fma(Value a, Value b, Value c) {
  if (isa.isFused(a.getType()))
    return math::FmaOp::create(*this, a, b, c);
  return add(mul(a, b), c);
}

Value KernelBuilder::broadcast(Value scalar, Type type) {
  if (scalar.getType() == type)
    return scalar;
  return vector::BroadcastOp::create(*this, type, scalar);
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

Value KernelBuilder::splat(ElementsAttr constant, int64_t lanes) {
  Type element = constant.getElementType(), type = getValueType(element);
  if (lanes)
    type = VectorType::get(lanes, type);
  constant = getSplatElement(constant);
  if (llvm::isa<FloatType>(element))
    return this->constant(type, getAsDoubles(constant).front());
  return this->constant(type, APInt(element.getIntOrFloatBitWidth(),
                                    getAsInts(constant).front(),
                                    /*isSigned=*/true, /*implicitTrunc=*/true));
}

Value KernelBuilder::table(ArrayRef<double> values, Type element) {
  auto type = RankedTensorType::get(values.size(), element);
  if (element.isF64())
    return table(makeElements(type, values));
  std::vector<float> rounded(values.begin(), values.end());
  return table(makeElements(type, ArrayRef<float>(rounded)));
}

Value KernelBuilder::table(ArrayRef<int32_t> values) {
  auto type = RankedTensorType::get(values.size(), getI32Type());
  return table(makeElements(type, values));
}

Value KernelBuilder::table(ElementsAttr values) {
  // As it lies in memory: signless, booleans as bytes.
  Type element = getStorageType(values.getElementType());
  ArrayRef<int64_t> shape = values.getShapedType().getShape();
  ElementBytes bytes(values);
  auto stored = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(shape, element), bytes.bytes());
  auto module = getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = MemRefType::get(shape, element);
  // One table serves all that need the same.
  StringRef name;
  unsigned count = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    ++count;
    if (global.getInitialValueAttr() == stored)
      name = global.getSymName();
  }
  if (name.empty()) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(module.getBody());
    std::string fresh;
    do
      fresh = ("table_" + Twine(count++)).str();
    while (SymbolTable::lookupSymbolIn(module, fresh));
    auto global = memref::GlobalOp::create(
        *this, fresh, getStringAttr("private"), type, stored,
        /*constant=*/true, /*alignment=*/IntegerAttr());
    name = global.getSymName();
  }
  return memref::GetGlobalOp::create(*this, type, name);
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
