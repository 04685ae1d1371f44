//===- Lookup.cpp - Bytes from a table ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/KernelBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace brisk;

/// The first `size` elements of a vector, with any others behind it.
static Value resize(KernelBuilder &b, Value vector, int64_t size) {
  int64_t given = cast<VectorType>(vector.getType()).getNumElements();
  if (given == size)
    return vector;
  SmallVector<int64_t> places(size, vector::ShuffleOp::kPoisonIndex);
  for (int64_t i = 0; i < std::min(size, given); ++i)
    places[i] = i;
  return vector::ShuffleOp::create(b, vector, vector, places);
}

/// From registers: two instructions look in one half of the table each, by the
/// lower seven bits.
static Value lookUpInRegisters(KernelBuilder &b, Value table, Value bytes) {
  constexpr int64_t lanes = 64;
  auto type = VectorType::get(lanes, b.getI8Type());
  Value places = resize(b, bytes, lanes);
  auto lookUp = [&](int64_t half) -> Value {
    auto load = [&](int64_t part) -> Value {
      return vector::LoadOp::create(b, type, table,
                                    b.index((2 * half + part) * lanes));
    };
    return LLVM::CallIntrinsicOp::create(b, type,
                                         b.getStringAttr(b.isa.byteLookup),
                                         ValueRange{load(0), places, load(1)})
        .getResult(0);
  };
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value isHigh =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, places, zero);
  Value low = lookUp(0), high = lookUp(1);
  Value found = b.select(isHigh, high, low);
  return resize(b, found, cast<VectorType>(bytes.getType()).getNumElements());
}

Value KernelBuilder::lookUp(ArrayRef<char> entries, Value bytes) {
  Type byte = getI8Type();
  auto count = static_cast<int64_t>(entries.size());
  Value memref =
      table(makeElements(RankedTensorType::get(count, byte), entries));
  auto loadOne = [&](Value place) -> Value {
    Value index = arith::IndexCastUIOp::create(*this, getIndexType(), place);
    return memref::LoadOp::create(*this, memref, index);
  };
  auto type = dyn_cast<VectorType>(bytes.getType());
  if (!type)
    return loadOne(bytes);
  if (!isa.byteLookup.empty())
    return lookUpInRegisters(*this, memref, bytes);
  Value found = arith::ConstantOp::create(*this, getZeroAttr(type));
  if (isa.gathers) {
    Value places = arith::ExtUIOp::create(
        *this, VectorType::get(type.getShape(), getI32Type()), bytes);
    return vector::GatherOp::create(
        *this, type, memref, ValueRange{index(0)}, places,
        mask(type.getNumElements(), type.getNumElements()), found);
  }
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value place = vector::ExtractOp::create(*this, bytes, lane);
    found = vector::InsertOp::create(*this, loadOne(place), found, lane);
  }
  return found;
}
