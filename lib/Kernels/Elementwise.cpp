//===- Elementwise.cpp - Groups of elementwise ops ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sweep over the result, a vector of the innermost dimension at a time.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Kernels/Families.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class ElementwiseMatch : public KernelMatch {
public:
  explicit ElementwiseMatch(const GroupView &view)
      : KernelMatch(view), size(getRowsAndColumns(group.getYielded().front())) {
  }

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    constexpr int64_t most = 8192;
    auto schedule = ElementwiseScheduleAttr::get(group.getContext(), most);
    addSchedules<ElementwiseScheduleAttr>(
        search, getGrain(schedule, most, size.rows * size.columns), schedules);
  }

  double getCycles(ScheduleAttr) override {
    double flops = countFlops(group);
    Type f32 = Float32Type::get(group.getContext());
    return getTraffic() / isa.memoryBytesPerCycle +
           flops / isa.getElementsPerCycle(f32);
  }

  /// Some rows or, where they are long, a part of one.
  Work getWork(ScheduleAttr schedule) override {
    auto [rows, columns] = getPieceSize(schedule);
    int64_t pieces = llvm::divideCeil(size.rows, rows) *
                     llvm::divideCeil(size.columns, columns);
    return {pieces};
  }

  bool canRunInPlace(unsigned, unsigned) override { return true; }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override;

private:
  RowsAndColumns getPieceSize(ScheduleAttr schedule) {
    int64_t chunk = cast<ElementwiseScheduleAttr>(schedule).getChunk();
    int64_t columns = std::max<int64_t>(1, size.columns);
    // Whole vectors, or two pieces would compute the same elements.
    int64_t part = llvm::alignTo(chunk, std::max<int64_t>(getLanes(), 1));
    if (columns > part)
      return {1, part};
    return {std::max<int64_t>(1, chunk / columns), columns};
  }

  /// Lanes of a vector of columns; 0: scalars.
  int64_t getLanes() {
    return getColumnLanes(isa, getWidestType(), size.columns);
  }

  /// The widest element type in the group.
  Type getWidestType() {
    Type widest = IntegerType::get(group.getContext(), 8);
    group.getBlock()->walk([&](Operation *op) {
      for (Type type : llvm::concat<const Type>(op->getOperandTypes(),
                                                op->getResultTypes())) {
        Type element = cast<ShapedType>(type).getElementType();
        if (element.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth())
          widest = element;
      }
    });
    return widest;
  }

  RowsAndColumns size;
};
} // namespace

void ElementwiseMatch::emit(KernelBuilder &b, ScheduleAttr schedule,
                            ValueRange ins, ValueRange outs,
                            PieceLoop forPieces) {
  auto [rows, columns] = size;
  auto [pieceRows, pieceColumns] = getPieceSize(schedule);
  Epilogue epilogue(group, nullptr, ins, outs);
  int64_t lanes = getLanes();
  // No column twice: the result may take an operand's place.
  auto emitRow = [&, columns = columns](Value row, Value from, Value to) {
    forColumns(b, columns, lanes, /*mayRepeat=*/false, from, to,
               [&](Columns at) {
                 epilogue.emit(b, {}, row, at.start, at.lanes, at.mask);
               });
  };
  forPieces([&, rows = rows, columns = columns, pieceRows = pieceRows,
             pieceColumns = pieceColumns](Value piece) {
    if (pieceColumns < columns) {
      int64_t parts = llvm::divideCeil(columns, pieceColumns);
      SmallVector<Value> at = delinearize(b, piece, {rows, parts});
      Value from = b.mul(at[1], pieceColumns);
      Value to = b.createOrFold<arith::MinUIOp>(b.add(from, pieceColumns),
                                                b.index(columns));
      emitRow(at[0], from, to);
      return;
    }
    Value from = b.mul(piece, pieceRows);
    Value to =
        b.createOrFold<arith::MinUIOp>(b.add(from, pieceRows), b.index(rows));
    b.loop(from, to, 1,
           [&](Value row) { emitRow(row, b.index(0), b.index(columns)); });
  });
}

MatchPtr brisk::matchElementwise(GroupView &view) {
  Block *block = view.getGroup().getBlock();
  for (Operation &op : block->without_terminator())
    if (!isa<ElementwiseOpInterface, ConstantOp>(op))
      return view.refuse("has an op that is not elementwise");
  OperandRange yielded = view.getGroup().getYielded();
  if (yielded.empty() || llvm::any_of(yielded, [&](Value value) {
        return getShape(value) != getShape(yielded.front());
      }))
    return view.refuse("has no results, or of several shapes");
  return std::make_unique<ElementwiseMatch>(view);
}
