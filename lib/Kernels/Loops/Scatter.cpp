//===- Scatter.cpp - Loops of ops that write by index ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

/// Combines an update with the element that is there.
static void update(KernelBuilder &b, ScatterReduction reduction, Value value,
                   const Buffer &out, ValueRange at) {
  Type type = out.getElement();
  switch (reduction) {
  case ScatterReduction::None:
    break;
  case ScatterReduction::Add:
    value = b.add(out.load(b, at), value);
    break;
  case ScatterReduction::Mul:
    value = b.mul(out.load(b, at), value);
    break;
  case ScatterReduction::Max:
    value = b.max(type, out.load(b, at), value);
    break;
  case ScatterReduction::Min:
    value = b.min(type, out.load(b, at), value);
    break;
  }
  out.store(b, value, at);
}

// Updates may meet: one task keeps their order.
static SmallVector<int64_t> getOuter(ScatterElementsOp) { return {}; }

static void emitAt(KernelBuilder &b, ScatterElementsOp op, Buffers in,
                   Buffers out, ValueRange) {
  copyAll(b, in[0], out[0]);
  int64_t axis = op.getNormalizedAxis(), size = in[0].getDim(axis);
  const Buffer &updates = in[2];
  b.nest(updates.getShape(), [&](ValueRange at) {
    Value place = in[1].loadIndex(b, at, size);
    b.ifThen(b.isWithin(place, size), [&] {
      Values to = llvm::to_vector(at);
      to[axis] = place;
      update(b, op.getReduction(), updates.load(b, at), out[0], to);
    });
  });
}

static SmallVector<int64_t> getOuter(ScatterNdOp) { return {}; }

static void emitAt(KernelBuilder &b, ScatterNdOp op, Buffers in, Buffers out,
                   ValueRange) {
  copyAll(b, in[0], out[0]);
  const Buffer &indices = in[1], &updates = in[2];
  int64_t size = indices.getShape().back();
  b.nest(indices.getShape().drop_back(), [&](ValueRange outer) {
    Values prefix;
    Value within;
    for (int64_t i = 0; i < size; ++i) {
      Values at = join(outer, b.index(i));
      int64_t dim = out[0].getDim(i);
      prefix.push_back(indices.loadIndex(b, at, dim));
      Value holds = b.isWithin(prefix.back(), dim);
      within = within ? b.logicalAnd(within, holds) : holds;
    }
    auto write = [&] {
      b.nest(out[0].getShape().drop_front(size), [&](ValueRange inner) {
        update(b, op.getReduction(), updates.load(b, join(outer, inner)),
               out[0], join(prefix, inner));
      });
    };
    if (within)
      b.ifThen(within, write);
    else
      write();
  });
}

void brisk::addScatterLoops(LoopTable &table) {
  table.on<ScatterElementsOp>(getOuter, emitAt);
  table.on<ScatterNdOp>(getOuter, emitAt);
}
