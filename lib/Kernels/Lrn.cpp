//===- Lrn.cpp - Local response normalization -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The squares of a row of channels go into scratch memory, between as many
// zeros as a window reaches beyond its ends, so that every window is a sum of
// vectors that begin one element after the other. A row is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "RowMatch.h"
#include "brisk/Kernels/Families.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace brisk;

/// `x` to the power of `exponent`: that of most networks by roots, which are
/// many times cheaper and as accurate.
static Value buildPower(KernelBuilder &b, Value x, double exponent) {
  if (exponent != 0.75)
    return b.make<math::PowFOp>(x, b.constant(x, exponent));
  Value root = b.make<math::SqrtOp>(x);
  return b.mul(root, b.make<math::SqrtOp>(root));
}

namespace {
class LrnMatch : public RowMatch<LrnScheduleAttr> {
public:
  LrnMatch(const GroupView &view, LrnOp lrn)
      : RowMatch(view, getRowsAndColumns(lrn.getInput()).rows,
                 getRowsAndColumns(lrn.getInput()).columns, /*perTask=*/2048),
        lrn(lrn), size(getRowsAndColumns(lrn.getInput())),
        element(lrn.getResult().getType().getElementType()),
        wide(getSumType(element)) {}

  double getCycles(ScheduleAttr) override {
    constexpr double perRow = 20;
    return size.rows * perRow +
           countFlops(group) / isa.getElementsPerCycle(wide) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  int64_t getScratch(ScheduleAttr) override {
    return RowBuffer::getBytes(getPadded(), wide);
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    int64_t window = lrn.getSize(), before = (window - 1) / 2;
    int64_t lanes = getColumnLanes(b.isa, wide, size.columns);
    Epilogue epilogue(group, lrn, ins, outs);
    RowBuffer squares(b, getPadded(), wide);
    auto store = [&](Value value, Value place, Columns at) {
      squares.store(b, value, {place, at.lanes, at.mask});
    };
    for (int64_t i = 0; i < window - 1; ++i)
      store(b.zero(wide), b.index(i < before ? i : size.columns + i),
            {{}, 0, {}});
    double alpha =
        lrn.getAlpha().convertToDouble() / static_cast<double>(window);
    forPieces([&](Value row) {
      auto load = [&](Columns at) {
        return b.convert(epilogue.evaluate(b, lrn.getInput(), row, at.start,
                                           at.lanes, at.mask),
                         element, wide);
      };
      forColumns(b, size.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value x = load(at);
        store(b.mul(x, x), b.add(at.start, before), at);
      });
      forColumns(b, size.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value sum =
            b.sum(Span{window, {}, {}}, at.getType(wide), [&](ValueRange i) {
              return squares.load(b,
                                  {b.add(at.start, i[0]), at.lanes, at.mask});
            });
        Value base = b.add(b.mul(sum, alpha), lrn.getBias().convertToDouble());
        Value power = buildPower(b, base, lrn.getBeta().convertToDouble());
        epilogue.emit(b, b.convert(b.div(load(at), power), wide, element), row,
                      at.start, at.lanes, at.mask);
      });
    });
  }

private:
  /// The channels and what windows reach beyond them.
  int64_t getPadded() { return size.columns + lrn.getSize() - 1; }

  LrnOp lrn;
  RowsAndColumns size;
  /// The type of the elements, and the one to compute in.
  Type element, wide;
};
} // namespace

MatchPtr brisk::matchLrn(GroupView &view) {
  auto lrn = dyn_cast_or_null<LrnOp>(view.getAnchor());
  if (!lrn)
    return view.refuse("has no lrn");
  constexpr int64_t most = 64; // beyond, a running sum would be cheaper
  if (lrn.getSize() > most)
    return view.refuse("has windows of more than 64 channels");
  auto type = lrn.getResult().getType();
  if (!RowBuffer::isNear(type.getShape().back() + lrn.getSize(),
                         getSumType(type.getElementType())))
    return view.refuse("has more channels than stay in reach");
  return std::make_unique<LrnMatch>(view, lrn);
}
