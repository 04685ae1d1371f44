//===- Border.cpp - The border of a padded tensor -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the places that padding adds, and nothing inside. No schedule.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

namespace {
/// Fills parts of one buffer.
class Filler {
public:
  Filler(KernelBuilder &b, BorderOp op, Value buffer);
  /// The border from dimension `d` on, at `offset` elements.
  void fillBorder(size_t d, Value offset);

private:
  /// Everything from dimension `d` on.
  void fillAll(size_t d, Value offset);
  void fillRun(Value offset, int64_t count);

  KernelBuilder &b;
  BorderOp op;
  FlatBuffer flat;
  Value scalar;
  ArrayRef<int64_t> shape, strides;
};
} // namespace

Filler::Filler(KernelBuilder &b, BorderOp op, Value buffer)
    : b(b), op(op),
      flat(b, buffer, cast<MemRefType>(buffer.getType()).getElementType()),
      shape(flat.getShape()), strides(flat.getStrides()) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  scalar = arith::ConstantOp::create(b, cast<TypedAttr>(op.getValue()));
  if (scalar.getType() != type) // booleans are bytes
    scalar = arith::ExtUIOp::create(b, type, scalar);
}

// LLVM makes calls of memset, or few stores, of what it can.
void Filler::fillRun(Value offset, int64_t count) {
  int64_t lanes = b.isa.getLanes(scalar.getType());
  int64_t full = lanes > 1 ? count / lanes * lanes : 0;
  if (full) {
    Value splat = b.broadcast(scalar, VectorType::get(lanes, scalar.getType()));
    b.loop(b.index(0), b.index(full), lanes,
           [&](Value i) { flat.store(b, splat, b.add(offset, i)); });
  }
  if (full < count)
    b.loop(b.index(full), b.index(count),
           [&](Value i) { flat.store(b, scalar, b.add(offset, i)); });
}

void Filler::fillAll(size_t d, Value offset) {
  // The dimensions from here on are one run if nothing lies between their rows.
  int64_t count = 1;
  bool dense = true;
  for (size_t i = shape.size(); i-- > d;) {
    dense &= shape[i] == 1 || strides[i] == count;
    count *= shape[i];
  }
  if (dense)
    return fillRun(offset, count);
  b.loop(b.index(0), b.index(shape[d]), 1,
         [&](Value i) { fillAll(d + 1, b.add(offset, b.mul(i, strides[d]))); });
}

void Filler::fillBorder(size_t d, Value offset) {
  if (d == shape.size())
    return;
  int64_t low = op.getLow()[d], high = op.getHigh()[d], size = shape[d];
  auto fillRange = [&](int64_t from, int64_t to) {
    if (from < to)
      b.loop(b.index(from), b.index(to), 1, [&](Value i) {
        fillAll(d + 1, b.add(offset, b.mul(i, strides[d])));
      });
  };
  fillRange(0, low);
  fillRange(size - high, size);
  auto any = [](int64_t width) { return width != 0; };
  if (low < size - high && (llvm::any_of(op.getLow().drop_front(d + 1), any) ||
                            llvm::any_of(op.getHigh().drop_front(d + 1), any)))
    b.loop(b.index(low), b.index(size - high), 1, [&](Value i) {
      fillBorder(d + 1, b.add(offset, b.mul(i, strides[d])));
    });
}

namespace {
class BorderMatch : public KernelMatch {
public:
  using KernelMatch::KernelMatch;

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    schedules.push_back(BorderScheduleAttr::get(group.getContext()));
  }

  double getCycles(ScheduleAttr) override {
    return getTraffic() / isa.memoryBytesPerCycle;
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange, ValueRange outs,
            PieceLoop forPieces) override {
    forPieces([&](Value) {
      Filler(b, cast<BorderOp>(view.getAnchor()), outs.front())
          .fillBorder(0, b.index(0));
    });
  }
};
} // namespace

MatchPtr brisk::matchBorder(GroupView &view) {
  if (!isa_and_nonnull<BorderOp>(view.getAnchor()))
    return view.refuse("has no border");
  return std::make_unique<BorderMatch>(view);
}
