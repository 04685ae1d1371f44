//===- Gather.cpp - Loops of ops that read by index -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// Stores zeros to all of the result: for data that has no elements.
static void storeZeros(KernelBuilder &b, const Buffer &out, ValueRange outer) {
  b.nest(out.getShape().drop_front(outer.size()), [&](ValueRange inner) {
    out.store(b, b.zero(out.getElement()), join(outer, inner));
  });
}

/// The result's dimensions but for the slice that an index names.
static SmallVector<int64_t> getOuter(GatherOp op) {
  int64_t outer = op.getNormalizedAxis() + op.getIndices().getType().getRank();
  return llvm::to_vector(op.getType().getShape().take_front(outer));
}

static void emitAt(KernelBuilder &b, GatherOp op, Buffers in, Buffers out,
                   ValueRange outer) {
  int64_t axis = op.getNormalizedAxis();
  const Buffer &data = in[0];
  if (data.getDim(axis) == 0)
    return storeZeros(b, out[0], outer);
  Value place =
      in[1].loadClampedIndex(b, outer.drop_front(axis), data.getDim(axis));
  b.nest(data.getShape().drop_front(axis + 1), [&](ValueRange inner) {
    Values from = join(join(outer.take_front(axis), place), inner);
    out[0].store(b, data.load(b, from), join(outer, inner));
  });
}

static SmallVector<int64_t> getOuter(GatherNdOp op) {
  return llvm::to_vector(op.getIndices().getType().getShape().drop_back());
}

static void emitAt(KernelBuilder &b, GatherNdOp op, Buffers in, Buffers out,
                   ValueRange outer) {
  const Buffer &data = in[0];
  int64_t batch = op.getBatchDims(), size = in[1].getShape().back();
  if (data.type.getNumElements() == 0)
    return storeZeros(b, out[0], outer);
  Values prefix = llvm::to_vector(outer.take_front(batch));
  for (int64_t i = 0; i < size; ++i) {
    Values at = join(outer, b.index(i));
    prefix.push_back(in[1].loadClampedIndex(b, at, data.getDim(batch + i)));
  }
  b.nest(data.getShape().drop_front(batch + size), [&](ValueRange inner) {
    out[0].store(b, data.load(b, join(prefix, inner)), join(outer, inner));
  });
}

static Values buildAt(KernelBuilder &b, GatherElementsOp op, Buffers in,
                      ValueRange at) {
  int64_t axis = op.getNormalizedAxis(), size = in[0].getDim(axis);
  if (size == 0)
    return {b.zero(in[0].getElement())};
  Values from = llvm::to_vector(at);
  from[axis] = in[1].loadClampedIndex(b, at, size);
  return {in[0].load(b, from)};
}

//===----------------------------------------------------------------------===//
// Ops on places
//===----------------------------------------------------------------------===//

static Values buildAt(KernelBuilder &b, OneHotOp op, Buffers in,
                      ValueRange at) {
  int64_t rank = at.size();
  int64_t axis = op.getAxis();
  axis += axis < 0 ? rank : 0;
  int64_t depth = cast<RankedTensorType>(op.getType()).getDimSize(axis);
  Values from = llvm::to_vector(at);
  from.erase(from.begin() + axis);
  // Compared as the indices are: floats as floats, integers in 64 bits.
  Type type = in[0].getElement();
  Type wide = isa<FloatType>(type) ? getSumType(type) : Type(b.getI64Type());
  Value index = b.convert(in[0].load(b, from), type, wide);
  Value place =
      b.convert(arith::IndexCastOp::create(b, b.getI64Type(), at[axis]),
                b.getI64Type(), wide);
  Value negative = b.add(index, b.constant(wide, depth));
  Value hot = arith::OrIOp::create(
      b, b.compare(wide, arith::CmpIPredicate::eq, index, place),
      b.compare(wide, arith::CmpIPredicate::eq, negative, place));
  return {b.select(hot, in[2].load(b, b.index(1)), in[2].load(b, b.index(0)))};
}

static Values buildAt(KernelBuilder &b, TriluOp op, Buffers in, ValueRange at) {
  ArrayRef<int64_t> matrix = in[0].getShape().take_back(2);
  Value diagonal = b.index(0);
  if (op.getK())
    diagonal = in[1].loadBounded(b, Values(in[1].getRank(), b.index(0)), 0,
                                 -matrix[0], matrix[1]);
  Value row = b.add(at[at.size() - 2], diagonal), column = at.back();
  Value kept = b.compare(op.getUpper() ? arith::CmpIPredicate::sge
                                       : arith::CmpIPredicate::sle,
                         column, row);
  return {b.select(kept, in[0].load(b, at), b.zero(in[0].getElement()))};
}

static Values buildAt(KernelBuilder &b, ReverseSequenceOp op, Buffers in,
                      ValueRange at) {
  int64_t time = op.getTimeAxis();
  Value length =
      in[1].loadBounded(b, at[op.getBatchAxis()], 0, 0, in[0].getDim(time));
  Values from = llvm::to_vector(at);
  Value mirrored = b.sub(b.add(length, -1), at[time]);
  from[time] = b.select(b.compare(arith::CmpIPredicate::slt, at[time], length),
                        mirrored, at[time]);
  return {in[0].load(b, from)};
}

void brisk::addGatherLoops(LoopTable &table) {
  table.on<GatherOp>(getOuter, emitAt);
  table.on<GatherNdOp>(getOuter, emitAt);
  table.on<GatherElementsOp>(buildAt);
  table.on<OneHotOp>(buildAt);
  table.on<TriluOp>(buildAt);
  table.on<ReverseSequenceOp>(buildAt);
}
