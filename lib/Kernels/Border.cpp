//===- Border.cpp - The border of a padded tensor -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the places that padding adds, and nothing inside. No schedule. A row
// of the outermost dimension with a border is a piece of work, so that a thread
// writes about the rows whose insides are also its own.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

namespace {
/// Fills parts of one buffer.
class Filler {
public:
  Filler(KernelBuilder &b, BorderOp op, Value buffer);
  /// The border at one index of each of the outer dimensions, of which only the
  /// last has borders of its own.
  void fillPiece(ValueRange outer);

private:
  /// The border from dimension `d` on, at `offset` elements.
  void fillBorder(size_t d, Value offset);
  /// True if dimensions from `d` on have a border.
  bool hasBorder(size_t d);
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
  if (low < size - high && hasBorder(d + 1))
    b.loop(b.index(low), b.index(size - high), 1, [&](Value i) {
      fillBorder(d + 1, b.add(offset, b.mul(i, strides[d])));
    });
}

bool Filler::hasBorder(size_t d) {
  auto any = [](int64_t width) { return width != 0; };
  return llvm::any_of(op.getLow().drop_front(d), any) ||
         llvm::any_of(op.getHigh().drop_front(d), any);
}

void Filler::fillPiece(ValueRange outer) {
  if (outer.empty())
    return fillBorder(0, b.index(0));
  Value offset = b.index(0);
  for (auto [index, stride] : llvm::zip(outer, strides))
    offset = b.add(offset, b.mul(index, stride));
  size_t d = outer.size() - 1;
  int64_t inside = shape[d] - op.getLow()[d] - op.getHigh()[d];
  if (inside == shape[d])
    return fillBorder(d + 1, offset);
  Value isInside = b.isWithin(b.add(outer.back(), -op.getLow()[d]), inside);
  b.ifElse(
      isInside, [&] { fillBorder(d + 1, offset); },
      [&] { fillAll(d + 1, offset); });
}

/// The dimensions of which each index is a piece: up to the first that has a
/// border, but not the innermost one.
static ArrayRef<int64_t> getOuterShape(BorderOp op) {
  ArrayRef<int64_t> shape = getShape(op.getResult());
  size_t outer = 0;
  while (outer + 1 < shape.size()) {
    ++outer;
    if (op.getLow()[outer - 1] || op.getHigh()[outer - 1])
      break;
  }
  return shape.take_front(outer);
}

namespace {
class BorderMatch : public KernelMatch {
public:
  BorderMatch(const GroupView &view, BorderOp border)
      : KernelMatch(view), border(border) {}

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    schedules.push_back(BorderScheduleAttr::get(group.getContext()));
  }

  double getCycles(ScheduleAttr) override {
    return getTraffic() / isa.memoryBytesPerCycle;
  }

  uint64_t getTraffic() override {
    auto type = cast<ShapedType>(border.getType());
    SmallVector<int64_t> inside;
    for (auto [size, low, high] :
         llvm::zip_equal(type.getShape(), border.getLow(), border.getHigh()))
      inside.push_back(size - low - high);
    return getByteSize(type) - getByteSize(type.clone(inside));
  }

  Work getWork(ScheduleAttr) override {
    return {ShapedType::getNumElements(getOuterShape(border))};
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange, ValueRange outs,
            PieceLoop forPieces) override {
    Filler filler(b, border, outs.front());
    forPieces([&](Value piece) {
      filler.fillPiece(delinearize(b, piece, getOuterShape(border)));
    });
  }

private:
  BorderOp border;
};
} // namespace

MatchPtr brisk::matchBorder(GroupView &view) {
  auto border = dyn_cast_or_null<BorderOp>(view.getAnchor());
  if (!border)
    return view.refuse("has no border");
  return std::make_unique<BorderMatch>(view, border);
}
